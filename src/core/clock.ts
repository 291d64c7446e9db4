import {readFileSync} from 'node:fs'
import {setImmediate as afterEvents, setTimeout as wait} from 'node:timers/promises'
import {createProcessState} from './process-state.js'

/** The time as a thing that is passed in: the only place that asks the system for it. */
export type Clock = {
  /** Milliseconds since 1970, UTC. For labels and dates only; it may jump. */
  now(): number
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
  /** Waits; ends early with the reason of the signal when that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A timer of Node that is longer than this ends immediately. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    const [seconds, nanoseconds] = process.hrtime() // `performance` takes a tenth of a start to load
    return seconds * 1e3 + nanoseconds / 1e6
  },
  async sleep(milliseconds, signal) {
    let left = milliseconds
    do {
      await wait(Math.min(Math.max(left, 0), longestTimer), undefined, signal ? {signal} : {})
      left -= longestTimer
    } while (left > 0)
  },
}

/** A moment that all processes of this machine agree on until it is started anew. */
export type BootMoment = {
  /** Tells one start of this machine from another; undefined where the system does not say. */
  boot: string | undefined
  milliseconds: number
}

/** The moment now, on the clock that counts from the start of this machine and never jumps. */
export function bootMoment(): BootMoment {
  return {boot: bootId(), milliseconds: Number(process.hrtime.bigint()) / 1e6}
}

/** Read once; it cannot change while the process runs. */
const state = createProcessState((): {boot?: {id: string | undefined}} => ({}))

function bootId(): string | undefined {
  state().boot ??= {id: readBootId()}
  return state().boot?.id
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Waits; throws the reason of the signal when that is aborted. */
export async function pause(milliseconds: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  try {
    await clock.sleep(milliseconds, signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}

/** Lets Node handle what has happened meanwhile, such as a signal; due timers may be handled before it. */
export async function handleEvents(): Promise<void> {
  await afterEvents()
}

/** Does some work again and again, with a pause before each time, until the signal is aborted. */
export async function repeat(
  milliseconds: number,
  work: () => Promise<void> | void,
  {clock, signal}: {clock: Pick<Clock, 'sleep'>; signal: AbortSignal},
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(milliseconds, signal).catch(() => undefined)
    if (!signal.aborted) await work()
  }
}

/** `2026-01-31 17:45:02 UTC` */
export function toTimeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `2026-01-31T17:45:02Z` */
export function toIso(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
