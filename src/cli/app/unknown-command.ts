import {commandLine, shellWord} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {suggest} from '../../values/suggest.js'
import {toWords} from '../help/facts.js'
import type {NoCommand} from '../start/words.js'
import {findLoneFlag, findUsual} from './usual-words.js'

/** An unknown command is never guessed and run: the nearest one is named, exit 127. `known` are ids. */
export function toUnknownCommand(words: readonly string[], known: readonly string[]): CliFailure {
  const nearest = findUsual(words, known) ?? findNearest(words, known.map(toWords))
  return new CliFailure(`Unknown command "${words.join(' ')}".`, {
    code: 'UNKNOWN_COMMAND',
    exit: 'unknownCommand',
    hints: [nearest ? `Did you mean: ${commandLine(nearest)}` : '', 'See all commands with: vendorctl --help'].filter(
      Boolean,
    ),
  })
}

/** Words about which there is no help, as they were asked: after `help` or before `--help`. */
export function toUnknownSubject(words: readonly string[], known: readonly string[]): CliFailure {
  const subject = words.filter((word, index) => !word.startsWith('-') && !(index === 0 && word === 'help'))
  return toUnknownCommand(subject, known)
}

/** A word behind a command that takes none. */
export function toWordTooMany(id: string, word: string): CliFailure {
  return new CliFailure(`"${toWords(id)}" takes no word "${word}".`, {
    code: 'USAGE',
    exit: 'usage',
    hints: [`See: ${commandLine(toWords(id), [], {help: true})}`],
  })
}

/** A flag, or an empty word, where a command must stand. `known` are ids. */
export function toNoCommand({topic, words}: NoCommand, known: readonly string[]): CliFailure {
  const [flag] = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/, ''))
  return topic === '' ? toFlagFirst(flag, words, known) : toTopicAlone(topic, known)
}

function toTopicAlone(topic: string, known: readonly string[]): CliFailure {
  const own = known.filter((id) => id.startsWith(`${topic}:`)).map((id) => toWords(id.slice(topic.length + 1)))
  return new CliFailure(`"${toWords(topic)}" is no command by itself; it has: ${own.join(', ')}.`, {
    code: 'USAGE',
    exit: 'usage',
    hints: [`See: ${commandLine(toWords(topic), [], {help: true})}`],
  })
}

function toFlagFirst(flag: string | undefined, words: readonly string[], known: readonly string[]): CliFailure {
  const ordered = flag === undefined ? undefined : putCommandFirst(words, known)
  const misspelled = flag === undefined || ordered ? undefined : findLoneFlag(flag)
  const meant = misspelled ?? (words.length === 1 && flag === '-v' ? '--version' : undefined)
  const why = flag === undefined ? 'an empty word names none' : `flags stand behind it, and "${flag}" comes first`
  return new CliFailure(misspelled ? `Unknown flag ${flag}.` : `No command: ${why}.`, {
    code: 'USAGE',
    exit: 'usage',
    hints: [
      meant ? `Did you mean ${meant}?` : '',
      ordered ? `Write: ${ordered}` : 'See all commands with: vendorctl --help',
    ].filter(Boolean),
  })
}

/** The same words with the command in front; undefined when none is among them. */
function putCommandFirst(words: readonly string[], known: readonly string[]): string | undefined {
  for (let start = 1; start < words.length; start++) {
    for (let end = words.length; end > start; end--) {
      if (!known.includes(words.slice(start, end).join(':'))) continue
      const command = commandLine(words.slice(start, end).join(' '))
      return [command, ...[...words.slice(0, start), ...words.slice(end)].map(shellWord)].join(' ')
    }
  }

  return undefined
}

function findNearest(words: readonly string[], known: readonly string[]): string | undefined {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const nearest = suggest(words.slice(0, count).join(' '), known)
    if (nearest) return nearest
  }

  return undefined
}
