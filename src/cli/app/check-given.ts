import {CliFailure} from '../../core/errors.js'
import {toTruth, truthWords} from '../../values/truth.js'

type FlagFacts = {type: string; env?: string | undefined}
type Variables = Record<string, string | undefined>

/**
 * Writes the variables of on-off flags as the parser reads them. Throws `usage` at a word that says neither: taken as
 * off, a `--dry-run` that was meant would write.
 */
export function settleTruths(flags: Readonly<Record<string, FlagFacts>>, variables: Variables): void {
  for (const {type, env} of Object.values(flags)) {
    const text = type === 'boolean' && env !== undefined ? variables[env] : undefined
    if (env !== undefined && text) variables[env] = String(requireTruth(env, text))
  }
}

function requireTruth(name: string, text: string): boolean {
  const truth = toTruth(text)
  if (truth !== undefined) return truth
  throw usage(`${name} is neither true nor false: "${text}".`, [`Write one of ${truthWords}.`])
}

/**
 * Throws `usage` at a value that is empty, which a shell makes of a variable that is not set. Lists say themselves what
 * an empty one means.
 */
export function refuseEmpty(given: {flags: object; args: object}): void {
  const flag = findEmpty(given.flags)
  if (flag !== undefined) throw usage(`--${flag} is empty.`, ['Give it a value, or leave it out.'])
  const word = findEmpty(given.args)
  if (word !== undefined) throw usage(`The word ${word.toUpperCase()} is empty.`, [])
}

function findEmpty(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => value === '')?.[0]
}

function usage(message: string, hints: string[]): CliFailure {
  return new CliFailure(message, {code: 'USAGE', exit: 'usage', hints})
}
