import type {CommandFacts} from '../help/facts.js'
import type {WrittenFacts} from '../start/program.js'

/** The words of the program. Ids have colons, as in `machines:list`. */
export type Facts = {
  readonly commands: readonly string[]
  /** What each topic holds, by its id. */
  readonly topics: Readonly<Record<string, string>>
  /** All about one command; asked for only when it matters. */
  readonly command: (id: string) => CommandFacts | undefined
}

export function toFacts({topics, commands}: WrittenFacts): Facts {
  return {
    commands: Object.keys(commands),
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, {description = ''}]) => [name.replaceAll(' ', ':'), description]),
    ),
    command: (id) => (Object.hasOwn(commands, id) ? (JSON.parse(commands[id] ?? '') as CommandFacts) : undefined),
  }
}
