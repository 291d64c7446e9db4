/** What the program is, in a sentence. */
export const about = 'Bulk operations against the Vendor Interface Service that tell the truth about every row.'

/** What to begin with: the first minute, then the everyday commands. */
export const firstExamples = [
  'vendorctl sandbox start --detach',
  'vendorctl machines list -p sandbox --limit 5',
  'vendorctl sites create --file sites.csv --dry-run',
  'vendorctl reports transactions --start 2024-07 --output-file july.csv',
]

/** Topics and commands of one word by what they are for, in reading order. */
export const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'READ AND WRITE',
    [
      ...['organizations', 'accounts', 'sites', 'machines', 'selections', 'templates', 'products', 'alerts'],
      ...['roles', 'role-rights', 'sessions', 'reports', 'sync', 'sql', 'api'],
    ],
  ],
  ['FILES AND RUNS', ['lint', 'plan', 'runs', 'exports', 'jobs', 'notify', 'quota']],
  ['SET UP', ['auth', 'profiles', 'doctor', 'autocomplete']],
  ['LOOK UP', ['explain', 'contract', 'help']],
  ['TRY', ['sandbox']],
]

export const rootFlags = [
  ['-h, --help', 'Show help for the program or a command.'],
  ['-V, --version', 'Show the version.'],
] as const

export const furtherSteps = [
  ['vendorctl help sites create', 'help for a command: examples, flags, exit codes'],
  ['vendorctl help importing', 'help for a topic, with examples'],
  ['vendorctl explain 7', 'what an exit code or error code means, and what to do'],
  ['vendorctl doctor', 'find out what is wrong between here and the service'],
  ['man vendorctl', 'all of it on one page'],
] as const
