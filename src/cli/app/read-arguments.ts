import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {usage} from '../../core/errors.js'
import {isOn, toTruth, truthWords} from '../../values/truth.js'

type FlagFacts = {
  type: string
  char?: string | undefined
  aliases?: readonly string[] | undefined
  env?: string | undefined
  multiple?: boolean | undefined
}

/** The flags of a command, by name. */
export type Flags = Readonly<Record<string, FlagFacts>>

/** The arguments before `--`, in which flags are looked for. */
export function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

/** The last value of a flag, and the arguments without it. Throws `usage` where it has none. */
export function takeFlag(args: readonly string[], flag: string): {value: string | undefined; rest: string[]} {
  const rest: string[] = []
  let value: string | undefined
  for (let place = 0; place < args.length; place++) {
    const arg = args[place] ?? ''
    if (arg === '--') return {value, rest: [...rest, ...args.slice(place)]}
    if (arg === `--${flag}`) value = requireValue(args[++place], flag)
    else if (arg.startsWith(`--${flag}=`)) value = requireValue(arg.slice(flag.length + 3), flag)
    else rest.push(arg)
  }

  return {value, rest}
}

function requireValue(value: string | undefined, flag: string): string {
  if (value && !value.startsWith('--')) return value
  throw usage(`--${flag} has no value.`, 'Give it a value, or leave it out.')
}

/** Whether --json is on, before flags are parsed, so that usage errors are JSON too. */
export function wantsJson(args: readonly string[], environment: Environment): boolean {
  return beforeDashes(args).includes('--json') || isOn(environment['VENDORCTL_JSON'])
}

/** Arguments as the parser takes them, with the switches that variables turn on. Throws `usage` where one is unclear. */
export function toArguments(
  args: readonly string[],
  flags: Flags,
  {environment, command}: {environment: Environment; command: string},
): string[] {
  const given = [...switchesOf(flags, environment), ...args]
  refuseInherited(given, flags, command)
  return markDashed(given, flags)
}

/** Turns what was parsed into what was typed. Throws `usage` at an empty value. */
export function settleParsed(parsed: {flags: object; args: object}, flags: Flags): void {
  Object.assign(parsed.flags, toLists(unmarkDashed(parsed.flags), flags))
  refuseEmpty(parsed)
}

/** A character that no command line can contain. */
const mark = '\0'

/**
 * Arguments in which no value looks like a flag to the parser, which refuses `--sort=-orgId` because there is a flag
 * `-o`. The next argument is a value, too, unless it is exactly a flag.
 */
export function markDashed(args: readonly string[], flags: Flags): string[] {
  const marked: string[] = []
  for (let place = 0; place < args.length; place++) {
    const arg = args[place] ?? ''
    if (arg === '--') return [...marked, ...args.slice(place)]
    const [, name = '', equals, value = ''] = /^(--[^=]+|-[^-])(=?)(.*)$/s.exec(arg) ?? []
    const isOption = findFlag(name, flags)?.type === 'option'
    const next = args[place + 1]
    if (isOption && (equals || value) && isLikeFlag(value, flags)) marked.push(`${name}=${mark}${value}`)
    else if (isOption && arg === name && next !== undefined && isDashedValue(next, flags)) {
      marked.push(arg, `${mark}${next}`)
      place++
    } else marked.push(arg)
  }

  return marked
}

/** The values of flags as they were typed. */
export function unmarkDashed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, unmark(value)]))
}

/** A message that quotes a value. */
export function unmarkText(text: string): string {
  return text.replaceAll(mark, '')
}

function unmark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmark)
  return typeof value === 'string' ? unmarkText(value) : value
}

function isLikeFlag(value: string, flags: Flags): boolean {
  return value !== '-' && findFlag(value.startsWith('--') ? value : value.slice(0, 2), flags) !== undefined
}

/** Whether `-orgId` after a flag is its value; `-o` and `--output` are flags themselves, and the value is missing. */
function isDashedValue(arg: string, flags: Flags): boolean {
  return /^-[^-]./s.test(arg) && isLikeFlag(arg, flags)
}

function findFlag(arg: string, flags: Flags): FlagFacts | undefined {
  const isLong = arg.startsWith('--')
  const name = arg.slice(isLong ? 2 : 1)
  if (!arg.startsWith('-')) return undefined
  if (isLong && Object.hasOwn(flags, name)) return flags[name]
  return Object.values(flags).find(({char, aliases}) => (isLong ? aliases?.includes(name) : char === name))
}

/**
 * The on-off flags whose variables are on, as arguments, because the parser knows fewer words for "on". Throws `usage`
 * at a variable that is neither on nor off: taken as off, a `--dry-run` that was meant would write.
 */
function switchesOf(flags: Flags, environment: Environment): string[] {
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

/** A variable gives the parser one value of a flag that takes several, and no list. */
function toLists(values: Record<string, unknown>, flags: Flags): Record<string, unknown> {
  const toList = ([name, value]: [string, unknown]) => [
    name,
    flags[name]?.multiple && typeof value === 'string' ? [value] : value,
  ]
  return Object.fromEntries(Object.entries(values).map(toList))
}

/** Throws `usage` at a flag such as `--constructor`, which the parser finds because every object has it. */
export function refuseInherited(args: readonly string[], flags: Flags, command: string): void {
  const names = beforeDashes(args).map((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? '')
  const name = names.find((each) => each in flags && !Object.hasOwn(flags, each))
  if (name !== undefined) throw usage(`Unknown flag --${name}.`, `See: ${commandLine(command, [], {help: true})}`)
}

/**
 * Throws `usage` at an empty value, which a shell makes of a variable that is not set. An empty list is for its command
 * to judge.
 */
function refuseEmpty(given: {flags: object; args: object}): void {
  const flag = findEmpty(given.flags)
  if (flag !== undefined) throw usage(`--${flag} is empty.`, 'Give it a value, or leave it out.')
  const argument = findEmpty(given.args)
  if (argument !== undefined) throw usage(`Argument ${argument.toUpperCase()} is empty.`)
}

function findEmpty(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => value === '')?.[0]
}
