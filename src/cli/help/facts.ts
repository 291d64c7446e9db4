import type {CommandFacts} from '../../values/command-facts.js'
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
