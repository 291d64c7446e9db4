import type {BootMoment} from '../core/clock.js'

/** Permits that are saved up at a moment. Below 0: permits that are promised to requests that wait for them. */
export type Bucket = {permits: number; at: BootMoment}

/** Requests per second, and how many may be sent together after a rest. */
export type Pace = {rate: number; burst: number}

/** The service allows a burst of 100 where this bucket has 95: the difference covers the few requests in flight. */
export const headroom = 1 / 19

/** The bucket of a key of whose use nothing is known. */
export function emptyBucket(at: BootMoment): Bucket {
  return {permits: 0, at}
}

/** Whether the later moment was taken after the earlier one on the same clock. Not every system names its starts. */
export function isSameClock(earlier: BootMoment, later: BootMoment): boolean {
  return earlier.boot === later.boot && earlier.milliseconds <= later.milliseconds
}

/**
 * The bucket at a later moment. A request in flight may reach the service at any time, so permits are saved only beside
 * those in flight. A new bucket is full; nothing is saved up over a restart of the machine.
 */
export function refill(bucket: Bucket | undefined, at: BootMoment, {rate, burst}: Pace, inFlight: number): Bucket {
  const capacity = burst - Math.min(burst, Math.max(0, inFlight - Math.floor(burst * headroom)))
  if (!bucket) return {permits: capacity, at}
  if (!isSameClock(bucket.at, at)) return {permits: Math.min(0, bucket.permits), at}
  const gained = ((at.milliseconds - bucket.at.milliseconds) * rate) / 1000
  return {permits: Math.min(capacity, bucket.permits + gained), at}
}

/** Takes one permit of a refilled bucket; the milliseconds until it may be used. */
export function takePermit({permits, at}: Bucket, {rate}: Pace): {bucket: Bucket; waitMilliseconds: number} {
  const left = permits - 1
  return {bucket: {permits: left, at}, waitMilliseconds: left < 0 ? (-left / rate) * 1000 : 0}
}

/** The bucket after the service refused for speed: its own bucket is empty. */
export function drain(bucket: Bucket): Bucket {
  return {...bucket, permits: Math.min(0, bucket.permits)}
}
