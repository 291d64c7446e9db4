import {exitsOf} from '../../src/cli/help/exits-of-command.js'
import {exitCodes} from '../../src/contract/index.js'
import {toCommandName} from '../../src/values/command-facts.js'
import {commandIds, facts} from '../cli/help/facts.js'

/** The exit codes that the help of the command names; undefined for words that name no command. */
export function namedExits(words: readonly string[]): number[] | undefined {
  const text = `${words.join(' ')} `
  const id = commandIds
    .filter((each) => text.startsWith(`${toCommandName(each)} `))
    .sort((one, other) => other.length - one.length)[0]
  const command = id === undefined ? undefined : facts.commands[id]
  return id === undefined || command === undefined
    ? undefined
    : exitsOf(id, command).map((name) => exitCodes[name].code)
}
