import type {ExitName} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {Measures} from '../../jobs/metrics/step-summary.js'
import type {JsonValue} from '../../values/json.js'
import type {HelpFacts} from '../help/facts.js'
import type {Envelope, EnvelopeMeta} from './envelope.js'
import type {Messages} from './messages.js'
import type {WrongArguments} from './usage-error.js'

export type Presented = {
  /** Value of `data` for `--json`; undefined where it was written there already. */
  data: JsonValue | undefined
  /** Printed on standard output without `--json`; undefined when it was streamed already. */
  text?: string | undefined
  meta?: EnvelopeMeta
  exit?: ExitName
  errors?: ErrorEntry[]
  runId?: string
}

/** The commands of the program, for those that run others. */
export type OtherCommands = {
  /** The folder of the package. */
  root: string
  known: () => Promise<HelpFacts['commands']>
  /** Why the arguments of a command, by its id, are wrong; undefined when they are not. Runs nothing. */
  check: (id: string, args: readonly string[]) => Promise<WrongArguments | undefined>
}

/** Tools of a command for the function that does its work, which is loaded only when the flags were understood. */
export type CommandContext = {
  environment: Environment
  clock: Clock
  /** Aborted when this run should start nothing new. */
  signal: AbortSignal
  messages: Messages
  version: string
  /** Name of the command, such as `sites create`. */
  commandName: string
  isJson: boolean
  /** A job prints nothing if all is well. */
  isMailed: boolean
  commands: OtherCommands
  /** The envelope of `--json`. */
  envelope: Envelope | undefined
  /** Shows a warning once, on standard error and in the envelope. */
  caution: (text: string) => void
  /** Sets the source of facts about this run. It is asked again when the run ends, however it does. */
  measure: (measures: () => Measures) => void
  /** Does the work when the command has ended, however it does, and waits for it. */
  atEnd: (work: () => Promise<void>) => void
  /** Ends the command: prints its data or its envelope and sets the exit code. */
  present: (presented: Presented) => Promise<void>
}
