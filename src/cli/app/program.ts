import type {Config} from '@oclif/core'
import type {Clock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import type {CliFailure} from '../../core/errors.js'
import type {HelpFacts} from '../help/facts.js'
import type {OtherCommands} from './command-context.js'
import type {Envelope} from './envelope.js'
import type {WrongArguments} from './usage-error.js'

/** Request of a command line, before anything of a command is loaded. */
export type Asked =
  | {kind: 'version'}
  | {kind: 'help'}
  | {kind: 'command'; id: string; args: string[]}
  | {kind: 'unexpected'; id: string; argument: string}
  | {kind: 'unknown'; args: string[]}
  | {kind: 'refused'; failure: CliFailure}
  | NoCommand

/** Flags without a command: after a topic, whose id it is, or alone. An empty argument names no command. */
export type NoCommand = {kind: 'noCommand'; topic: string; args: readonly string[]}

/** The commands by ids such as `sites:create`. */
export type KnownCommands = Record<string, {takesArguments: boolean; notifies?: boolean}>

/** The process of a command: what it was started with, and the one envelope, which every ending can close. */
export type CommandStart = {
  args: string[]
  config: Config
  environment: Environment
  clock: Clock
  envelope: Envelope
  commands: OtherCommands
}

/** A command as a class of oclif. */
export type CommandClass = {
  id: string
  /** Runs the command with the arguments after its name. */
  start(given: CommandStart): Promise<void>
  /** Why the arguments after the name of the command are wrong; undefined when they are not. Runs nothing. */
  check(given: Pick<CommandStart, 'args' | 'config'>): Promise<WrongArguments | undefined>
}

/** The facts for help; each command as JSON. */
export type WrittenFacts = Pick<HelpFacts, 'topics' | 'guides'> & {commands: Readonly<Record<string, string>>}

/** Values to complete flags with, as JSON: by kind of value, or by kind and id of a command. */
export type WrittenChoices = {choices: Readonly<Record<string, string>>}

/** The built program: its facts, known without reading a file or loading a command. */
export type Program = {
  version: string
  /** The folder of the package. */
  root: string
  /** Commands by id, such as `sites:create`. */
  commands: KnownCommands
  /** Ids of topics, `machines:custom-data` among them. */
  topics: string[]
  load: Record<string, () => Promise<{default: CommandClass}>>
  /** The facts of the first page of help alone. */
  overview: () => Promise<WrittenFacts>
  facts: () => Promise<WrittenFacts>
  choices: () => Promise<WrittenChoices>
}
