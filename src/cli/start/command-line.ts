import {asksForHelp} from '../help/help-subject.js'

/** What a command line asks for, before anything of a command is loaded. */
export type Asked =
  | {kind: 'version'}
  | {kind: 'help'}
  | {kind: 'command'; id: string; words: string[]}
  | {kind: 'unexpected'; id: string; argument: string}
  | {kind: 'unknown'; words: string[]}
  | NoCommand

/** Flags without a command: after a topic, whose id it is, or alone. An empty argument names no command. */
export type NoCommand = {kind: 'noCommand'; topic: string; words: readonly string[]}

/** The commands by ids such as `sites:create`. */
export type KnownCommands = Record<string, {takesArguments: boolean}>

const versionFlags = ['--version', '-V']

/** Reads the arguments of `vendorctl`. Topics are ids. */
export function readCommandLine(given: readonly string[], commands: KnownCommands, topics: readonly string[]): Asked {
  const words = splitFirst(given)
  const [first = ''] = words
  if (versionFlags.includes(first)) return {kind: 'version'}
  if (asksForHelp(words, {topics: topics.map(toWords), commands: Object.keys(commands).map(toWords)})) {
    return {kind: 'help'}
  }

  const names = namesOf(words)
  const count = countOfCommand(names, commands)
  if (count > 0) return toCommand(words, names, count, commands)
  const topic = names.filter(Boolean).join(':')
  if (topic === '' || topics.includes(topic)) return {kind: 'noCommand', topic, words}
  return {kind: 'unknown', words: names}
}

/** `sites:create` is two words. */
function splitFirst([first, ...more]: readonly string[]): string[] {
  return first === undefined ? [] : [...(first.startsWith('-') ? [first] : first.split(':')), ...more]
}

/** Words up to the first flag. */
function namesOf(words: readonly string[]): string[] {
  const end = words.findIndex((word) => word.startsWith('-'))
  return end === -1 ? [...words] : words.slice(0, end)
}

function countOfCommand(names: readonly string[], commands: KnownCommands): number {
  for (let count = names.length; count > 0; count--) if (Object.hasOwn(commands, toId(names, count))) return count
  return 0
}

function toCommand(words: readonly string[], names: readonly string[], count: number, commands: KnownCommands): Asked {
  const id = toId(names, count)
  const extra = names[count]
  if (extra !== undefined && !commands[id]?.takesArguments) return {kind: 'unexpected', id, argument: extra}
  return {kind: 'command', id, words: words.slice(count)}
}

function toId(names: readonly string[], count: number): string {
  return names.slice(0, count).join(':')
}

function toWords(id: string): string {
  return id.replaceAll(':', ' ')
}
