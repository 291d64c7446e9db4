import {flagText, shellQuote} from '../core/command-line.js'
import type {Environment} from '../core/environment.js'
import type {CliFailure} from '../core/errors.js'

const key = ['VENDORCTL_API_KEY']
const login = ['VENDORCTL_USERNAME', 'VENDORCTL_PASSWORD']

/** Variables that would have the refused value, by the code of the failure. */
const refused: Readonly<Record<string, readonly string[]>> = {
  FORBIDDEN: key,
  API_KEY: key,
  INVALID_LOGIN: login,
  API_TOKEN: login,
}

/** The failure with advice for where a refused key or login came from: a stored login does not replace a variable. */
export async function nameSource(failure: CliFailure, {profile}: Named, environment: Environment): Promise<CliFailure> {
  const wanted = refused[failure.code] ?? []
  const place = failure.hints.findIndex((hint) => hint.includes('vendorctl auth login'))
  if (wanted.length === 0 || place === -1) return failure
  const toSet = (name: string) => [name, `${name}_FILE`].filter((each) => environment[each]).slice(0, 1)
  const set = wanted.flatMap(toSet)
  if (wanted === login && /^VENDORCTL_USERNAME(_FILE)?$/.test(set.join()))
    failure.hints[place] = 'Set VENDORCTL_PASSWORD, too: another password is used only with its own user name.'
  else if (set.length > 0)
    failure.hints[place] = `Correct ${set.join(' and ')}: what is set there is used, not a stored login.`
  else if (toSet('VENDORCTL_API_KEY').length > 0) failure.hints[place] = `Set ${login.join(' and ')}.`
  else if (await hasCommand(profile, environment)) failure.hints[place] = 'Correct what the credentialCommand prints.'
  return failure
}

async function hasCommand(name: unknown, environment: Environment): Promise<boolean> {
  const {Profiles} = await import('./profiles.js')
  const {resolveSettings} = await import('./settings.js')
  const flags = typeof name === 'string' ? {profile: name} : {}
  return resolveSettings(flags, environment, new Profiles(environment)).values.credentialCommand.value !== undefined
}

export type Named = {profile?: unknown; stage?: unknown}

const commands = /vendorctl (?:auth (?:login|test|status)|profiles show|doctor|quota(?: forget)?)\b(?! --| forget)/g

const setProfile = 'profiles set NAME'

/** The failure with its advice for the profile and stage in use: another login, key or quota would not help. */
export async function nameProfile(
  failure: CliFailure,
  {profile, stage}: Named,
  environment: Environment,
): Promise<CliFailure> {
  const flags = Object.entries({profile, stage}).flatMap(([name, value]) =>
    typeof value === 'string' ? [` ${flagText(name, value)}`] : [],
  )
  const isToSet = failure.hints.some((hint) => hint.includes(setProfile))
  const inUse = isToSet ? new (await import('./profiles.js')).Profiles(environment).inUse : '' // no usage error loads it
  const set = `profiles set ${shellQuote(typeof profile === 'string' ? profile : inUse)}`
  const named = failure.hints.map((hint) =>
    hasForeign(hint)
      ? hint
      : hint.replace(commands, (command) => `${command}${flags.join('')}`).replace(setProfile, () => set),
  )
  failure.hints.splice(0, named.length, ...named)
  return failure
}

/** Whether foreign text is quoted, which may contain what looks like a command of vendorctl. */
function hasForeign(hint: string): boolean {
  return hint.includes("'")
}
