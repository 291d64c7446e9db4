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
const mostDiskMilliseconds = 0.3
const os = createOs({HOME: visibleRoot, TMPDIR: `${visibleRoot}/tmp`})

type Start = (args: string[], root: string, leave: (code: number) => void) => Promise<number>
export type Body = ReturnType<typeof createBody>

/** The program in memory, with its own copies of all modules, for one life at a time, whose world is all that it sees. */
export function createBody(program: Compiled) {
  const seat: Seat = {life: undefined}
  let made: {default: Start} | undefined
  const body = {
    process: new EventEmitter().setMaxListeners(0),
    get life(): Life {
      return lifeOf(seat)
    },
    enter(life: Life): void {
      seat.life = life
      body.process.removeAllListeners()
      Object.assign(body.process, propertiesOf(life))
    },
    start(args: readonly string[], leave: (code: number) => never): Promise<number> {
      made ??= program(world) as {default: Start} // when the first life starts
      return made.default([...args], '/program', leave)
    },
    /** A moment of the disk, which never ends for a life that is over. */
    moment(): Promise<void> {
      const {life} = seat
      return new Promise((resolve) => life?.plan(life.random() * mostDiskMilliseconds, resolve))
    },
    leave(): void {
      for (const close of [closeAll, files.closeAll, surroundings.forget]) close()
      seat.life = undefined
    },
  }
  const files = createFiles(body)
  const {sqlite, closeAll} = createSqlite(seat)
  const start = (...given: Tail<Parameters<typeof spawn>>) => spawn(body.life, ...given)
  const surroundings = createSurroundings({
    now: () => body.life.machine.wallClock(),
    random: () => body.life.random(),
    plan: (milliseconds, work) => seat.life?.plan(milliseconds, work) ?? {cancel: () => undefined},
    modules: {
      ...{fs: files.fs, 'fs/promises': files.promises, sqlite, zlib: createZlib(), path: createPath(visibleRoot)},
      ...{process: body.process, child_process: refusing('child_process', {spawn: start})},
      os: {...os, hostname: () => body.life.machine.host, availableParallelism: () => 2},
      ...{worker_threads: {isMainThread: true, threadId: 0}, tty: {isatty: () => false}},
    },
  })
  Object.assign(body.process, {getBuiltinModule: surroundings.require})
  Object.defineProperty(surroundings.globalThis, 'process', {value: body.process, writable: true})
  const wait = (_array: unknown, _at: number, _value: number, milliseconds: number) => {
    body.life.machine.scheduler.now += milliseconds
    return 'timed-out'
  }
  const world = {
    ...{...surroundings, process: body.process, global: surroundings.globalThis},
    Atomics: Object.assign(Object.create(Atomics) as object, {wait}),
    simulatedTransport: (toFailure: typeof toTransportFailure) => body.life.world.network.connect(body.life, toFailure),
    simulatedStore: {pg, open: (...given: ToStore) => body.life.world.store(body.life, ...given)},
  }
  return body
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
    ...{emitWarning: () => undefined, cwd: () => visibleRoot, umask: () => 0o22, nextTick: process.nextTick},
    ...{getuid: () => process.getuid?.(), getgid: () => process.getgid?.()},
    uptime: () => (machine.scheduler.now - machine.bootedAt) / 1e3,
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
