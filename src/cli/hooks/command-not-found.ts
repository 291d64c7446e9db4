import type {Hook} from '@oclif/core'
import {CliFailure} from '../../errors.js'
import {suggest} from '../../validate/suggest.js'

/** An unknown command is never guessed and run: the nearest one is named, exit 127. */
const hook: Hook.CommandNotFound = async ({argv, config, id}) => {
  const words = [...id.split(':'), ...(argv ?? [])].filter((word) => !word.startsWith('-'))
  const commands = config.commands.filter(({hidden}) => !hidden).map((command) => command.id.replaceAll(':', ' '))
  const topics = config.topics.map(({name}) => name.replaceAll(':', ' '))
  const parts = id.split(':')
  const count = parts.findLastIndex((_, index) => config.findCommand(parts.slice(0, index).join(':')))
  if (count > 0) throw wordTooMany(parts.slice(0, count).join(' '), parts[count] ?? '')
  const nearest = findNearest(words, [...commands, ...topics])
  throw new CliFailure(`Unknown command "${id.replaceAll(':', ' ')}".`, {
    code: 'UNKNOWN_COMMAND',
    exit: 'unknownCommand',
    hints: [nearest ? `Did you mean: vendorctl ${nearest}` : '', 'See all commands with: vendorctl --help'].filter(
      Boolean,
    ),
  })
}

function wordTooMany(command: string, word: string): CliFailure {
  return new CliFailure(`"${command}" takes no word "${word}".`, {
    code: 'USAGE',
    exit: 'usage',
    hints: [`See: vendorctl ${command} --help`],
  })
}

function findNearest(words: readonly string[], known: readonly string[]): string | undefined {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const nearest = suggest(words.slice(0, count).join(' '), known)
    if (nearest) return nearest
  }

  return undefined
}

export default hook
