import {existsSync, readFileSync} from 'node:fs'
import {normalize} from 'node:path'
import {fileURLToPath} from 'node:url'
import {dts} from 'rolldown-plugin-dts'
import {readGuides} from './read-guides.js'
import {billOfMaterials, listModules, logNotices, notices} from './release/third-party.js'
import {
  partsOfCommands,
  partsOfHttp,
  partsOfMetrics,
  partsOfPostgres,
  partsOfSettings,
  partsOfTables,
  partsOfWorkbooks,
  partsOfZones,
  replaceModules,
} from './replaced-modules.ts'

const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path) => JSON.parse(readFileSync(here(path), 'utf8'))
const {version, oclif} = read('package.json')
const {commands} = read('oclif.manifest.json')

/** A topic that package.json does not describe is described by its first command. */
const topics = {...oclif.topics}
for (const {id, summary} of Object.values(commands)) {
  const topic = id.split(':').slice(0, -1).join(' ')
  if (topic !== '' && !(topic.replaceAll(' ', ':') in commands)) topics[topic] ??= {description: summary}
}

const text = JSON.stringify

/** Commands that notify by themselves; others that have the flag run in a process that is watched. */
const watchers = ['jobs:run', 'notify:test']

/** The program: commands and topics as data, and how each command is loaded. Help needs no class of a command. */
function describeProgram() {
  const known = Object.entries(commands).map(([id, {args, flags}]) => {
    const notifies = 'notify-url' in flags && !watchers.includes(id)
    return [id, {takesArguments: Object.keys(args).length > 0, ...(notifies && {notifies})}]
  })
  const files = Object.values(commands).filter(({id}) => id !== 'help')
  const load = files.map(({id, relativePath}) => `${text(id)}: () => import(${text(here(relativePath.join('/')))})`)
  return `
    import {start} from ${text(here('build/cli/start/start.js'))}
    const program = {
      version: ${text(version)},
      commands: ${text(Object.fromEntries(known))},
      topics: ${text(Object.keys(topics).map((name) => name.replaceAll(' ', ':')))},
      load: {${load.join(', ')}},
      overview: () => import('virtual:overview'),
      facts: () => import('virtual:facts'),
      choices: () => import('virtual:choices'),
    }
    export default (words, root, leave) => start(words, {...program, root}, leave)`
}

/** The facts of the first page of help, which are a fiftieth of all. */
function describeOverview() {
  const summaries = Object.values(commands).map(({id, summary, hidden}) => [id, text({summary, hidden})])
  return `
    export const topics = ${text(topics)}
    export const guides = {}
    export const commands = ${text(Object.fromEntries(summaries))}`
}

/** The facts that help shows; each command as text, since most runs read one of them at most. */
function describeFacts() {
  const facts = ({summary, description, examples, args, flags, strict}) => {
    return text({summary, description, examples, args, flags, strict})
  }
  return `
    export const topics = ${text(topics)}
    export const guides = ${text(readGuides())}
    export const commands = ${text(Object.fromEntries(Object.values(commands).map((each) => [each.id, facts(each)])))}`
}

const {writeChoices} = await import(`file://${here('build/cli/completion/contract-values.js')}`)
const {faultNames} = await import(`file://${here('build/sandbox/faults/faults.js')}`)

/** Modules written by the build: by the name that is imported, or by the file of the program that one replaces. */
const written = {
  'virtual:program': describeProgram(),
  'virtual:overview': describeOverview(),
  'virtual:facts': describeFacts(),
  'virtual:choices': `export const choices = ${text(writeChoices(Object.keys(commands), ['reset', ...faultNames]))}`,
  'virtual:none': 'export class None {format(words) {return words.join()}}',
  [here('build/core/version.js')]: `
    export const version = () => ${text(version)}
    export const userAgent = () => ${text(`vendorctl/${version}`)}`,
}

const writtenModules = {
  name: 'written-modules',
  resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : undefined),
  load: (id) => written[normalize(id.replace('\0', ''))],
}

/**
 * Globals that libraries name without need: no body of a request is one of the first two, which load all of fetch, and
 * the third, for the message of a wrong option, loads the language data of Node.
 */
const unneeded = ['FormData', 'ReadableStream', 'Intl.ListFormat']
const transform = {inject: Object.fromEntries(unneeded.map((name) => [name, ['virtual:none', 'None']]))}

/** What the start of a single job needs of what all commands load. */
const ofSingleJobs = [
  'core/command-line',
  'jobs/notify/channel',
  'values/counted',
  'values/json',
  'values/place',
  'values/suggest',
]

