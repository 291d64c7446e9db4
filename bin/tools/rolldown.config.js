import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {normalize} from 'node:path'
import {fileURLToPath} from 'node:url'
import {dts} from 'rolldown-plugin-dts'
import {billOfMaterials, listModules, notices, tellNotices} from './release/third-party.js'

const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path) => JSON.parse(readFileSync(here(path), 'utf8'))
const {version, oclif} = read('package.json')
const {commands} = read('oclif.manifest.json')
const coreFile = (name) => here(`node_modules/@oclif/core/lib/${name}`)

const text = JSON.stringify

/** In its place comes the digest of all that was built, which tells this build from every other. */
const markPlace = 'mark-of-build-0'

/** What is known of the program without loading a command of it. The command `help` is answered without its class. */
function describeProgram() {
  const known = Object.entries(commands).map(([id, {args}]) => [id, {takesWords: Object.keys(args).length > 0}])
  const files = Object.values(commands).filter(({id}) => id !== 'help')
  const load = files.map(({id, relativePath}) => `${text(id)}: () => import(${text(here(relativePath.join('/')))})`)
  return `
    import {start} from ${text(here('build/cli/start/start.js'))}
    const program = {
      version: ${text(version)},
      commands: ${text(Object.fromEntries(known))},
      topics: ${text(Object.keys(oclif.topics).map((name) => name.replaceAll(' ', ':')))},
      load: {${load.join(', ')}},
      facts: () => import('virtual:facts'),
      choices: () => import('virtual:choices'),
    }
    export default (words, root, leave, beforeWork) =>
      start(words, {...program, root}, leave, (kind) => beforeWork?.(kind, ${text(markPlace)}))`
}

/** What help says of commands and topics; of each command as text, since most runs read one of them at most. */
function describeFacts() {
  const facts = ({summary, description, examples, args, flags, strict}) => {
    return text({summary, description, examples, args, flags, strict})
  }
  return `
    export const topics = ${text(oclif.topics)}
    export const commands = ${text(Object.fromEntries(Object.values(commands).map((each) => [each.id, facts(each)])))}`
}

const {writeChoices} = await import(`file://${here('build/cli/completion/contract-values.js')}`)

/** Modules that the build writes. */
const written = {
  'virtual:program': describeProgram(),
  'virtual:facts': describeFacts(),
  'virtual:choices': `export const choices = ${text(writeChoices(Object.keys(commands)))}`,
  /** What of oclif runs a command. Finding commands in files and printing help is done by the build. */
  '@oclif/core': `
    export {Command} from ${text(coreFile('command.js'))}
    export * as Flags from ${text(coreFile('flags.js'))}
    export * as Args from ${text(coreFile('args.js'))}`,
  'virtual:config': 'export const Config = {load: async (config) => config}',
  'virtual:none': 'export default undefined',
  /** Messages of oclif become messages of ours, which choose their own colours. */
  'virtual:plain': 'export const colorize = (_color, text) => text; export const ux = {}',
  'virtual:quiet': 'export default () => Object.assign(() => undefined, {enabled: false})',
  /** HTTP/2 is not asked for, and is dear to load. */
  'virtual:http2': 'export class Http2ServerResponse {}; export const constants = {}; export default {}',
  'virtual:cache': 'export class CacheError extends Error {}; export default class {}',
  /** Loaded for an address with https. */
  'virtual:tls': 'export const checkServerIdentity = undefined',
  'virtual:https': `
    export default {get request() { return process.getBuiltinModule('node:https').request }}`,
}

/** What no command of ours calls, and by what it is replaced: by file and by what it asks for. */
const replaced = [
  [/core.lib.command\.js$/, './config', 'virtual:config'],
  [/core.lib.flags\.js$/, './help', 'virtual:none'],
  [/core.lib.errors.index\.js$/, './handle', 'virtual:none'],
  [/core.lib.help.util\.js$/, 'ejs', 'virtual:none'],
  [/node_modules.got.dist./, 'node:http2', 'virtual:http2'],
  [/got.dist.source.core.options\.js$/, './utils/http2-client.js', 'virtual:http2'],
  [/got.dist.source.core.options\.js$/, './utils/dns-cache.js', 'virtual:none'],
  [/got.dist.source.core.options\.js$/, 'node:https', 'virtual:https'],
  [/got.dist.source.core.options\.js$/, 'node:tls', 'virtual:tls'],
  [/got.dist.source.core.index\.js$/, './utils/decompress-response.js', 'virtual:none'],
  [/got.dist.source.core.index\.js$/, 'cacheable-request', 'virtual:cache'],
  [/core.lib.command\.js$/, './ux', 'virtual:plain'],
  [/core.lib.parser.help\.js$/, '../ux', 'virtual:plain'],
  [/core.lib.parser.errors\.js$/, '../ux/theme', 'virtual:plain'],
  [/core.lib.errors.errors.cli\.js$/, '../../ux/theme', 'virtual:plain'],
  [/core.lib.logger\.js$/, 'debug', 'virtual:quiet'],
  [/node_modules.https-proxy-agent.dist./, 'debug', 'virtual:quiet'],
]

