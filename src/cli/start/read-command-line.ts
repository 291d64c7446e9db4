import type {Asked, KnownCommands} from '../app/program.js'
import {asksForHelp} from '../help/help-subject.js'

const versionFlags = ['--version', '-V']

/** Reads the arguments of `vendorctl`. Topics are ids. */
export function readCommandLine(given: readonly string[], commands: KnownCommands, topics: readonly string[]): Asked {
  const args = splitFirst(given)
  const [first = ''] = args
  if (versionFlags.includes(first)) return {kind: 'version'}
  if (asksForHelp(args, {topics: topics.map(toWords), commands: Object.keys(commands).map(toWords)})) {
    return {kind: 'help'}
  }

  const names = namesOf(args)
  const count = countOfCommand(names, commands)
  if (count > 0) return toCommand(args, names, count, commands)
  const topic = names.filter(Boolean).join(':')
  if (topic === '' || topics.includes(topic)) return {kind: 'noCommand', topic, args}
  return {kind: 'unknown', args: names}
}

/** `sites:create` counts as two arguments. */
function splitFirst([first, ...more]: readonly string[]): string[] {
  return first === undefined ? [] : [...(first.startsWith('-') ? [first] : first.split(':')), ...more]
}

/** Arguments up to the first flag. */
function namesOf(args: readonly string[]): string[] {
  const end = args.findIndex((word) => word.startsWith('-'))
  return end === -1 ? [...args] : args.slice(0, end)
}

function countOfCommand(names: readonly string[], commands: KnownCommands): number {
  for (let count = names.length; count > 0; count--) if (Object.hasOwn(commands, toId(names, count))) return count
  return 0
}

function toCommand(args: readonly string[], names: readonly string[], count: number, commands: KnownCommands): Asked {
  const id = toId(names, count)
  const extra = names[count]
  if (extra !== undefined && !commands[id]?.takesArguments) return {kind: 'unexpected', id, argument: extra}
  return {kind: 'command', id, args: args.slice(count)}
}

function toId(names: readonly string[], count: number): string {
  return names.slice(0, count).join(':')
}

function toWords(id: string): string {
  return id.replaceAll(':', ' ')
}
