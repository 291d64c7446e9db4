import type {Random} from '../../src/sandbox/seed/random.js'
import {createCrypto, realModule} from './modules.js'
import type {Planned} from './scheduler.js'

/** Clock, timers and modules as code in a world sees them. */
export function createSurroundings(world: {
  now: () => number
  random: Random
  plan: (milliseconds: number, work: () => void) => Planned
  modules: Record<string, unknown>
}) {
  const {now, random, plan, modules} = world
  const crypto = createCrypto(random)
  const WorldDate = class extends Date {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([Math.floor(now())] as unknown as []) : given))
    }
    static override now = () => Math.floor(now())
  }
  const setTimeout = (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    createTimer(() => plan(milliseconds, () => work(...given)))
  const setInterval = (work: () => void, milliseconds = 0) => {
    const again = () => {
      timer.again()
      work()
    }
    const timer = createTimer(() => plan(milliseconds, again))
    return timer
  }
  const setImmediate = (work: (...given: unknown[]) => void, ...given: unknown[]) => setTimeout(work, 0, ...given)
  const clear = (timer?: {cancel(): void}) => timer?.cancel()
  const sleep = (milliseconds = 0, value?: unknown, {signal}: {signal?: AbortSignal} = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted(signal))
      const planned = plan(milliseconds, () => resolve(value))
      signal?.addEventListener('abort', () => {
        planned.cancel()
        reject(aborted(signal))
      })
    })
  const timers = {setTimeout, setInterval, setImmediate}
  const clears = {clearTimeout: clear, clearInterval: clear, clearImmediate: clear}
  const own: Record<string, unknown> = {
    crypto,
    timers: {...timers, ...clears},
    'timers/promises': {setTimeout: sleep, setImmediate: (value: unknown) => sleep(0, value)},
    ...modules,
  }
  const require = (name: string) => own[name.replace(/^node:/, '')] ?? realModule(name)
  const mathematics = Object.assign(Object.create(Math) as Math, {random})
  const performance = {now: () => now(), timeOrigin: 0, mark: () => undefined, measure: () => undefined}
  const shown = {Date: WorldDate, Math: mathematics, Intl: sharedIntl}
  const names = {...timers, ...clears, ...shown, crypto, performance, require}
  return {...names, globalThis: Object.create(globalThis, Object.getOwnPropertyDescriptors(names)) as typeof names}
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Intl` whose formats of dates are made once for all worlds: they hold no state, and each costs milliseconds. */
const sharedIntl = Object.create(Intl, {
  DateTimeFormat: {
    value: new Proxy(Intl.DateTimeFormat, {
      construct(Real, given: ConstructorParameters<typeof Intl.DateTimeFormat>) {
        const key = JSON.stringify(given)
        const format = formats.get(key) ?? new Real(...given)
        formats.set(key, format)
        return format
      },
    }),
  },
}) as typeof Intl

function createTimer(begin: () => Planned) {
  let planned = begin()
  const timer = {
    cancel: () => planned.cancel(),
    again() {
      planned = begin()
    },
    ref: () => timer,
    unref: () => timer,
    hasRef: () => true,
    refresh() {
      planned.cancel()
      planned = begin()
      return timer
    },
    [Symbol.toPrimitive]: () => 0,
  }
  return timer
}

const aborted = (signal: AbortSignal) =>
  Object.assign(new Error('The operation was aborted', {cause: signal.reason}), {name: 'AbortError', code: 'ABORT_ERR'})
