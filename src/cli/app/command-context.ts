import type {ExitName} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import type {Envelope, EnvelopeMeta} from './envelope.js'
import type {Environment} from './environment.js'
import type {Messages} from './messages.js'

export type Presented = {
  /** What `--json` shows as `data`; undefined where it was written there already. */
  data: JsonValue | undefined
  /** Printed on standard output without `--json`; undefined when it was streamed already. */
  text?: string | undefined
  meta?: EnvelopeMeta
  exit?: ExitName
  errors?: ErrorEntry[]
  runId?: string
}

/** What a command hands to the function that does its work, which is loaded only when the flags were understood. */
export type CommandContext = {
  environment: Environment
  messages: Messages
  /** Version of the program. */
  version: string
  /** Name of the command, such as `sites create`. */
  commandName: string
  isJson: boolean
  /** Of `--json`. */
  envelope: Envelope | undefined
  /** Shows a warning once, on standard error and in the envelope. */
  caution: (text: string) => void
  /** Ends the command: prints its data or its envelope and sets the exit code. */
  present: (presented: Presented) => Promise<void>
}
