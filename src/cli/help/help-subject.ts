import {isGuide} from './facts.js'

const helpFlags = ['--help', '-h']
/** Flags that do not change the request. */
const neutralFlags = [...helpFlags, '--no-color']

/** The names that help knows, with spaces: `sites create`. */
export type KnownNames = {topics: readonly string[]; commands: readonly string[]}

export type HelpSubject = {kind: 'root'} | {kind: 'topic' | 'command' | 'guide'; name: string}

/**
 * Whether arguments ask for help: there are none, `help` is the first, `--help` or `-h` comes before a `--`, or they
 * name a topic and no command. Any other flag behind a topic asks for work: its command was forgotten.
 */
export function asksForHelp(args: readonly string[], known: KnownNames): boolean {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  if (own[0] === 'help' || own.some((arg) => helpFlags.includes(arg))) return true
  const asked = args.filter((arg) => !neutralFlags.includes(arg))
  if (asked.length === 0) return true
  if (asked.some((arg) => arg === '' || arg.startsWith('-'))) return false
  const named = leadingNames(asked).join(' ')
  return known.topics.includes(named) && !known.commands.includes(named)
}

/** Subject of a request for help; undefined for an unknown command or topic. Arguments after a command are ignored. */
export function findSubject(args: readonly string[], known: KnownNames): HelpSubject | undefined {
  const [first, ...rest] = args.filter((arg) => !neutralFlags.includes(arg))
  const names = leadingNames(
    first === 'help' && !asksAboutHelp(rest, args) ? rest : first === undefined ? [] : [first, ...rest],
  )
  if (names.length === 0) return {kind: 'root'}
  for (let count = names.length; count > 0; count--) {
    const name = names.slice(0, count).join(' ')
    if (known.commands.includes(name)) return {kind: 'command', name}
    if (count === names.length && known.topics.includes(name)) return {kind: 'topic', name}
  }

  const [name = ''] = names
  return names.length === 1 && isGuide(name) ? {kind: 'guide', name} : undefined
}

/** `help --help` is about the command help itself. */
function asksAboutHelp(rest: readonly string[], args: readonly string[]): boolean {
  return rest.length === 0 && args.length > 1
}

/** The arguments before the first flag; names may also be joined by colons. */
function leadingNames(args: readonly string[]): string[] {
  const flag = args.findIndex((arg) => arg.startsWith('-'))
  return (flag === -1 ? args : args.slice(0, flag)).flatMap((arg) => arg.split(':')).filter(Boolean)
}
