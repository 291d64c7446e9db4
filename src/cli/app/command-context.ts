import type {Presented} from './base-command.js'
import type {Envelope} from './envelope.js'
import type {Environment} from './environment.js'
import type {Messages} from './messages.js'

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
