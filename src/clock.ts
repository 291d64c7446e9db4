import {setTimeout as wait} from 'node:timers/promises'

/** The time as a thing that is passed in: the only place that asks the system for it. */
export type Clock = {
  /** Milliseconds since 1970, UTC. For labels and dates only; it may jump. */
  now(): number
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
  /** Waits; ends early with the reason of the signal when that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    await wait(milliseconds, undefined, signal ? {signal} : {})
  },
}
