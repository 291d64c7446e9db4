import type {Environment} from '../core/environment.js'
import {CliFailure} from '../core/errors.js'
import {systemPath} from '../core/folder-paths.js'
import {configFolder} from '../core/folders.js'
import {toBaseUrl} from '../http/address.js'
import {toPostgresAddress} from '../values/database-address.js'
import {defined} from '../values/defined.js'
import {checkSetting, isEnforced, localBudget, refusePassword, type SettingKey, settingKeys} from './setting-keys.js'
import {Store} from './store.js'

/** One stored profile: text by setting key, never a secret. */
export type Profile = Partial<Record<SettingKey, string>>

type ProfileFile = {current: string | undefined; profiles: Record<string, Profile>}

const nameRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The stored profiles of this user, each in front of the one of that name for all users, which is only read. */
export class Profiles {
  readonly #own: Store<Partial<ProfileFile>>
  readonly #system: Store<Partial<ProfileFile>>
  readonly #environment: Environment

  constructor(environment: Environment, system = systemPath) {
    this.#environment = environment
    const kept = {name: 'profiles', kept: 'settings', empty: {}} as const
    this.#own = new Store({...kept, folder: configFolder(environment)})
    this.#system = new Store({...kept, folder: system})
  }

  get current(): string | undefined {
    const [own, system] = this.#read()
    return own.current ?? system.current
  }

  /** The profile of a command that names none: the current one, or the only one where no variable gives an address. */
  get inUse(): string {
    const {VENDORCTL_PROFILE: named, VENDORCTL_BASE_URL: address} = this.#environment
    const [only, ...others] = this.names()
    return named || this.current || (only === undefined || others.length > 0 || address ? 'default' : only)
  }

  names(): string[] {
    return [...new Set(this.#read().flatMap(({profiles}) => Object.keys(profiles)))].sort()
  }

  find(name: string): Profile | undefined {
    return this.layers(name)?.all
  }

  /** The settings of a profile, and those of them that this user's file has; one read of both files. */
  layers(name: string): {all: Profile; own: Profile} | undefined {
    const [own, system] = this.#read().map(({profiles}) => (Object.hasOwn(profiles, name) ? profiles[name] : undefined))
    if (!system) return own && {all: own, own}
    const enforced = Object.entries(system).filter(([key, value]) =>
      isEnforced(key as SettingKey, value, own?.[key as SettingKey]),
    )
    return {all: {...system, ...own, ...Object.fromEntries(enforced)}, own: own ?? {}}
  }

  async set(name: string, changes: Profile): Promise<Profile> {
    checkName(name, this.names())
    for (const [key, value] of Object.entries(changes)) checkSetting(key, value)
    let merged: Profile = {}
    await this.#change((file) => {
      const own = Object.hasOwn(file.profiles, name) ? file.profiles[name] : {}
      merged = Object.fromEntries(Object.entries({...own, ...changes}).filter(([, value]) => value !== ''))
      return {...file, profiles: {...file.profiles, [name]: merged}}
    })
    return merged
  }

  async use(name: string): Promise<void> {
    await this.#change((file) => ({...file, current: name}))
  }

  async remove(name: string): Promise<void> {
    await this.#change(({current, profiles}) => {
      const kept = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== name))
      return {current: current === name ? undefined : current, profiles: kept}
    })
  }

  /** The file of this user, then that of all; on Windows anybody could make the folder for all. */
  #read(): [own: ProfileFile, system: ProfileFile] {
    return [toProfiles(this.#own.read()), toProfiles(process.platform === 'win32' ? {} : this.#system.read())]
  }

  async #change(change: (file: ProfileFile) => ProfileFile): Promise<void> {
    await this.#own.change(({current, profiles = {}}) => defined(change({current, profiles})))
  }
}

function toProfiles({current, profiles = {}}: Partial<ProfileFile>): ProfileFile {
  return {current: typeof current === 'string' ? current : undefined, profiles}
}

/** The key under which credentials of one profile and stage are kept. */
export function toCredentialKey(profile: string, stage: string): string {
  return `${profile}/${stage}`
}

/** The word for a name in told commands; as a second profile it would leave none in use. */
const anyName = 'NAME'

function checkName(name: string, known: readonly string[]): void {
  const isAny = name === anyName && !known.includes(name)
  if (nameRule.test(name) && !isAny) return
  throw new CliFailure(`Not a profile name: "${name}".`, {
    code: 'PROFILE_NAME',
    hints: isAny
      ? [`Write the profile that you mean${known.length > 0 ? `: ${known.join(', ')}` : ''}.`]
      : ['Use letters, digits, dots, dashes and underscores, at most 64.'],
  })
}

/**
 * The changes that `KEY=VALUE` arguments ask for. Throws `usage` on anything else, and `unsafe` for a base URL that no
 * request would be sent to.
 */
export function toChanges(pairs: readonly string[]): Profile {
  const changes: Record<string, string> = {}
  for (const pair of pairs) {
    const sign = pair.indexOf('=')
    if (sign < 1)
      throw new CliFailure(`Not a KEY=VALUE pair: "${pair}".`, {
        code: 'SETTING_PAIR',
        hints: ['For example: vendorctl profiles set production baseUrl=https://api.example.com'],
      })
    const key = pair.slice(0, sign)
    const value = pair.slice(sign + 1)
    checkSetting(key, value)
    if (key === 'baseUrl' && value !== '') toBaseUrl(value) // a password in it would be stored in the profile
    if (key === 'budget' && value !== '' && value !== localBudget)
      refusePassword(toPostgresAddress(value), key, settingKeys.budget.environment)
    changes[key] = value
  }

  return changes
}
