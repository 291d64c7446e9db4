import type {Presented} from './base-command.js'
import type {Envelope} from './envelope.js'
import type {Environment} from './environment.js'
import type {Messages} from './messages.js'

/** What a command lends to its work, which is loaded only when its words were understood. */
export type Host = {
  environment: Environment
  messages: Messages
  /** Version of the program. */
  version: string
  /** Words of the command, such as `sites create`. */
  commandName: string
  isJson: boolean
  /** Of `--json`. */
  envelope: Envelope | undefined
  caution: (text: string) => void
  present: (presented: Presented) => Promise<void>
  /** From then on everything is said through them, a failure of the command too. */
  useMessages: (messages: Messages) => void
}
