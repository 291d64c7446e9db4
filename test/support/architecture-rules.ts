const pure = ['contract', 'core', 'values']

/** What each part may import besides itself: folders of `src`, or one file of a folder. */
export const mayImport: Record<string, string[]> = {
  contract: [],
  core: ['contract'],
  values: ['contract', 'core'],
  validate: pure,
  derive: pure,
  http: pure,
  quota: [...pure, 'shared', 'http'],
  shared: pure,
  formats: [...pure, 'validate'],
  client: [...pure, 'http', 'quota'],
  runs: [...pure, 'derive', 'validate', 'formats', 'client', 'quota'],
  reports: [...pure, 'shared', 'validate', 'formats', 'client', 'quota'],
  jobs: [...pure, 'validate', 'formats', 'http', 'client', 'quota', 'reports'],
  mirror: [...pure, 'derive', 'validate', 'formats', 'client', 'quota', 'reports'],
  settings: [...pure, 'shared', 'http', 'client', 'quota'],
  activities: [...pure, 'runs', 'reports'],
  sandbox: [...pure, 'derive', 'validate'],
  cli: [
    ...[...pure, 'shared', 'derive', 'validate', 'formats', 'http', 'quota', 'client', 'runs', 'reports', 'jobs'],
    ...['mirror', 'settings', 'activities', 'cli/help'],
  ],
  'cli/help': ['contract', 'values', 'core'],
  library: [...pure, 'http', 'quota', 'client', 'runs', 'reports'],
  'index.ts': [...pure, 'http', 'quota', 'client', 'library'],
  commands: [...pure, 'derive', 'formats', 'runs', 'reports', 'settings', 'activities', 'cli'],
  'commands/sandbox': [...pure, 'formats', 'cli', 'sandbox'],
}

/** Files of a folder at most. */
export const fullest = 40

/** Folders within others that are parts of their own. */
export const ownParts = ['commands/sandbox', 'cli/help']

/** Folders that compute and touch nothing: of Node they may use what has no effect. */
export const pureFolders = ['contract', 'values', 'validate', 'derive', 'cli/help']
export const pureModules = ['node:buffer', 'node:util']

/** Where each package and each module of Node with an effect on others may be imported; all others are free. */
export const borders: Record<string, RegExp> = {
  got: /^http\/transport/,
  'https-proxy-agent': /^http\/(transport|proxy)/,
  'proxy-from-env': /^http\/(transport|proxy)/,
  '@oclif/core': /^(cli|commands)\//,
  '@clack/prompts': /^cli\//,
  conf: /^settings\/store/,
  ora: /^cli\//,
  'string-width': /^core\/text-width/,
  'cli-table3': /^formats\//,
  'csv-parse': /^formats\//,
  'csv-stringify': /^formats\//,
  'd3-format': /^formats\/write\/html\//,
  'd3-scale': /^formats\/write\/html\//,
  'd3-shape': /^formats\/write\/html\//,
  'hyparquet-writer': /^formats\/write\/parquet\//,
  saxes: /^formats\/read\/workbook-parts/,
  yaml: /^(formats\/|jobs\/(file\/yaml-entries|setup\/cron-job))/,
  yauzl: /^formats\/read\/workbook-parts/,
  'prom-client': /^jobs\/metrics\//,
  yazl: /^formats\/write\/xlsx\/xlsx-book/,
  fastify: /^sandbox\//,
  'windows-iana': /^values\/zones/,
  pg: /^core\/postgres/,
  'pg-copy-streams': /^core\/postgres/,
  'pg-cursor': /^core\/postgres/,
  'node:sqlite': /^core\/sqlite\.ts/,
  'node:http': /^(http\/transport|sandbox\/|cli\/sandbox\/control-client)/,
  'node:https': /^(http\/transport|sandbox\/)/,
  'node:http2': /^http\/transport/,
  'node:net': /^(http\/transport|sandbox\/|core\/postgres)/,
  'node:tls': /^(http\/transport|sandbox\/|core\/postgres)/,
  'node:dns': /^(http\/transport|cli\/info\/doctor)/, // doctor says whether the name is known before it asks the service
  'node:timers': /^core\/clock\.ts/,
  'node:child_process': /^(cli\/|settings\/credentials|commands\/sandbox\/|jobs\/|runs\/plan\/check-approval)/,
  'node:worker_threads': /^$/,
  'node:vm': /^$/,
}

/** What a module may do to others, by the heading of the page about security: packages, and names of `node:fs`. */
export const effects: Record<string, {modules: string[]; names?: RegExp}> = {
  'Starts programs': {modules: ['node:child_process', 'node:cluster', 'node:worker_threads']},
  'Connects or listens': {
    modules: [
      ...['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls'],
      ...['node:dgram', 'node:dns', 'node:dns/promises'],
      ...['got', 'https-proxy-agent', 'fastify', 'pg', 'pg-cursor', 'pg-copy-streams'],
    ],
  },
  'Opens, changes or removes files': {
    modules: ['node:sqlite', 'conf'],
    names:
      /\b(open|write|append|createWrite|rename|rm|unlink|copyFile|cp|mkdir|mkdtemp|symlink|link|truncate|ftruncate|f?chmod|f?chown|f?utimes)/,
  },
}

