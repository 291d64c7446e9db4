import {Console} from 'node:console'
import {EventEmitter} from 'node:events'
import {Readable, Writable} from 'node:stream'
import type {Ran} from '../run-binary.js'
import type {InProcessOptions} from './program.js'

/** Ends a run from within, as `process.exit` does. */
class Left extends Error {}

/** What a run has for `process`, and how it ends. */
export type OwnProcess = {
  process: NodeJS.Process
  console: Console
  ended: Promise<Ran>
  /** Takes what was written to a standard stream. */
  print(descriptor: 1 | 2, bytes: Uint8Array): void
  end(code: number): void
  leave(code: number): never
  crash(error: unknown): void
}

/** No process of this system has such a number. */
let lastPid = 2 ** 22
const alive = new Set<number>()

export function createOwnProcess(words: readonly string[], {environment, input, cwd}: InProcessOptions): OwnProcess {
  const pid = ++lastPid
  alive.add(pid)
  const printed: Record<1 | 2, Uint8Array[]> = {1: [], 2: []}
  const {promise: ended, resolve} = Promise.withResolvers<Ran>()
  const print = (descriptor: 1 | 2, bytes: Uint8Array) => {
    if (alive.has(pid)) printed[descriptor].push(Buffer.from(bytes))
  }
  const end = (code: number) => {
    if (!alive.has(pid)) return
    own.emit('exit', code)
    alive.delete(pid)
    const [stdout, stderr] = ([1, 2] as const).map((each) => Buffer.concat(printed[each]).toString())
    resolve({exitCode: code, signal: null, stdout: stdout ?? '', stderr: stderr ?? ''})
  }
  const leave = (code: number): never => {
    end(code)
    throw new Left('the run has ended')
  }
  const stream = (descriptor: 1 | 2) => {
    const write = (chunk: Uint8Array, _encoding: string, done: () => void) => {
      print(descriptor, chunk)
      process.nextTick(done)
    }
    return Object.assign(new Writable({write}), {fd: descriptor})
  }
  const own = toEmitter(
    Object.create(
      process,
      describe({
        ...{pid, env: {...environment}, argv: [process.execPath, 'vendorctl', ...words.map(String)], execArgv: []},
        ...{stdin: Object.assign(Readable.from(input ? [Buffer.from(input)] : []), {fd: 0})},
        ...{stdout: stream(1), stderr: stream(2), exitCode: undefined},
        ...{send: undefined, connected: false, channel: undefined},
        cwd: () => cwd,
        exit: (code?: number) => leave(code ?? Number(own.exitCode ?? 0)),
        kill: (other: number, signal?: string | number) => sendSignal(other, signal),
        emitWarning: (warning: string | Error) => print(2, Buffer.from(`(node:${pid}) ${warning}\n`)),
      }),
    ) as NodeJS.Process,
  )
  const crash = (error: unknown) => {
    if (error instanceof Left) return
    print(2, Buffer.from(`${error instanceof Error ? error.stack : error}\n`))
    end(1)
  }
  return {process: own, console: new Console(own.stdout, own.stderr), ended, print, end, leave, crash}
}

function describe(values: Record<string, unknown>): PropertyDescriptorMap {
  const toDescriptor = (value: unknown) => ({value, writable: true, enumerable: true, configurable: true})
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toDescriptor(value)]))
}

/** Gives an object made of another emitter events of its own. */
function toEmitter<Emitter extends NodeJS.EventEmitter>(object: Emitter): Emitter {
  Reflect.apply(EventEmitter, object, [])
  return object.setMaxListeners(0)
}

function sendSignal(pid: number, signal?: string | number): true {
  if (pid <= 2 ** 22) return process.kill(pid, signal)
  if (alive.has(pid)) return true
  throw Object.assign(new Error('kill ESRCH'), {code: 'ESRCH'})
}
