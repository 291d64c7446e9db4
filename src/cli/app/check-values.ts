import {commandLine} from '../../core/command-line.js'
import {toTruth, truthWords} from '../../values/truth.js'
import type {Environment} from './environment.js'
import {usage} from './usage-error.js'
import {beforeDashes} from './wants-json.js'

type FlagFacts = {type: string; char?: string | undefined; env?: string | undefined; multiple?: boolean | undefined}
type Flags = Readonly<Record<string, FlagFacts>>

/**
 * The on-off flags whose variables are on, as arguments, because the parser knows fewer words for "on". Throws `usage`
 * at a variable that is neither on nor off: taken as off, a `--dry-run` that was meant would write.
 */
export function switchesOf(flags: Flags, environment: Environment): string[] {
  return Object.entries(flags).flatMap(([name, {type, env}]) => {
    const text = type === 'boolean' && env !== undefined ? environment[env] : undefined
    return env !== undefined && text && requireTruth(env, text) ? [`--${name}`] : []
  })
}

function requireTruth(name: string, text: string): boolean {
  const truth = toTruth(text)
  if (truth !== undefined) return truth
  throw usage(`${name} is neither true nor false: "${text}".`, `Write one of ${truthWords}.`)
}

/** The variables that gave the values of flags that a message names, as a hint each. */
export function findVariables(message: string, flags: Flags, given: readonly string[], environment: Environment) {
  const named = new Set(message.match(/--[a-z][a-z-]*/g))
  return Object.entries(flags).flatMap(([name, {char, env}]) => {
    const isLong = (each: string) => each === `--${name}` || each.startsWith(`--${name}=`)
    const isGiven = given.some((each) => isLong(each) || (char !== undefined && each.startsWith(`-${char}`)))
    const isVariable = env !== undefined && environment[env] !== undefined && !isGiven && named.has(`--${name}`)
    return isVariable ? [`The value of --${name} comes from the variable ${env}.`] : []
  })
}

/** A variable gives the parser one value of a flag that takes several, and no list. */
export function toLists(values: Record<string, unknown>, flags: Flags): Record<string, unknown> {
  const toList = ([name, value]: [string, unknown]) => [
    name,
    flags[name]?.multiple && typeof value === 'string' ? [value] : value,
  ]
  return Object.fromEntries(Object.entries(values).map(toList))
}

/** Throws `usage` at a flag such as `--constructor`, which the parser finds because every object has it. */
export function refuseInherited(args: readonly string[], flags: Flags, command: string): void {
  const names = beforeDashes(args).map((word) => /^--([^=]+)/.exec(word)?.[1] ?? '')
  const name = names.find((each) => each in flags && !Object.hasOwn(flags, each))
  if (name !== undefined) throw usage(`Unknown flag --${name}.`, `See: ${commandLine(command, [], {help: true})}`)
}

/**
 * Throws `usage` at an empty value, which a shell makes of a variable that is not set. An empty list is for its command
 * to judge.
 */
export function refuseEmpty(given: {flags: object; args: object}): void {
  const flag = findEmpty(given.flags)
  if (flag !== undefined) throw usage(`--${flag} is empty.`, 'Give it a value, or leave it out.')
  const argument = findEmpty(given.args)
  if (argument !== undefined) throw usage(`Argument ${argument.toUpperCase()} is empty.`)
}

function findEmpty(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => value === '')?.[0]
}
