import type {Config} from '@oclif/core'
import type {BaseCommand} from '../app/base-command.js'
import type {HelpFacts} from '../help/facts.js'
import type {KnownCommands} from './read-command-line.js'

/** A command as a class of oclif. */
export type CommandClass = (new (
  args: string[],
  config: Config,
) => BaseCommand) &
  Pick<typeof BaseCommand, 'id' | 'start' | 'check'>

/** The facts for help; each command as JSON. */
export type WrittenFacts = Pick<HelpFacts, 'topics' | 'guides'> & {commands: Readonly<Record<string, string>>}

/** Values to complete flags with, as JSON: by kind of value, or by kind and id of a command. */
export type WrittenChoices = {choices: Readonly<Record<string, string>>}

/** The built program: its facts, known without reading a file or loading a command. */
export type Program = {
  version: string
  /** The folder of the package. */
  root: string
  /** By id, such as `sites:create`. */
  commands: KnownCommands
  /** Ids of topics, `machines:custom-data` among them. */
  topics: string[]
  /** Loads the module of a command. */
  load: Record<string, () => Promise<{default: CommandClass}>>
  facts: () => Promise<WrittenFacts>
  choices: () => Promise<WrittenChoices>
}
