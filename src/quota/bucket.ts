import type {BootMoment} from '../core/clock.js'

/** Turns that are there, on the clock of one start of this machine. Below 0: turns that are given and waited for. */
export type Bucket = {tokens: number; milliseconds: number; boot: string | undefined; slowUntil: number}

export type Pace = {rate: number; burst: number}

/** Moments on the same clock, in milliseconds. */
export type Landings = readonly number[]

/** The burst leaves the service's own as much room: 95 of 100. Requests in flight that fit into it hold nothing up. */
const headroom = 1 / 19

/** How much of its rate a bucket has while the service is asked too often. */
const slowShare = 0.5

/** Of a key of whose use nothing is known. */
export function emptyBucket({boot, milliseconds}: BootMoment): Bucket {
  return {tokens: 0, milliseconds, boot, slowUntil: 0}
}

/**
 * A bucket at a moment. A new one is full; one of another start of the machine, or of a later moment, is empty, because
 * nothing is known of the time between. A request in flight may reach the service as late as its landing: until then no
 * turns are saved up beyond what the burst leaves beside those in flight, or a slow start and a burst after it would
 * arrive together. `landings`: when each flight ends or ended, the earliest first.
 */
export function refill(bucket: Bucket | undefined, moment: BootMoment, pace: Pace, landings: Landings = []): Bucket {
  const {boot, milliseconds} = moment
  if (!bucket) return {...emptyBucket(moment), tokens: toCapacity(pace, landings.length)}
  if (bucket.boot !== boot) return emptyBucket(moment)
  if (milliseconds < bucket.milliseconds) return {...emptyBucket(moment), tokens: Math.min(0, bucket.tokens)}
  const open = landings.filter((landing) => landing > bucket.milliseconds)
  const over = open.filter((landing) => landing < milliseconds)
  const filled = over.reduce((each, landing, place) => fillUntil(each, landing, pace, open.length - place), bucket)
  return fillUntil(filled, milliseconds, pace, open.length - over.length)
}

/** While so many are in flight. */
function fillUntil(bucket: Bucket, milliseconds: number, pace: Pace, inFlight: number): Bucket {
  const elapsed = milliseconds - bucket.milliseconds
  const slow = Math.min(elapsed, Math.max(0, bucket.slowUntil - bucket.milliseconds))
  const gained = ((slow * slowShare + (elapsed - slow)) * pace.rate) / 1000
  return {...bucket, tokens: Math.min(toCapacity(pace, inFlight), bucket.tokens + gained), milliseconds}
}

function toCapacity({burst}: Pace, inFlight: number): number {
  return burst - Math.min(burst, Math.max(0, inFlight - Math.floor(burst * headroom)))
}

/** Takes a turn of a bucket that is refilled; the milliseconds until it is there. */
export function takeTurn(bucket: Bucket, {rate}: Pace): {bucket: Bucket; waitMilliseconds: number} {
  const tokens = bucket.tokens - 1
  if (tokens >= 0) return {bucket: {...bucket, tokens}, waitMilliseconds: 0}
  const atFull = (-tokens / rate) * 1000
  const slow = Math.max(0, bucket.slowUntil - bucket.milliseconds)
  const waitMilliseconds = atFull <= slow * slowShare ? atFull / slowShare : atFull + slow * slowShare
  return {bucket: {...bucket, tokens}, waitMilliseconds}
}

/** The service said that its own bucket is empty. */
export function drain(bucket: Bucket): Bucket {
  return {...bucket, tokens: Math.min(0, bucket.tokens)}
}
