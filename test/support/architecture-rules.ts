/** What each part may import besides itself: folders, files of `src`, or one file of a folder. */
export const mayImport: Record<string, string[]> = {
  contract: [],
  'errors.ts': ['contract'],
  'clock.ts': [],
  'private-folder.ts': ['errors.ts'],
  'sqlite.ts': ['private-folder.ts'], // one door to the database of Node, for what the program keeps and for the sandbox
  values: ['contract', 'errors.ts'],
  validate: ['contract', 'values', 'errors.ts'],
  derive: ['contract', 'values', 'validate/suggest.ts'],
  formats: ['contract', 'errors.ts', 'private-folder.ts', 'values', 'validate/suggest.ts', 'sqlite.ts'],
  state: ['contract', 'errors.ts', 'clock.ts', 'private-folder.ts', 'sqlite.ts', 'values'],
  client: ['contract', 'errors.ts', 'clock.ts', 'values', 'state'],
  bulk: ['contract', 'errors.ts', 'clock.ts', 'validate', 'values', 'formats', 'client', 'state'],
  reports: [
    'contract',
    'errors.ts',
    'clock.ts',
    'private-folder.ts',
    'validate',
    'values',
    'formats',
    'client',
    'state',
  ],
  sandbox: ['contract', 'derive', 'validate', 'values', 'clock.ts', 'errors.ts', 'sqlite.ts'],
  cli: [
    'contract',
    'errors.ts',
    'clock.ts',
    'private-folder.ts',
    'derive',
    'validate',
    'values',
    'formats',
    'state',
    'client',
    'bulk',
    'reports',
    'cli/help',
    'sandbox/control-client.ts', // the profile of the sandbox sends nothing before the sandbox has proven itself
  ],
  'cli/help': ['contract', 'values/truth.ts'],
  library: ['contract', 'errors.ts', 'clock.ts', 'values', 'client', 'reports'],
  'index.ts': ['contract', 'errors.ts', 'clock.ts', 'values', 'client', 'library'],
  commands: ['contract', 'errors.ts', 'derive', 'values', 'formats', 'bulk', 'reports', 'cli'],
  'commands/sandbox': ['contract', 'errors.ts', 'clock.ts', 'values', 'formats', 'cli', 'sandbox'],
}

/** Folders within others that are parts of their own. */
export const ownParts = ['commands/sandbox', 'cli/help']

/** Folders that compute and touch nothing: of Node they may use what has no effect. */
export const pureFolders = ['contract', 'errors.ts', 'values', 'validate', 'derive', 'cli/help']
export const pureModules = ['node:buffer', 'node:util']

/** Where each package and each module of Node with an effect on others may be imported; all others are free. */
export const borders: Record<string, RegExp> = {
  got: /^client\/transport/,
  'https-proxy-agent': /^client\/(transport|proxy)/,
  'proxy-from-env': /^client\/(transport|proxy)/,
  '@oclif/core': /^(cli|commands)\//,
  '@clack/prompts': /^cli\//,
  conf: /^cli\//,
  ora: /^cli\//,
  'cli-table3': /^formats\//, // and not cli: a table is a format like any other, and the prints of cli use it too
  'csv-parse': /^formats\//,
  'csv-stringify': /^formats\//,
  'hyparquet-writer': /^formats\/write-parquet/,
  yazl: /^formats\/write-xlsx/,
  fastify: /^sandbox\//,
  'windows-iana': /^values\/zones/,
  'node:sqlite': /^sqlite\.ts/,
  'node:http': /^(client\/transport|sandbox\/)/,
  'node:https': /^(client\/transport|sandbox\/)/,
  'node:http2': /^client\/transport/,
  'node:net': /^(client\/transport|sandbox\/)/,
  'node:tls': /^(client\/transport|sandbox\/)/,
  'node:dns': /^(client\/transport|cli\/doctor)/, // doctor says whether the name is known before it asks the service
  'node:timers': /^clock\.ts/,
  'node:child_process': /^(cli\/|commands\/sandbox\/)/,
  'node:worker_threads': /^$/,
  'node:vm': /^$/,
}

/** Packages that no command may load before it needs them: they cost more than the rest of the program. */
export const heavy = [
  'got',
  'csv-parse',
  'csv-stringify',
  'cli-table3',
  'hyparquet-writer',
  'yazl',
  'fastify',
  'node:sqlite',
  'ora',
  '@clack/prompts',
]

/** What may be called in one place only. */
export const calls: {what: string; pattern: RegExp; allowed: RegExp}[] = [
  {what: 'console', pattern: /\bconsole\./, allowed: /^$/},
  {what: 'fetch', pattern: /(?<![.\w])fetch\(|globalThis\.fetch/, allowed: /^$/},
  {
    what: 'process.exit',
    pattern: /\bprocess\.(exit\b(?!Code)|abort\b|reallyExit\b)/,
    allowed: /^cli\/(main|signals)\.ts/,
  },
  {what: 'Date.now', pattern: /\bDate\.now\b|\bnew Date\(\)/, allowed: /^clock\.ts/},
  {what: 'performance.now', pattern: /\bperformance\.now\b|\bhrtime\b/, allowed: /^clock\.ts/},
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/,
    allowed: /^(clock|sandbox\/connections)\.ts/,
  }, // a socket has a time of its own
  {
    what: 'Math.random',
    pattern: /\bMath\.random\b/,
    allowed: /^(cli\/(open-client|log-in|run-record|export-run-record)|library\/create-client)\.ts/,
  }, // passed in from there
  {what: 'standard output', pattern: /\bprocess\.stdout\.write\b/, allowed: /^cli\/output\.ts/},
  {what: 'mkdir', pattern: /\bmkdir(Sync)?\(/, allowed: /^private-folder\.ts/}, // recursive, it never ends below /proc
  {what: 'eval', pattern: /\beval\(|\bnew Function\(/, allowed: /^$/},
]

export const anyType = /(?::|\||&|\bas|=>|\btype \w+ =)\s*any\b(?!\s*[(:])|<[^<>()]*\bany\b[^<>()]*>/
export const suppression = /@ts-(ignore|expect-error|nocheck)|biome-ig[n]ore|eslint-dis[a]ble/

export const longest = 200
export const longestCommand = 45

/** Files of nothing but data, which may be longer; contract is data as a whole. */
export const dataFiles: string[] = []

/** Rules broken for a reason, by the words in which the test names them. One that is not needed any more fails. */
export const deviations: Record<string, string> = {
  'src/formats/input-failure.ts: rows of the contract': 'The exit codes are of this program, not of the service.',
}

/** What a command may load before its words were understood: its flags, and what tells that they are wrong. */
export const mayLoadFirst: RegExp[] = [
  /^src\/commands\//,
  /^src\/cli\/([a-z]+-)*flags\.ts$/,
  /^src\/cli\/(base|read|records|bulk|clear|changes|coverage|lint|report|resume|reconcile|summary|undo|verify)-command\.ts$/,
  /^src\/cli\/(check-given|command-name|dashed-values|envelope|environment|error-output|fold-text|help\/terminal|messages|output|parser-words|redact|render-failure|signals|to-cli-failure|wants-json|workflow-log)\.ts$/,
  /^src\/cli\/completion\/shell-names\.ts$/,
  /^src\/contract\//,
  /^src\/errors\.ts$/,
  /^src\/(bulk\/on-error|reports\/summary-keys|formats\/(chunks|names|safe-text)|validate\/suggest|values\/(command-line|json(-numbers)?|secret-forms|truth))\.ts$/,
  /^@oclif\/core$/,
  /^node:util$/,
]
