/** What the program is, in a sentence. */
export const about = 'Bulk operations against the Vendor Interface Service that tell the truth about every row.'

/** What to begin with: something to try, the real service, a first read. */
export const firstExamples = [
  'vendorctl sandbox start --detach',
  'vendorctl auth login',
  'vendorctl machines list --limit 5',
]

/** Topics and commands of one word that are shown with what they do, in reading order. */
export const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'READ AND WRITE',
    [
      ...['organizations', 'accounts', 'sites', 'machines', 'selections', 'templates', 'products', 'alerts'],
      ...['roles', 'role-rights', 'sessions', 'reports', 'sync', 'sql', 'api'],
    ],
  ],
  ['FILES AND RUNS', ['lint', 'plan', 'runs', 'exports', 'jobs', 'notify', 'quota']],
]

/** What is shown by name alone, in the same order. */
export const further: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['set up', ['auth', 'profiles', 'doctor', 'autocomplete']],
  ['try, look up', ['sandbox', 'explain', 'contract', 'help']],
]
