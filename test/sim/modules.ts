import * as realCrypto from 'node:crypto'
import {createRequire} from 'node:module'
import {Duplex} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import type {Random} from '../../src/sandbox/seed/random.js'
import type {Planned, Scheduler} from './scheduler.js'

const load = createRequire(import.meta.url)
export const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
type Given = {now: () => number; random: Random; plan: Scheduler['after']; modules?: Record<string, unknown>}

/** Clock, timers and modules as code in a world sees them. */
export function createSurroundings({now, random, plan, modules = {}}: Given) {
  const randomBytes = (size: number) => Buffer.alloc(size, realCrypto.hash('sha256', String(random()), 'buffer'))
  const randomUUID = () => {
    const hex = realCrypto.hash('md5', String(random()))
    return toUuid(`${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17)}`)
  }
  const crypto = {...realCrypto, randomBytes, randomUUID} // whose hashes are real
  const WorldDate = class extends Date {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([Math.floor(now())] as unknown as []) : given))
    }
    static override now = () => Math.floor(now())
  }
  const setTimeout = (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    const timer = {...plan(milliseconds, () => work(...given)), ref: () => timer, unref: () => timer}
    return timer
  }
  const {setInterval} = refusing('globalThis', {} as {setInterval: () => never})
  const setImmediate = (work: (...given: unknown[]) => void, ...given: unknown[]) => setTimeout(work, 0, ...given)
  const clearTimeout = (timer?: Planned) => timer?.cancel()
  /** Signals outlive a life that has died while it waited. */
  const listening = new Set<() => void>()
  const sleep = (milliseconds = 0, value?: unknown, {signal}: {signal?: AbortSignal} = {}) =>
    new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', stop)
        listening.delete(leave)
      }
      const planned = plan(milliseconds, () => {
        leave()
        resolve(value)
      })
      const stop = () => {
        leave()
        planned.cancel()
        const error = new Error('The operation was aborted', {cause: signal?.reason})
        reject(Object.assign(error, {name: 'AbortError', code: 'ABORT_ERR'}))
      }
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop)
      if (signal) listening.add(leave)
    })
  const timers = {setTimeout, setInterval, setImmediate, clearTimeout, clearImmediate: clearTimeout}
  const own: Record<string, unknown> = {
    ...{crypto, timers, ...modules},
    'timers/promises': {setTimeout: sleep, setImmediate: (value: unknown) => sleep(0, value)},
  }
  const require = (name: string) => own[name.replace(/^node:/, '')] ?? (load(name) as unknown)
  const performance = {now, timeOrigin: 0, mark: () => undefined, measure: () => undefined}
  const shown = {Date: WorldDate, Math: Object.assign(Object.create(Math) as Math, {random}), Intl: sharedIntl}
  const names = {...timers, ...shown, crypto, performance, require}
  return {
    ...names,
    forget: () => listening.forEach((leave) => void leave()),
    globalThis: Object.create(globalThis, Object.getOwnPropertyDescriptors(names)) as typeof names,
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Intl` whose formats of dates are made once for all worlds: they hold no state, and each costs milliseconds. */
function DateTimeFormat(...given: ConstructorParameters<typeof Intl.DateTimeFormat>) {
  const key = JSON.stringify(given)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(...given)
  formats.set(key, format)
  return format
}
const sharedIntl = Object.assign(Object.create(Intl) as typeof Intl, {DateTimeFormat})

/** `node:zlib` that works at once, and not in a thread whose time is real. */
export function createZlib() {
  const atOnce = (work: (bytes: Buffer) => Buffer) =>
    function Whole() {
      return Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
        yield work(await buffer(chunks))
      })
    }
  const deflateRaw = (bytes: Buffer, _options: object, done: (error: null, bytes: Buffer) => void) =>
    queueMicrotask(() => done(null, zlib.deflateRawSync(bytes)))
  return {...zlib, createInflateRaw: atOnce(zlib.inflateRawSync), DeflateRaw: atOnce(zlib.deflateRawSync), deflateRaw}
}

export function refusing<Own extends object>(name: string, own: Own): Own {
  const refuse = (call: string | symbol) => () => {
    throw new Error(`the simulation has no ${name}.${String(call)}`)
  }
  return new Proxy(own, {get: (_, call) => own[call as keyof Own] ?? refuse(call)})
}
