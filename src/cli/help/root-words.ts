/** What the program is, in a sentence. */
export const about = 'Bulk operations against the Vendor Interface Service that tell the truth about every row.'

/** What to begin with: a whole first minute, then the everyday commands. */
export const firstExamples = [
  'vendorctl sandbox start --detach',
  'vendorctl machines list -p sandbox --limit 5',
  'vendorctl sites create --file sites.csv --dry-run',
  'vendorctl reports transactions --start 2024-07 --output-file july.csv',
]

/** Topics and commands of one word by what they are for, in reading order. */
export const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['READ AND WRITE', ['organizations', 'accounts', 'sites', 'machines', 'alerts', 'reports', 'api']],
  ['FILES AND RUNS', ['lint', 'runs', 'quota']],
  ['SET UP', ['auth', 'profiles', 'doctor', 'autocomplete']],
  ['LOOK UP', ['explain', 'contract', 'help']],
  ['TRY', ['sandbox']],
]

export const rootFlags = [
  ['-h, --help', 'Help of the program, of a topic or of a command.'],
  ['-V, --version', 'The version.'],
] as const

export const environment = [
  [
    'VENDORCTL_<FLAG>',
    'Any flag, such as VENDORCTL_PROFILE; on-off flags take 1, true, yes, y, on and 0, false, no, n, off. A flag wins over it; it wins over the profile.',
  ],
  ['VENDORCTL_API_KEY', 'API key; VENDORCTL_API_KEY_FILE names a file of it. No flag takes a secret.'],
  ['VENDORCTL_USERNAME', 'User name; also as VENDORCTL_USERNAME_FILE.'],
  ['VENDORCTL_PASSWORD', 'Password; also as VENDORCTL_PASSWORD_FILE.'],
  ['NO_COLOR, FORCE_COLOR', 'No colours; colours without a terminal, too.'],
  ['CI', 'Set by CI systems: nobody is asked, so a write of more than one record needs --yes.'],
  ['HTTPS_PROXY, NO_PROXY', 'The way to the service.'],
] as const

export const furtherSteps = [
  ['vendorctl help sites create', 'help of a command: examples, flags, exit codes'],
  ['vendorctl explain 7', 'what an exit code or an error code means, and what to do'],
  ['vendorctl doctor', 'find out what is wrong between here and the service'],
  ['man vendorctl', 'all of it on one page'],
] as const
