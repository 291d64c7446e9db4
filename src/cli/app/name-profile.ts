import {flagWord} from '../../core/command-line.js'
import type {CliFailure} from '../../core/errors.js'

export type Named = {profile?: unknown; stage?: unknown}

const commands = /vendorctl (?:auth (?:login|test|status)|profiles show|doctor|quota(?: forget)?)\b(?! --| forget)/g

/** The failure with its advice for the profile and stage in use: another login, key or quota would not help. */
export function nameProfile(failure: CliFailure, {profile, stage}: Named): CliFailure {
  const flags = Object.entries({profile, stage}).flatMap(([name, value]) =>
    typeof value === 'string' ? [` ${flagWord(name, value)}`] : [],
  )
  const named = failure.hints.map((hint) =>
    hasForeign(hint) ? hint : hint.replace(commands, (command) => `${command}${flags.join('')}`),
  )
  failure.hints.splice(0, named.length, ...named)
  return failure
}

/** Whether foreign text is quoted, which may contain what looks like a command of vendorctl. */
function hasForeign(hint: string): boolean {
  return hint.includes("'")
}
