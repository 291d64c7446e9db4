import type {CliFailure} from '../errors.js'
import {shellWord} from '../values/shell-word.js'

export type Named = {profile?: unknown; stage?: unknown}

const commands =
  /vendorctl (auth (?:login|test|status)|profiles show|doctor|quota)\b(?! --help)( --profile (?:'[^']*'|\S*\w))?/g

/** Advice is for the profile and the stage that failed: login, key and quota of another one help nothing. */
export function nameProfile(failure: CliFailure, {profile, stage}: Named): CliFailure {
  const option = (name: string, value: unknown) => (typeof value === 'string' ? ` --${name} ${shellWord(value)}` : '')
  const named = failure.hints.map((hint) =>
    hint.replace(
      commands,
      (_, command: string, has: string | undefined) =>
        `vendorctl ${command}${has ?? option('profile', profile)}${option('stage', stage)}`,
    ),
  )
  failure.hints.splice(0, named.length, ...named)
  return failure
}
