import type {Settings} from '../client/types.js'
import {defaultStage, isStage, limits, pace} from '../contract/index.js'
import {commandLine, flagText} from '../core/command-line.js'
import type {Environment} from '../core/environment.js'
import {CliFailure} from '../core/errors.js'
import {registerAddress} from '../core/redact.js'
import {readVariable} from '../core/small-file.js'
import type {Quota} from '../quota/quota.js'
import {toPostgresAddress} from '../values/database-address.js'
import {didYouMean} from '../values/suggest.js'
import {type Profile, Profiles} from './profiles.js'
import {
  checkSetting,
  isEnforced,
  localBudget,
  refusePassword,
  type SettingKey,
  settingKeys,
  settingNames,
  toRoutes,
} from './setting-keys.js'

export type Origin = 'flag' | 'environment' | 'profile' | 'system' | 'default' | 'unset'

export type ResolvedSetting = {key: SettingKey; value: string | undefined; origin: Origin}

/** `known`: names of all profiles. */
export type Resolved = {profile: string; values: Record<SettingKey, ResolvedSetting>; known: string[]}

export type SettingFlags = {
  profile?: string | undefined
  stage?: string | undefined
  timeout?: number | undefined
  'max-requests'?: number | undefined
}

const defaults: Partial<Record<SettingKey, string>> = {
  stage: defaultStage,
  readMethod: 'GET',
  tokenHeader: 'access-token', // [3rd]
  protected: 'false',
  approval: 'none',
  rate: String(pace.requestsPerSecond),
  burst: String(pace.burst),
  dailyQuota: String(limits.requestsPerDay),
  budget: localBudget,
  keepRuns: '30',
  keepAudit: '400',
  credentialTimeout: '10',
}

/**
 * Every setting with its origin; a flag wins over the environment, that over the profile of this user, that over the
 * one of all users, that over the default. `isNew`: the profile need not exist yet.
 */
export function resolveSettings(
  flags: SettingFlags & {isNew?: boolean},
  environment: Environment,
  profiles = new Profiles(environment),
): Resolved {
  const name = flags.profile ?? profiles.inUse
  const layers = profiles.layers(name)
  const stored = layers?.all ?? (flags.isNew ? {} : missingProfile(name, flags, environment, profiles))
  const values = Object.fromEntries(
    settingNames.map((key) => {
      const found = resolveOne(key, flags, environment, stored)
      const isOfAll = found.origin === 'profile' && layers?.own[key] !== found.value
      return [key, isOfAll ? {...found, origin: 'system'} : found]
    }),
  ) as Record<SettingKey, ResolvedSetting>

  return {profile: name, values, known: profiles.names()}
}

/** Every setting with its meaning, as it is listed. */
export function listSettings({values}: Resolved) {
  return settingNames.map((key) => {
    return {...values[key], value: shownValue(values[key]) ?? null, about: settingKeys[key].about}
  })
}

/** Whether a budget is one that machines share. */
export function isShared(budget: string | undefined): budget is string {
  return budget !== undefined && budget !== localBudget
}

function shownValue({key, value}: ResolvedSetting): string | undefined {
  return key === 'budget' && isShared(value) ? toPostgresAddress(value).shown : value
}

/** The settings of the client. Throws `usage` without a base URL. */
export function toSettings(resolved: Resolved, flags: SettingFlags): Settings {
  const text = (key: SettingKey) => resolved.values[key].value ?? ''
  const stage = text('stage')
  if (!text('baseUrl')) throw noBaseUrl(resolved)
  if (!isStage(stage)) throw new TypeError('a stage was checked before')

  return {
    profile: resolved.profile,
    baseUrl: text('baseUrl'),
    stage,
    readMethod: text('readMethod') === 'POST' ? 'POST' : 'GET',
    tokenHeader: text('tokenHeader'),
    rate: Number(text('rate')),
    burst: Number(text('burst')),
    quota: toQuota(resolved.values),
    routes: text('routes') ? toRoutes(text('routes')) : {},
    timeoutSeconds: flags.timeout,
    maximumRequests: flags['max-requests'],
  }
}

/** Requests per day, and how many of them stay unused for others. */
export function toQuota({dailyQuota, quotaFloor}: Resolved['values']): Quota {
  return {perDay: Number(dailyQuota.value), floor: Number(quotaFloor.value ?? 0)}
}

function resolveOne(key: SettingKey, flags: SettingFlags, environment: Environment, stored: Profile): ResolvedSetting {
  const outside = key === 'budget' ? readBudget(environment) : environment[settingKeys[key].environment]
  const candidates: [Origin, string | undefined][] = [
    ['profile', isEnforced(key, stored[key], outside) ? stored[key] : undefined],
    ['flag', key === 'stage' && flags.stage !== outside ? flags.stage : undefined], // the parser reads variables too
    ['environment', outside],
    ['profile', stored[key]],
    ['default', defaults[key]],
  ]
  const [origin, value] = candidates.find(([, text]) => text !== undefined && text !== '') ?? ['unset', undefined]
  const variable = origin === 'environment' ? settingKeys[key].environment : undefined
  if (value !== undefined) checkSetting(key, value, variable)
  if (origin === 'profile' && key === 'budget' && isShared(value))
    refusePassword(toPostgresAddress(value), `budget in the profile`, settingKeys.budget.environment)
  return {key, value, origin}
}

/** The variable, or the file that `VENDORCTL_BUDGET_FILE` names. */
function readBudget(environment: Environment): string | undefined {
  const text = readVariable(environment, settingKeys.budget.environment)
  registerAddress(text ?? '')
  return text
}

function missingProfile(name: string, flags: SettingFlags, environment: Environment, profiles: Profiles): Profile {
  if (flags.profile === undefined && !environment['VENDORCTL_PROFILE']) return {}
  if (environment['VENDORCTL_BASE_URL'] && name === 'default') return {}
  const names = profiles.names()
  const [meant = `Known profiles: ${names.join(', ') || 'none yet'}`] = didYouMean(name, names)
  throw new CliFailure(`There is no profile "${name}".`, {
    code: 'NO_PROFILE',
    hints: [
      meant,
      name === 'sandbox'
        ? 'Start it with: vendorctl sandbox start'
        : `Create it with: ${commandLine('profiles set', [name, 'baseUrl=URL'])}`,
    ],
  })
}

function noBaseUrl({profile, known}: Resolved): CliFailure {
  if (known.length > 0 && !known.includes(profile)) return noneInUse(known)
  return new CliFailure('No service is set up yet.', {
    code: 'NO_BASE_URL',
    hints: [
      'To try everything on a local service: vendorctl sandbox start',
      `To use a real one: ${commandLine('profiles set', [profile, 'baseUrl=URL'])} && vendorctl auth login`,
      'Or set VENDORCTL_BASE_URL, VENDORCTL_API_KEY, VENDORCTL_USERNAME and VENDORCTL_PASSWORD.',
    ],
  })
}

function noneInUse(known: string[]): CliFailure {
  return new CliFailure(`None of the profiles ${known.join(', ')} is in use.`, {
    code: 'NO_PROFILE',
    hints: [
      `Use one for good with: ${commandLine('profiles use', ['NAME'])}`,
      `Or for this command, with: ${flagText('profile', known[0] ?? '')}`,
    ],
  })
}