/** Where operation ids may stand as texts; everything else asks the rows of the contract. */
export const mayNameOperations = /^src\/(contract|commands|sandbox\/handlers)\//

/** Packages that no command may load before it needs them: they cost more than the rest of the program. */
export const heavy = [
  ...['got', 'csv-parse', 'csv-stringify', 'd3-format', 'd3-scale', 'd3-shape', 'hyparquet-writer', 'saxes', 'yaml'],
  ...['yauzl', 'yazl', 'fastify', 'node:sqlite', 'pg', 'pg-copy-streams', 'pg-cursor', 'ora', '@clack/prompts'],
  'prom-client',
]

/** What may be called in one place only. */
export const calls: {what: string; pattern: RegExp; allowed: RegExp}[] = [
  {what: 'console', pattern: /\bconsole\./, allowed: /^$/},
  {what: 'fetch', pattern: /(?<![.\w])fetch\(|globalThis\.fetch/, allowed: /^$/},
  {
    what: 'process.exit',
    pattern: /\bprocess\.(exit\b(?!Code)|abort\b|reallyExit\b)/,
    allowed: /^cli\/app\/(main|signals)\.ts/,
  },
  {what: 'Date.now', pattern: /\bDate\.now\b|\bnew Date\(\)/, allowed: /^core\/clock\.ts/},
  {what: 'performance.now', pattern: /\bperformance\.now\b|\bhrtime\b/, allowed: /^core\/clock\.ts/},
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/,
    allowed: /^(core\/clock|sandbox\/wire\/connections|sandbox\/connections)\.ts/,
  }, // a socket has a time of its own
  {
    what: 'Math.random',
    pattern: /\bMath\.random\b/,
    allowed: /^(core\/run-id|cli\/(client\/open-client|login\/log-in)|library\/create-client)\.ts/,
  }, // passed in from there
  {what: 'standard output', pattern: /\bprocess\.stdout\.write\b/, allowed: /^cli\/terminal\/output\.ts/},
  {what: 'mkdir', pattern: /\bmkdir(Sync)?\(/, allowed: /^core\/private-file\.ts/}, // recursive, it never ends below /proc
  {
    what: 'state of a module',
    pattern:
      /^let |^const (?!none)\w+(: [^=\n]+)? = new (AbortController|EventEmitter|((Weak)?(Map|Set)|Array)(<[^\n]*>)?\(\))/m,
    allowed:
      /^(core\/version|reports\/read\/key-set|runs\/rows\/merge-fields|validate\/check-bounds|values\/zones)\.ts/,
  }, // results that never change are kept there; other state is made with createProcessState, and `none…` is empty
  {what: 'eval', pattern: /\beval\(|\bnew Function\(/, allowed: /^$/},
]

export const anyType = /(?::|\||&|\bas|=>|\btype \w+ =)\s*any\b(?!\s*[(:])|<[^<>()]*\bany\b[^<>()]*>/
export const suppression = /@ts-(ignore|expect-error|nocheck)|biome-ig[n]ore|eslint-dis[a]ble/

export const longest = 350
/** Imports of a file of `cli`: it asks, calls one engine and shows. */
export const mostImports = 15

export const longestCommand = 45

/** Files of nothing but data, which may be longer; contract is data as a whole. */
export const dataFiles: string[] = []

/** Rules broken for a reason, by the words in which the test names them. One that is not needed any more fails. */
export const deviations: Record<string, string> = {
  'src/formats/read/input-failure.ts: rows of the contract': 'The exit codes are of this program, not of the service.',
}

/** What a command may load before its words were understood: its flags, and what tells that they are wrong. */
export const mayLoadFirst: RegExp[] = [
  /^src\/commands\//,
  /^src\/cli\/[a-z]+\/([a-z]+-)*flags\.ts$/,
  /^src\/cli\/start\/(base|read|write)-command\.ts$/,
  /^src\/cli\/(app\/|terminal\/|help\/)(read-arguments|envelope|error-output|fold-text|terminal-look|messages|output|usage-error|signals)\.ts$/,
  /^src\/cli\/completion\/shells\/shell\.ts$/,
  /^src\/contract\//,
  /^src\/core\/(environment|errors|command-line|process-state|redact|secret-forms|text-width)\.ts$/,
  /^src\/(runs\/rows\/on-error|validate\/locales|reports\/summary\/summary-keys|formats\/(outputs\/format-table|names|safe-text)|formats\/write\/(chunks|html\/page-data)|values\/(counted|json|place|suggest|truth))\.ts$/,
  /^@oclif\/core$/,
  /^node:util$/,
  /^string-width$/,
]

/** Files under 40 lines that one other imports, and why each is an idea of its own; twenty at the most. */
export const smallFiles: Readonly<Record<string, string>> = {
  'src/http/proxy-agent.ts': 'loads its package only behind a proxy',
  'src/cli/summary/summary-flags.ts': 'flags load before their work',
  'src/cli/start/find-help.ts': 'loads only where help is asked for',
  'src/cli/start/help-class.ts': 'the class that oclif asks for',
  'src/derive/mirror/time-zones.ts': 'a table of the mirror',
}