/** Modules that are loaded together share a file: loading a file takes as long as loading 10 kB of code. */
const loadedTogether = {
  start: ['cli/start/start', 'cli/help/facts', 'cli/help/help-page', 'cli/help/terminal-look', 'values/truth'],
  completion: ['cli/completion/answer-completion'],
  contract: [
    ...['contract/index', 'core/errors', 'core/folders', ...ofSingleJobs],
    ...['core/environment', 'cli/app/messages', 'core/redact', 'cli/terminal/signals', 'cli/app/read-arguments'],
    ...['cli/terminal/error-output', 'core/clock', 'jobs/notify/tail', 'values/counted'],
  ],
  base: ['cli/start/main', 'cli/start/base-command', 'cli/start/end-command', 'cli/app/flags'],
  'read-flags': ['cli/start/read-command', 'cli/read/read-flags', 'cli/jobs/jobs-flags'],
  'write-flags': ['cli/start/write-command', 'cli/write/write-flags'],
  'report-flags': ['cli/reports/export-flags'],
  private: ['core/private-file', 'core/durations', 'jobs/split-arguments'],
  names: ['core/private-name'],
  jobs: ['core/lock-holder', 'http/address'],
  state: ['core/lock', 'core/state-file', 'core/machine'],
  activities: ['reports/register/start-activity'],
  watch: ['jobs/notify/watch', 'cli/jobs/run-own-command'],
  notify: [
    ...['start-watched', 'notify-values', 'notice-needs'].map((name) => `cli/jobs/${name}`),
    'jobs/notify/notice',
    ...['outbox', 'send-url', 'notifier'].map((name) => `jobs/notify/${name}`),
  ],
  client: [
    'cli/client/open-client',
    'cli/read/list-records',
    'cli/terminal/simple-table',
    'cli/terminal/prompt',
    'settings/database',
    'client/client',
    'quota/ledger-file',
    'formats/write/chunks',
    'formats/write/dialect',
  ],
  files: ['formats/files/atomic-file', 'formats/files/part-file'],
  input: ['open-input', 'read-csv', 'read-json', 'read-rows', 'sniff'].map((name) => `formats/read/${name}`),
  zones: ['values/zones'],
  explain: ['derive/explain'],
  journal: [
    ...['cli/write/own-runs', 'activities/what-ran', 'runs/journal/load-run'],
    ...['runs/report/run-account', 'runs/report/next-step'],
  ],
  writes: ['cli/write/write-from-file', 'cli/write/clear-found-alerts'],
  runs: ['cli/recover/resume-run', 'cli/recover/reconcile-run', 'cli/recover/undo-run'],
  reports: ['cli/reports/read-as-asked', 'cli/reports/export-to-file', 'cli/reports/coverage', 'reports/export/export'],
}
const groups = [
  {name: 'postgres', test: /node_modules.(pg|pg-[a-z-]+|postgres-[a-z]+|xtend)[\\/]|build.core.postgres/, priority: 1},
  {name: 'got', test: /node_modules.(got|uint8array-extras)./, priority: 1},
  ...Object.entries(loadedTogether).map(([name, files], place) => ({
    name,
    test: toPattern(files),
    priority: 99 - place,
  })),
]

function toPattern(files) {
  for (const file of files.filter((file) => !existsSync(here(`build/${file}.js`)))) {
    throw new Error(`src/${file}.ts is not there; bin/tools/rolldown.config.js names it in loadedTogether.`)
  }
  return new RegExp(`[\\\\/]build[\\\\/](${files.join('|').replaceAll('/', '.')})\\.js$`)
}

const program = {
  input: {program: 'virtual:program'},
  platform: 'node',
  plugins: [
    writtenModules,
    replaceModules([
      ...[...partsOfHttp, ...partsOfSettings, ...partsOfMetrics],
      ...[...partsOfPostgres, ...partsOfWorkbooks, ...partsOfTables, ...partsOfZones, ...partsOfCommands],
    ]),
    notices,
    billOfMaterials,
    listModules(here('build/modules-of-program.json')),
  ],
  transform,
  onLog: logNotices,
  checks: {ineffectiveDynamicImport: false, pluginTimings: false},
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    codeSplitting: {groups},
    minify: {compress: false, mangle: false, codegen: {removeWhitespace: true}}, // names stay readable in stack traces
  },
}

/** The library for other programs, which shares no file with the program. */
const library = {
  input: {index: 'build/index.js'},
  platform: 'node',
  plugins: [writtenModules, replaceModules(partsOfHttp), listModules(here('build/modules-of-library.json'))],
  transform,
  output: ['mjs', 'cjs'].map((ending) => ({
    dir: 'dist/library',
    format: ending === 'cjs' ? 'cjs' : 'esm',
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name].${ending}`,
  })),
}

/** The types of the library, from the declarations of the compiler. */
const types = {
  input: {index: 'build/index.d.ts'},
  plugins: [dts({dtsInput: true, emitDtsOnly: true, generator: 'oxc'}), {name: 'door', generateBundle: addDoor}],
  output: {dir: 'dist/library', format: 'esm', entryFileNames: '[name].cts'},
}

/** One set of types for both kinds of programs. */
function addDoor() {
  this.emitFile({type: 'asset', fileName: 'index.d.mts', source: "export * from './index.cjs'\n"})
}

export default [program, library, types]
