import {flagWord} from '../../core/command-line.js'
import type {CliFailure} from '../../core/errors.js'

export type Named = {profile?: unknown; stage?: unknown}

const commands = /vendorctl (?:auth (?:login|test|status)|profiles show|doctor|quota)\b(?! --)/g

/** Advice is for the profile and the stage that failed: login, key and quota of another one help nothing. */
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

/** Whether something foreign is quoted: what looks like a command of ours may stand in it. */
function hasForeign(hint: string): boolean {
  return hint.includes("'")
}
