import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {compileFunction, constants} from 'node:vm'
import type {Ran} from '../run-binary.js'
import {createChildProcess} from './child-process.js'
import {createFiles} from './files.js'
import {createNet, createOs, createPath, createSqlite, createTimers} from './modules.js'
import {createOwnProcess, type OwnProcess} from './own-process.js'

export type InProcessOptions = {
  environment: Record<string, string>
  input?: string | Buffer | undefined
  cwd: string
}

type Module = {exports: Record<string, unknown>}
type Body = (...given: unknown[]) => void
type Start = (words: string[], root: string, leave: (code: number) => never) => Promise<number>

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'dist', 'program.cjs')
const load = createRequire(program)
const ofNode = new Set(['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'])
const given = ['require', 'module', 'exports', 'process', 'console', 'globalThis', ...ofNode]

/** Files of the built program, compiled once and called anew for each run, so that its modules are its own. */
const bodies = new Map<string, Body>()

function bodyOf(path: string): Body {
  const known = bodies.get(path)
  if (known) return known
  const importing = {importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER}
  const body = compileFunction(readFileSync(path, 'utf8'), given, {filename: path, ...importing}) as Body
  bodies.set(path, body)
  return body
}

/**
 * Runs the built program in this process as `bin/run.js` enters it: with arguments, environment, working folder and
 * streams of its own. Signals, kills, pipes, terminals and time zones need a process.
 */
export async function runInProcess(words: readonly string[], options: InProcessOptions): Promise<Ran> {
  const own = createOwnProcess(words, options)
  const timers = createTimers()
  const {sqlite, closeAll} = createSqlite()
  const {net, destroyAll} = createNet()
  const {fs, promises} = createFiles(own, options)
  const modules = new Map<string, unknown>([
    ['fs', fs],
    ['fs/promises', promises],
    ['os', createOs(options.environment)],
    ['path', createPath(options.cwd)],
    ['net', net],
    ['sqlite', sqlite],
    ['child_process', createChildProcess(own)],
    ['process', own.process],
  ])
  const find = (name: string) => modules.get(name.replace(/^node:/, '')) ?? load(name)
  Object.assign(own.process, {getBuiltinModule: find})
  const surface = Object.create(globalThis, {process: {value: own.process}})
  const require = createLoader(find, {...timers.calls, process: own.process, console: own.console, globalThis: surface})
  void enter(require(program) as unknown as Start, words, own)
  try {
    return await own.ended
  } finally {
    timers.clearAll()
    closeAll()
    destroyAll()
  }
}

async function enter(start: Start, words: readonly string[], own: OwnProcess): Promise<void> {
  try {
    own.end(await start(words.map(String), root, (code) => own.leave(code)))
  } catch (error) {
    own.crash(error)
  }
}

/** `require` of one run. */
function createLoader(find: (name: string) => unknown, world: Record<string, unknown>) {
  const modules = new Map<string, Module>()
  const open = (path: string): Module['exports'] => {
    const known = modules.get(path)
    if (known) return known.exports
    const module: Module = {exports: {}}
    modules.set(path, module)
    const require = (name: string) => (name.startsWith('.') ? open(resolve(dirname(path), name)) : find(name))
    const names: Record<string, unknown> = {...world, require, module, exports: module.exports}
    bodyOf(path)(...given.map((name) => names[name]))
    return module.exports
  }
  return open
}
