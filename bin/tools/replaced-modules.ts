import {normalize} from 'node:path'
import {fileURLToPath} from 'node:url'

/** The file that imports a module, what it imports, and what stands in its place. */
type Entry = readonly [importer: RegExp, asked: string, code: string]

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const file = (path: string) => JSON.stringify(here(`node_modules/${path}`))
const coreFile = (name: string) => file(`@oclif/core/lib/${name}`)

const nothing = 'export default undefined'
const noColors = 'export const colorize = (_color, text) => text; export const ux = {}'
const noDebug = 'export default () => Object.assign(() => undefined, {enabled: false})'
const noHttp2 = 'export class Http2ServerResponse {}; export const constants = {}; export default {}'
const noHook = 'export default () => undefined'
const noCache = 'export class CacheError extends Error {}; export default class {}'

/**
 * Modules that are slow to load and that no command calls. None has to do with TLS, certificates or parsing, and one
 * that is imported no more fails the build.
 */
export const partsOfHttp: Entry[] = [
  [/got.dist.source.core.index\.js$/, 'node:http2', noHttp2],
  [/got.dist.source.core.index\.js$/, 'cacheable-request', noCache],
  [/got.dist.source.core.index\.js$/, './utils/decompress-response.js', nothing],
  [/got.dist.source.core.options\.js$/, './utils/http2-client.js', nothing],
  [/got.dist.source.core.options\.js$/, './utils/dns-cache.js', nothing],
  [/https-proxy-agent.dist.index\.js$/, 'debug', noDebug],
]

/**
 * Schemas, migrations and watched files, of which profiles and credentials have none; and a hook that takes over every
 * signal, so that a file at its size limit would end the program instead of failing.
 */
export const partsOfSettings: Entry[] = [
  [/conf.dist.source.index\.js$/, 'ajv/dist/2020.js', 'export class Ajv2020 {}'],
  [/conf.dist.source.index\.js$/, 'ajv-formats', nothing],
  [/conf.dist.source.index\.js$/, 'semver', nothing],
  [/conf.dist.source.index\.js$/, 'debounce-fn', nothing],
  [/atomically.dist.utils.temp\.js$/, 'when-exit', noHook],
]

/** Metrics of the process, servers and pushes; the file holds gauges only. */
export const partsOfMetrics: Entry[] = ['pushgateway', 'defaultMetrics', 'cluster', 'histogram', 'summary'].map(
  (name) => [/prom-client.index\.js$/, `./lib/${name}`, nothing],
)

/** Node has the checksum of zip files, and counts it ten times as fast. */
export const partsOfWorkbooks: Entry[] = [
  [
    /yazl.index\.js$/,
    'buffer-crc32',
    "import {crc32} from 'node:zlib'; export const unsigned = (bytes, sum) => crc32(bytes, sum)",
  ],
]

/** The program measures plain texts many times as fast as the library, and all others as it does. */
export const partsOfTables: Entry[] = [
  [
    /cli-table3.src.utils\.js$/,
    'string-width',
    `module.exports = require(${JSON.stringify(here('build/core/text-width.js'))}).widthOf`,
  ],
]

/** The package has the same code twice, to be chosen when it is loaded. */
export const partsOfZones: Entry[] = [
  [/build.values.zones\.js$/, 'windows-iana', `export * from ${file('windows-iana/dist/windows-iana.esm.js')}`],
]

/** Another client, pools, password files with warnings of their own, and sockets of a service that has no others. */
export const partsOfPostgres: Entry[] = [
  [/pg.lib.index\.js$/, './native', nothing],
  [/pg.lib.index\.js$/, 'pg-pool', 'module.exports = class {}'],
  [/pg.lib.client\.js$/, 'pgpass', nothing],
  [/pg.lib.stream\.js$/, 'pg-cloudflare', nothing],
]

/** Finding commands in files and printing help was done by the build, or is done by this program. */
export const partsOfCommands: Entry[] = [
  [
    /build.(cli|commands)./,
    '@oclif/core',
    `export {Command} from ${coreFile('command.js')}
     export * as Errors from ${coreFile('errors/index.js')}
     export * as Flags from ${coreFile('flags.js')}
     export * as Args from ${coreFile('args.js')}`,
  ],
  [/core.lib.command\.js$/, './config', 'export const Config = {load: async (config) => config}'],
  [/core.lib.command\.js$/, './ux', noColors],
  [/core.lib.flags\.js$/, './help', nothing],
  [/core.lib.errors.index\.js$/, './handle', nothing],
  [/core.lib.parser.parse\.js$/, 'node:readline', nothing], // no argument is read from standard input
  [/core.lib.util.fs\.js$/, 'node:fs/promises', nothing], // no flag asks whether its file exists
  [/core.lib.parser.help\.js$/, '../ux', noColors],
  [/core.lib.parser.errors\.js$/, '../ux/theme', noColors],
  [/core.lib.errors.errors.cli\.js$/, '../../ux/theme', noColors],
  [/core.lib.logger\.js$/, 'debug', noDebug],
  [/core.lib.help.util\.js$/, 'ejs', nothing],
]

/** Bundles without those modules. */
export function replaceModules(entries: readonly Entry[]) {
  const used = new Set<number>()
  return {
    name: 'replaced-modules',
    resolveId(id: string, importer = ''): string | undefined {
      const place = entries.findIndex(([file, asked]) => asked === id && file.test(normalize(importer)))
      if (place === -1) return undefined
      used.add(place)
      return `\0replaced:${place}:${id}`
    },
    load(id: string): string | undefined {
      const [, place] = /^\0replaced:(\d+):/.exec(id) ?? []
      return place === undefined ? undefined : entries[Number(place)]?.[2]
    },
    buildEnd(error?: Error): void {
      const unused = entries.filter((_, place) => !used.has(place))
      if (error || unused.length === 0) return
      const lines = unused.map(([file, asked]) => `  ${file} imports ${asked}`)
      throw new Error(`No module was found of which bin/tools/replaced-modules.ts says:\n${lines.join('\n')}`)
    },
  }
}
