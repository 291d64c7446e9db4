/** Facts about a flag for help and manual, as oclif's manifest has them. */
export type FlagFacts = {
  name: string
  type: string
  char?: string
  description?: string
  summary?: string
  env?: string
  helpGroup?: string
  helpValue?: string | readonly string[]
  options?: readonly string[]
  default?: unknown
  required?: boolean
  multiple?: boolean
  hidden?: boolean
  aliases?: readonly string[]
  deprecateAliases?: boolean
  exclusive?: readonly string[]
  dependsOn?: readonly string[]
}

export type ArgumentFacts = {
  name: string
  description?: string
  required?: boolean
  multiple?: boolean
  hidden?: boolean
  options?: readonly string[]
}

/** Facts about a command for help: an entry of oclif's manifest, of which nothing else is looked at. */
export type CommandFacts = {
  summary?: string
  description?: string
  /** Templates such as `<%= config.bin %> <%= command.id %> --all`. */
  examples?: readonly unknown[]
  args?: Readonly<Record<string, ArgumentFacts>>
  flags?: Readonly<Record<string, FlagFacts>>
  hidden?: boolean
  strict?: boolean
}

/** `sites:create` as people write it. */
export function toCommandName(id: string): string {
  return id.replaceAll(':', ' ')
}