/** What libraries do when they are loaded or at each request, and what takes a third of a start: by file. */
const eased = [
  /** Words for a list of types: made when a type is wrong. */
  [
    /sindresorhus.is.distribution.index\.js$/,
    /(?<== )(new Intl\.ListFormat\([^)]*\));/g,
    '{format: (types) => $1.format(types)};',
  ],
  /** For files in flags and for questions, of which there are none here. */
  [
    /core.lib.(parser.parse|util.fs)\.js$/,
    /const (\w+) = require\("(node:readline|node:fs\/promises)"\);/g,
    'const $1 = new Proxy({}, {get: (_, name) => require("$2")[name]});',
  ],
  /** TLS is for https alone. Node uses a connection again only with this very function of its own. */
  [
    /got.dist.source.core.options\.js$/,
    /(?<=https\.checkServerIdentity \?\? )checkServerIdentity\b/g,
    "(url.protocol === 'https:' ? process.getBuiltinModule('node:tls').checkServerIdentity : undefined)",
  ],
  /** Naming such a class loads all of fetch: named when there is an object of it. */
  [
    /node_modules.got.dist.source.core.index\.js$/,
    /([\w.]+) instanceof (FormData|ReadableStream)\b/g,
    "(Object.prototype.toString.call($1) === '[object $2]' && $1 instanceof $2)",
  ],
]

const versionModule = `
  export const version = () => ${text(version)}
  export const userAgent = () => ${text(`vendorctl/${version}`)}`

const builtIn = {
  name: 'built-in',
  resolveId(id, importer = '') {
    const [, , other = id] = replaced.find(([file, asked]) => asked === id && file.test(importer)) ?? []
    return other in written ? `\0${other}` : other === id ? undefined : other
  },
  load(id) {
    if (normalize(id) === here('build/http/version.js')) return versionModule
    return id.startsWith('\0') ? written[id.slice(1)] : undefined
  },
  transform(code, id) {
    const found = eased.find(([file]) => file.test(id))
    if (!found) return undefined
    const [, costly, easy] = found
    if (code.search(costly) === -1) throw new Error(`${id} does not hold what was dear in it: see whether it is mended`)
    return {code: code.replaceAll(costly, easy), map: null}
  },
}

const mark = {
  name: 'mark',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({type}) => type === 'chunk')
    const digest = createHash('sha256')
    for (const {fileName, code} of chunks.sort((a, b) => (a.fileName < b.fileName ? -1 : 1)))
      digest.update(fileName + code)
    const main = chunks.find(({code}) => code.includes(markPlace))
    main.code = main.code.replace(markPlace, digest.digest('hex').slice(0, markPlace.length))
  },
}

/** Modules that are loaded together lie together, with all that they load: each file costs as much as 10 kB of code. */
const groups = [
  ['start', /build.cli.(start.(start|words)|app.folders)\.js$/],
  ['completion', /build.cli.completion.main\.js$/],
  ['contract', /build.(contract.index|core.errors|cli.help.(terminal|facts))\.js$/],
  ['base', /build.cli.app.(main|run-command|base-command|flags)\.js$/],
  ['read-command', /build.cli.read.(read-command|read-flags)\.js$/],
  ['bulk-command', /build.cli.write.(bulk-command|bulk-flags|clear-command)\.js$/],
  ['report-command', /build.cli.(reports.(report-command|export-flags)|recover.settle-flags)\.js$/],
  [
    'client',
    /build.(cli.(client.open-client|read.read-work)|client.client|quota.open-ledger|formats.write.chunks)\.js$/,
  ],
  ['got', /node_modules.(got|uint8array-extras)./],
  ['files', /build.formats.files.(whole|part)-file\.js$/],
  ['bulk', /build.cli.write.(bulk|clear)-work\.js$/],
  ['runs', /build.cli.recover.(resume|reconcile|undo)-work\.js$/],
  ['reports', /build.(cli.reports.(export|report|coverage)-work|reports.export.export)\.js$/],
].map(([name, test], index) => ({name, test, priority: 99 - index}))

const program = {
  input: {program: 'virtual:program'},
  platform: 'node',
  plugins: [builtIn, notices, billOfMaterials, listModules(here('build/modules-of-program.json')), mark],
  onLog: tellNotices,
  checks: {ineffectiveDynamicImport: false, pluginTimings: false},
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name].cjs',
    codeSplitting: {groups},
    minify: {compress: false, mangle: false, codegen: {removeWhitespace: true}}, // names stay, for those who look for a fault
  },
}

/** What other programs import or require: modules of its own, so that they load nothing of the program. */
const library = {
  input: {index: 'build/index.js'},
  platform: 'node',
  plugins: [builtIn, listModules(here('build/modules-of-library.json'))],
  output: ['mjs', 'cjs'].map((ending) => ({
    dir: 'dist/library',
    format: ending === 'cjs' ? 'cjs' : 'esm',
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name].${ending}`,
  })),
}

/** Its types, of the declarations that the compiler made. */
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
