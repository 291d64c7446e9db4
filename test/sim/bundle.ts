import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {type Plugin, rolldown} from 'rolldown'
import * as parts from '../../bin/tools/replaced-modules.js'

/** A change of the one place in the source that reads like this, wherever it is by now. */
type Patch = {from: string; to: string}

/** CommonJS texts, each to be called anew for a life or a world. */
export type Bundle = {program: string; sandbox: string; published: string}

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const text = JSON.stringify

const hasAny = (some: object) => Object.keys(some).length > 0

type Known = {id: string; args: object; flags: object; relativePath: string[]}

/** Commands of jobs, whose flags a jobs file is checked against. */
const ofJobs = ['reports:transactions', 'alerts:create', 'sync']

function describeProgram(): string {
  const {oclif} = JSON.parse(readFileSync(here('package.json'), 'utf8')) as {oclif: {topics: object}}
  type Manifest = {commands: Record<string, Known>}
  const {commands} = JSON.parse(readFileSync(here('oclif.manifest.json'), 'utf8')) as Manifest
  const describe = ({args, flags}: Known) => ({takesArguments: hasAny(args), notifies: 'notify-url' in flags})
  const known = Object.fromEntries(Object.values(commands).map((command) => [command.id, describe(command)]))
  const facts = Object.fromEntries(ofJobs.map((id) => [id, text(commands[id])]))
  const toSource = ([, ...path]: string[]) => here(['src', ...path].join('/').replace(/js$/, 'ts'))
  const load = Object.values(commands)
    .filter(({id}) => id !== 'help')
    .map(({id, relativePath}) => `${text(id)}: () => import(${text(toSource(relativePath))})`)
  return `
    import {start} from ${text(here('src/cli/start/start.ts'))}
    const program = {
      version: '0.0.0',
      commands: ${text(known)},
      topics: ${text(Object.keys(oclif.topics).map((name) => name.replaceAll(' ', ':')))},
      load: {${load.join(', ')}},
      facts: async () => ({topics: {}, guides: [], commands: ${text(facts)}}),
      choices: async () => ({choices: {}}),
    }
    export default (words, root, leave) => start(words, {...program, root}, leave)`
}

/** What stands in for the network: everything else of the program is its own. */
const transport = `
  import {toTransportFailure} from ${text(here('src/http/transport-failure.ts'))}
  export const createTransport = (environment, onNotice) => simulatedTransport(toTransportFailure)`

/** What stands in for the driver of PostgreSQL and its connections. */
const postgres = `
  import * as failures from ${text(here('src/core/postgres-failure.ts'))}
  import {createSession} from ${text(here('src/core/postgres-session.ts'))}
  export {escapeIdentifier} from 'pg'
  export const {sqlState} = failures
  export {GivesNoRows} from ${text(here('src/core/postgres-session.ts'))}
  export const openPostgres = (address, options) => simulatedStore.open(address, options, {...failures, createSession})`

const virtual: Record<string, string> = {
  'virtual:program': describeProgram(),
  'virtual:transport': transport,
  'virtual:postgres': postgres,
  'virtual:pg': 'export const {DatabaseError, escapeIdentifier} = simulatedStore.pg',
  'virtual:version': `export const version = () => '0.0.0'; export const userAgent = () => 'vendorctl/0.0.0'`,
}

const replaced: Record<string, string> = {
  [here('src/http/transport.ts')]: 'virtual:transport',
  [here('src/core/version.ts')]: 'virtual:version',
  [here('src/core/postgres.ts')]: 'virtual:postgres',
}

function virtualModules(patches: readonly Patch[]): Plugin {
  const counts = patches.map(() => 0)
  return {
    name: 'simulation',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : id === 'pg' ? '\0virtual:pg' : undefined),
    load: (id) => virtual[replaced[id] ?? id.replace('\0', '')],
    transform(code) {
      let changed = code
      for (const [index, {from, to}] of patches.entries()) {
        counts[index] = (counts[index] ?? 0) + code.split(from).length - 1
        changed = changed.replace(from, () => to)
      }
      return changed === code ? undefined : changed
    },
    buildEnd() {
      for (const [index, {from}] of patches.entries())
        if (counts[index] !== 1) throw new Error(`the source holds this ${counts[index]} times: ${from}`)
    },
  }
}

/** Modules that the build leaves out, too, here for the source instead of what was compiled; no HTTP is left. */
const lighter = [...parts.partsOfSettings, ...parts.partsOfMetrics, ...parts.partsOfWorkbooks]
  .concat(parts.partsOfCommands)
  .map(([importer, ...rest]) => [new RegExp(importer.source.replace('build', 'src')), ...rest] as const)

async function toText(input: string, plugins: Plugin[]): Promise<string> {
  const build = await rolldown({input, platform: 'node', plugins, logLevel: 'silent'})
  try {
    const {output} = await build.generate({format: 'cjs', codeSplitting: false, exports: 'named'})
    if (output.length !== 1) throw new Error(`${input} has ${output.length} files`)
    return output[0].code
  } finally {
    await build.close()
  }
}

let services: Promise<[string, string]> | undefined

/** The program and the services as texts; with patches, the program with planted bugs. */
export async function bundle(patches: readonly Patch[] = []): Promise<Bundle> {
  services ??= Promise.all([
    toText(here('test/sim/sandbox-entry.ts'), [virtualModules([])]),
    toText(here('test/sim/published-entry.ts'), []),
  ])
  const [program, [sandbox, published]] = await Promise.all([
    toText('virtual:program', [virtualModules(patches), parts.replaceModules(lighter)]),
    services,
  ])
  return {program, sandbox, published}
}
