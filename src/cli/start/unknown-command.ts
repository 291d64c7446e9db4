import {commandLine, shellQuote} from '../../core/command-line.js'
import {CliFailure, usage} from '../../core/errors.js'
import {toCommandName} from '../../values/command-facts.js'
import {suggest} from '../../values/suggest.js'
import type {NoCommand} from '../app/program.js'
import {guideNames, isGuide} from '../help/facts.js'

const seeAll = 'See all commands with: vendorctl --help'

/** Flags that need no command. */
const loneFlags = ['--version', '--help']

/** The names that other programs have for commands and flags of this one. */
const usualNames: Record<string, string> = {
  version: '--version',
  ver: '--version',
  completion: 'autocomplete',
  completions: 'autocomplete',
}

/** First words that users try, with the commands that do the task. */
const tasks: Record<string, readonly string[]> = {
  export: ['reports transactions', 'sites list', 'help exporting'],
  config: ['profiles show', 'profiles set'],
  status: ['auth status', 'runs list', 'doctor'],
  stock: ['selections list', 'selections adjust', 'help prices'],
  move: ['machines update', 'help prices'],
}

/** The failure for an unknown command, exit 127: the nearest command is named, never run. `known` are ids. */
export function toUnknownCommand(args: readonly string[], known: readonly string[]): CliFailure {
  const [meant, ...others] = findTask(args) ?? findEndings(args, known) ?? [toNearest(args, known)]
  return new CliFailure(`Unknown command "${args.join(' ')}".`, {
    code: 'UNKNOWN_COMMAND',
    hints: [
      ...(meant ? [`Did you mean: ${commandLine(meant)}`] : []),
      ...others.map((other) => `Or: ${commandLine(other ?? '')}`),
      seeAll,
    ],
  })
}

function findTask([first = '']: readonly string[]): readonly string[] | undefined {
  return Object.hasOwn(tasks, first) ? tasks[first] : undefined
}

/** The commands that end in the first word, such as `undo`; undefined when many do. `known` are ids. */
function findEndings([first = '']: readonly string[], known: readonly string[]): readonly string[] | undefined {
  const found = known.includes(first) ? [] : known.filter((id) => id.endsWith(`:${first}`)).map(toCommandName)
  return found.length > 0 && found.length < 4 ? found : undefined
}

function toNearest(args: readonly string[], known: readonly string[]): string | undefined {
  const found = findUsual(args, known) ?? findNearest(args, [...known.map(toCommandName), ...guideNames])
  return found !== undefined && isGuide(found) ? `help ${found}` : found
}

/** The failure for help on an unknown command, asked for with `help` or `--help`. */
export function toUnknownSubject(args: readonly string[], known: readonly string[]): CliFailure {
  const subject = args.filter((arg, index) => !arg.startsWith('-') && !(index === 0 && arg === 'help'))
  return toUnknownCommand(subject, known)
}

/** The failure for an argument after a command that takes none. */
export function toUnexpectedArgument(id: string, argument: string): CliFailure {
  return usage(`Unexpected argument: ${argument}`, seeHelp(id))
}

/** The failure for flags, or an empty argument, where a command is expected. `known` are ids. */
export function toNoCommand({topic, args}: NoCommand, known: readonly string[]): CliFailure {
  const [flag] = args.filter((arg) => arg.startsWith('-')).map((arg) => arg.replace(/=.*$/, ''))
  return topic === '' ? toFlagFirst(flag, args, known) : toTopicAlone(topic, known)
}

function toTopicAlone(topic: string, known: readonly string[]): CliFailure {
  const own = known.filter((id) => id.startsWith(`${topic}:`)).map((id) => toCommandName(id.slice(topic.length + 1)))
  return usage(`"${toCommandName(topic)}" needs a command: ${own.join(', ')}.`, seeHelp(topic))
}

function toFlagFirst(flag: string | undefined, args: readonly string[], known: readonly string[]): CliFailure {
  if (flag === undefined) return usage('The command is empty.', seeAll)
  const ordered = putCommandFirst(args, known)
  if (ordered) return usage('Put flags after the command.', `Write: ${ordered}`)
  const misspelled = flag.startsWith('--') ? suggest(flag, loneFlags) : undefined
  if (misspelled) return usage(`Unknown flag ${flag}.`, `Did you mean ${misspelled}?`, seeAll)
  const meant = args.length === 1 && flag === '-v' ? ['Did you mean --version?'] : []
  const example = `${commandLine('sites list')} ${shellQuote(flag)}`
  return usage(`Put flags after the command, e.g. ${example}.`, ...meant, seeAll)
}

function seeHelp(id: string): string {
  return `See: ${commandLine(toCommandName(id), [], {help: true})}`
}

/** The command line with the command first; undefined when there is no command in it. */
function putCommandFirst(args: readonly string[], known: readonly string[]): string | undefined {
  for (let start = 1; start < args.length; start++) {
    for (let end = args.length; end > start; end--) {
      if (!known.includes(args.slice(start, end).join(':'))) continue
      const command = commandLine(args.slice(start, end).join(' '))
      return [command, ...[...args.slice(0, start), ...args.slice(end)].map(shellQuote)].join(' ')
    }
  }

  return undefined
}

function findNearest(args: readonly string[], known: readonly string[]): string | undefined {
  for (let count = Math.min(args.length, 3); count > 0; count--) {
    const nearest = suggest(args.slice(0, count).join(' '), known)
    if (nearest) return nearest
  }

  return undefined
}

/** The command that other programs have under another name; undefined when there is none. `known` are ids. */
function findUsual(args: readonly string[], known: readonly string[]): string | undefined {
  const [first = ''] = args
  if (args.length === 1 && Object.hasOwn(usualNames, first)) return usualNames[first]
  const named = args.slice(0, -1)
  return args.at(-1) === 'help' && known.includes(named.join(':')) ? `${named.join(' ')} --help` : undefined
}
