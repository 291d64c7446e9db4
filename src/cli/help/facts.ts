/** What help and manual say of a flag, as oclif's manifest has it. */
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

/** What help says of a command: an entry of oclif's manifest, of which nothing else is looked at. */
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

/** All that help is made of. Names and ids may be joined by colons or by spaces. */
export type HelpFacts = {
  version: string
  topics: Readonly<Record<string, {description?: string}>>
  commands: Readonly<Record<string, CommandFacts>>
  /** The text of each guide in Markdown, by its name. */
  guides: Readonly<Record<string, string>>
}

export type Terminal = {width: number; color: boolean}

/** Facts from their JSON by ids, each read when it is looked at first. */
export function readFacts(texts: Readonly<Record<string, string>>): Readonly<Record<string, CommandFacts>> {
  const read = {}
  for (const [id, text] of Object.entries(texts)) {
    let facts: CommandFacts | undefined
    const get = () => {
      facts ??= JSON.parse(text) as CommandFacts
      return facts
    }
    Object.defineProperty(read, id, {enumerable: true, get})
  }

  return read
}

/** `sites:create` as people write it. */
export function toWords(id: string): string {
  return id.replaceAll(':', ' ')
}

/** The guides that help has besides commands, in reading order; the text of each is `guides/NAME.md`. */
export const guides = {
  importing: 'Check a file, send it in sets, and fix what was refused.',
  exporting: 'Read lists and reports completely, and prove it.',
  prices: 'Prices, stock, planograms, settings and rights of machines, in bulk.',
  database: 'Mirror everything into SQLite or PostgreSQL, and ask it in SQL.',
  scheduling: 'Jobs that cron, systemd, GitHub Actions or Windows run every night.',
  clusters: 'Many machines, one budget: Kubernetes, Airflow, Dagster and backfills.',
  ci: 'Checks and writes in GitHub Actions, GitLab and containers.',
  recovery: 'Interrupted writes, rows in doubt, and undo.',
  requests: 'Rate limits, the daily quota, retries, and requests of your own.',
  library: 'The same client in your own program, as an npm package with types.',
  environment: 'Variables, settings, secrets, files and folders.',
  formats: 'Output formats, spreadsheets, databases, and how digits are kept.',
  compatibility: 'What later versions keep, what may change, and upgrades.',
  words: 'What the words of this program mean, in one line each.',
} as const satisfies Record<string, string>

export type GuideName = keyof typeof guides

export const guideNames = Object.keys(guides) as GuideName[]

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(guides, name)
}
