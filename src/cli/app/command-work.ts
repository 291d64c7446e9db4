import type {Presented} from './base-command.js'
import type {Host} from './command-context.js'
import type {Envelope} from './envelope.js'
import type {Environment} from './environment.js'
import type {Messages} from './messages.js'

/** The work of a command: apart from it, so that a command whose words are wrong loads none of it. */
export abstract class CommandWork {
  readonly #host: Host
  #messages: Messages

  constructor(host: Host) {
    this.#host = host
    this.#messages = host.messages
  }

  protected get environment(): Environment {
    return this.#host.environment
  }

  protected get messages(): Messages {
    return this.#messages
  }

  protected set messages(messages: Messages) {
    this.#messages = messages
    this.#host.useMessages(messages)
  }

  protected get commandName(): string {
    return this.#host.commandName
  }

  protected get version(): string {
    return this.#host.version
  }

  protected get isJson(): boolean {
    return this.#host.isJson
  }

  /** Where the records of `--json` go; undefined without it. */
  protected get envelope(): Envelope | undefined {
    return this.#host.envelope
  }

  protected caution(text: string): void {
    this.#host.caution(text)
  }

  protected present(presented: Presented): Promise<void> {
    return this.#host.present(presented)
  }
}
