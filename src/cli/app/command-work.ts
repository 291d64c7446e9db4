import type {Presented} from './base-command.js'
import type {CommandContext} from './command-context.js'
import type {Envelope} from './envelope.js'
import type {Environment} from './environment.js'
import type {Messages} from './messages.js'

/** The work of a command: apart from it, so that a command whose words are wrong loads none of it. */
export abstract class CommandWork {
  readonly #context: CommandContext
  #messages: Messages

  constructor(context: CommandContext) {
    this.#context = context
    this.#messages = context.messages
  }

  protected get environment(): Environment {
    return this.#context.environment
  }

  protected get messages(): Messages {
    return this.#messages
  }

  protected set messages(messages: Messages) {
    this.#messages = messages
  }

  protected get commandName(): string {
    return this.#context.commandName
  }

  protected get version(): string {
    return this.#context.version
  }

  protected get isJson(): boolean {
    return this.#context.isJson
  }

  /** Where the records of `--json` go; undefined without it. */
  protected get envelope(): Envelope | undefined {
    return this.#context.envelope
  }

  protected caution(text: string): void {
    this.#context.caution(text)
  }

  protected present(presented: Presented): Promise<void> {
    return this.#context.present(presented)
  }
}
