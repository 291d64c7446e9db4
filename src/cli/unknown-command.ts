import {CliFailure} from '../errors.js'
import {suggest} from '../validate/suggest.js'

/** An unknown command is never guessed and run: the nearest one is named, exit 127. `known` are ids. */
export function toUnknownCommand(words: readonly string[], known: readonly string[]): CliFailure {
  const nearest = findNearest(words, known.map(toWords))
  return new CliFailure(`Unknown command "${words.join(' ')}".`, {
    code: 'UNKNOWN_COMMAND',
    exit: 'unknownCommand',
    hints: [nearest ? `Did you mean: vendorctl ${nearest}` : '', 'See all commands with: vendorctl --help'].filter(
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
    hints: [`See: vendorctl ${toWords(id)} --help`],
  })
}

function toWords(id: string): string {
  return id.replaceAll(':', ' ')
}

function findNearest(words: readonly string[], known: readonly string[]): string | undefined {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const nearest = suggest(words.slice(0, count).join(' '), known)
    if (nearest) return nearest
  }

  return undefined
}
