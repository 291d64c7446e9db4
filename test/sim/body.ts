import {EventEmitter} from 'node:events'
import {Readable, Writable} from 'node:stream'
import {compileFunction} from 'node:vm'
import pg from 'pg'
import type {toTransportFailure} from '../../src/http/transport-failure.js'
import {createOs, createPath} from '../support/in-process/modules.js'
import {spawn} from './children.js'
import {createSqlite} from './database.js'
import {visibleRoot} from './disk.js'
import {createFiles} from './files.js'
import {Death, type Life} from './life.js'
import {createSurroundings, createZlib, refusing} from './modules.js'
import type {World} from './world.js'

const shadowed = [
  ...['require', 'module', 'exports', 'process', 'global', 'globalThis', 'Date', 'Math', 'crypto', 'performance'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Atomics'],
  ...['simulatedTransport', 'simulatedStore', 'console', 'Intl'],
] as const

export type Compiled = (world: Partial<Record<(typeof shadowed)[number], unknown>>) => Record<string, unknown>

/** A CommonJS text as a function; each call makes its modules anew. */
export function compile(text: string, filename: string): Compiled {
  const call = compileFunction(text, [...shadowed], {filename}) as (...given: unknown[]) => void
  return (world) => {
    const module = {exports: {} as Record<string, unknown>}
    const given = {...world, module, exports: module.exports}
    call(...shadowed.map((name) => given[name as keyof typeof given] ?? globalThis[name as 'console']))
    return module.exports
  }
}

/** Whose world a body sees; what SQLite keeps alive outside of what is collected knows this, and not the body. */
export type Seat = {life: Life | undefined}
const os = createOs({HOME: visibleRoot, TMPDIR: `${visibleRoot}/tmp`})

type Start = (args: string[], root: string, leave: (code: number) => void) => Promise<number>

/** The program in memory, with its own copies of all modules, for one life at a time, whose world is all that it sees. */
export class Body {
  readonly process = new EventEmitter().setMaxListeners(0)
  readonly #start: Start
  readonly #closeAll: () => void
  readonly #seat: Seat = {life: undefined}

  constructor(program: Compiled) {
    const files = createFiles(this)
    const {sqlite, closeAll} = createSqlite(this.#seat)
    const start = (...given: Tail<Parameters<typeof spawn>>) => spawn(this.life, ...given)
    const surroundings = createSurroundings({
      now: () => this.life.machine.wallClock(),
      random: () => this.life.random(),
      plan: (milliseconds, work) => this.#seat.life?.plan(milliseconds, work) ?? {cancel: () => undefined},
      modules: {
        ...{fs: files.fs, 'fs/promises': files.promises, sqlite, zlib: createZlib(), path: createPath(visibleRoot)},
        ...{process: this.process, child_process: refusing('child_process', {spawn: start})},
        os: {...os, hostname: () => this.life.machine.host, availableParallelism: () => 2},
        worker_threads: {isMainThread: true, threadId: 0},
        tty: {isatty: () => false},
      },
    })
    this.#closeAll = () => [closeAll, files.closeAll, surroundings.forget].forEach((each) => void each())
    Object.assign(this.process, {getBuiltinModule: surroundings.require})
    Object.defineProperty(surroundings.globalThis, 'process', {value: this.process, writable: true})
    const wait = (_array: unknown, _at: number, _value: number, milliseconds: number) => {
      this.life.machine.scheduler.now += milliseconds
      return 'timed-out'
    }
    const world = {
      ...{...surroundings, process: this.process, global: surroundings.globalThis},
      Atomics: Object.assign(Object.create(Atomics) as object, {wait}),
      simulatedTransport: (toFailure: typeof toTransportFailure) =>
        this.life.world.network.connect(this.life, toFailure),
      simulatedStore: {pg, open: (...given: ToStore) => this.life.world.store(this.life, ...given)},
    }
    let made: {default: Start} | undefined
    this.#start = (...given) => {
      made ??= program(world) as {default: Start} // when the first life starts
      return made.default(...given)
    }
  }

  get life(): Life {
    return lifeOf(this.#seat)
  }

  start(args: readonly string[], leave: (code: number) => never): Promise<number> {
    return this.#start([...args], '/program', leave)
  }

  enter(life: Life): void {
    this.#seat.life = life
    this.process.removeAllListeners()
    Object.assign(this.process, propertiesOf(life))
  }

  /** A moment of the disk, which never ends for a life that is over. */
  moment(): Promise<void> {
    const life = this.#seat.life
    return new Promise((resolve) => life?.plan(life.random() * mostDiskMilliseconds, resolve))
  }

  leave(): void {
    this.#closeAll()
    this.#seat.life = undefined
  }
}

export function lifeOf({life}: Seat): Life {
  if (!life) throw new Death('the life is over')
  return life
}

type ToStore = Tail<Parameters<World['store']>>
type Tail<Given extends unknown[]> = Given extends [unknown, ...infer Rest] ? Rest : never

function propertiesOf(life: Life): object {
  const {machine, pid} = life
  const {args, environment} = life.options
  const nanoseconds = () => Math.floor(machine.monotonic() * 1e6)
  const output = (descriptor: 1 | 2) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, _encoding, done) {
        try {
          life.print(descriptor, chunk.toString())
          life.plan(0, done)
        } catch {
          // the life is over, and nothing that it prints is ever written
        }
      },
    })
  return {
    ...{pid, ppid: 1, platform: 'linux', arch: 'x64', version: process.version, versions: process.versions},
    ...{argv: ['/node', '/program/bin/run.js', ...args], execPath: '/node', execArgv: [], env: {...environment}},
    ...{stdout: output(1), stderr: output(2), stdin: Object.assign(Readable.from([]), {fd: 0})},
    ...{exitCode: undefined, send: undefined, connected: undefined, channel: undefined},
    emitWarning: () => undefined,
    cwd: () => visibleRoot,
    umask: () => 0o22,
    uptime: () => (machine.scheduler.now - machine.bootedAt) / 1e3,
    getuid: () => process.getuid?.(),
    getgid: () => process.getgid?.(),
    nextTick: process.nextTick,
    hrtime: Object.assign((): [number, number] => [0, nanoseconds()], {bigint: () => BigInt(nanoseconds())}),
    exit: (code: number) => life.leave(code),
    kill(pid: number, signal: string) {
      if (machine.isAlive(pid)) return true
      const tool = machine.tools.get(-pid)
      if (tool) return tool(signal)
      throw Object.assign(new Error('kill ESRCH'), {code: 'ESRCH'})
    },
  }
}

const mostDiskMilliseconds = 0.3
