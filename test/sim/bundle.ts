import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {type Plugin, rolldown} from 'rolldown'
import * as parts from '../../bin/tools/replaced-modules.js'

/** A change of the one place in the source that reads like this; `$&` is what is there. */
type Patch = {from: string; to: string}
export type Bundle = {program: string; sandbox: string; published: string}
const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const text = JSON.stringify
type Known = {id: string; args: object; flags: object; relativePath: string[]}
/** Commands of jobs, whose flags a jobs file is checked against. */
const ofJobs = ['reports:transactions', 'alerts:create', 'sync']

function describeProgram(): string {
  type Manifest = {oclif: {topics: object}; commands: Record<string, Known>}
  const read = (path: string) => JSON.parse(readFileSync(here(path), 'utf8')) as Manifest
  const {topics} = read('package.json').oclif
  const {commands} = read('oclif.manifest.json')
  const known = Object.values(commands).map(({id, args, flags}) => {
    return [id, {takesArguments: Object.keys(args).length > 0, notifies: 'notify-url' in flags}]
  })
  const facts = Object.fromEntries(ofJobs.map((id) => [id, text(commands[id])]))
  const toSource = ([, ...path]: string[]) => here(['src', ...path].join('/').replace(/js$/, 'ts'))
  const load = Object.values(commands)
    .filter(({id}) => id !== 'help')
    .map(({id, relativePath}) => `${text(id)}: () => import(${text(toSource(relativePath))})`)
  return `
    import {start} from ${text(here('src/cli/start/start.ts'))}
    const program = {
      version: '0.0.0',
      commands: ${text(Object.fromEntries(known))},
      topics: ${text(Object.keys(topics).map((name) => name.replaceAll(' ', ':')))},
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

const postgres = `
  import * as failures from ${text(here('src/core/postgres-failure.ts'))}
  import {createSession} from ${text(here('src/core/postgres-session.ts'))}
  export {escapeIdentifier} from 'pg'
  export const {sqlState} = failures
  export {GivesNoRows} from ${text(here('src/core/postgres-session.ts'))}
  export const openPostgres = (address, options) => simulatedStore.open(address, options, {...failures, createSession})`

/** Modules by the name that is imported, or by the file of the program that one replaces. */
const written: Record<string, string> = {
  'virtual:program': describeProgram(),
  'virtual:pg': 'export const {DatabaseError, escapeIdentifier} = simulatedStore.pg',
  [here('src/http/transport.ts')]: transport,
  [here('src/core/postgres.ts')]: postgres,
  [here('src/core/version.ts')]: "export const [version, userAgent] = [() => '0.0.0', () => 'vendorctl/0.0.0']",
}

function virtualModules(patch?: Patch): Plugin {
  let places = 0
  return {
    name: 'simulation',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : id === 'pg' ? '\0virtual:pg' : undefined),
    load: (id) => written[id.replace('\0', '')],
    transform(code) {
      if (!patch || !code.includes(patch.from)) return undefined
      places += code.split(patch.from).length - 1
      return code.replace(patch.from, patch.to)
    },
    buildEnd() {
      if (patch && places !== 1) throw new Error(`the source holds this ${places} times: ${patch.from}`)
    },
  }
}

/** Modules that the build leaves out, too, here for the source instead of what was compiled; no HTTP is left. */
const lighter = [...parts.partsOfSettings, ...parts.partsOfMetrics, ...parts.partsOfWorkbooks]
  .concat(parts.partsOfCommands)
  .map(([importer, ...rest]) => [new RegExp(importer.source.replace('build', 'src')), ...rest] as const)

async function toText(input: string, plugins: Plugin[]): Promise<string> {
  const build = await rolldown({input, platform: 'node', plugins, logLevel: 'silent'})
  const {output} = await build.generate({format: 'cjs', codeSplitting: false, exports: 'named'})
  await build.close()
  return output[0].code
}

let sandbox: Promise<string> | undefined
let published: Promise<string> | undefined

/** The program and the services as texts; with a patch, the program with a planted bug. */
export async function bundle(patch?: Patch): Promise<Bundle> {
  sandbox ??= toText(here('test/sim/sandbox-entry.ts'), [virtualModules()])
  published ??= toText(here('test/sim/published-entry.ts'), [])
  const program = await toText('virtual:program', [virtualModules(patch), parts.replaceModules(lighter)])
  return {program, sandbox: await sandbox, published: await published}
}
