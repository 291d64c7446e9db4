import {emptyBucket, headroom, isSameClock, type Pace, refill, takePermit} from './bucket.js'
import {longestAskMilliseconds, longestLease, type Shared, sharedAt, voidPermit} from './budget.js'
import {addRequests, hourOf} from './day.js'
import {
  type Ask,
  type Granted,
  isSpent,
  type KeyState,
  longestFlightMilliseconds,
  type Now,
  type Permit,
} from './key-state.js'

export type SharedState = KeyState & {shared: Shared}
type Taken = {state: KeyState; permit: Permit}

/** A permit is void so long after its time. The store counts on it. */
export const usableMilliseconds = 2_000
/** Without an answer for so long, a machine sends at half of its share. The store counts on it. */
const patienceMilliseconds = 2_000
/** And for so long, without a contact. The store counts on it. */
const shareMilliseconds = 300_000
/** What was learnt of the day is trusted for so long. */
const freshMilliseconds = 5_000
const pollMilliseconds = 15
const longestRetryMilliseconds = 250

/** The hours of the store, which are the same for all machines, as long as its clock is known. */
export function storeTime({shared}: KeyState, {moment, now}: Now): Now {
  if (!shared?.seen || !isSameClock(shared.at, moment)) return {moment, now}
  return {moment, now: shared.seen.serverTime + moment.milliseconds - shared.seen.came, wall: now}
}

/** Uses a permit of the lease, or, when the store has not answered for a while, one of half of this machine's share. */
export function takeShared(state: SharedState, ask: Ask, id: string, at: Now): Taken {
  const shared = sharedAt(state.shared, at.moment)
  const now = at.moment.milliseconds
  const isAlone = shared.waiting !== undefined && now - shared.waiting.since >= patienceOf(shared, ask)
  const isFresh = shared.seen !== undefined && now - shared.seen.came < freshMilliseconds
  if (isSpent(state, ask, at.now))
    return {state, permit: isFresh || isAlone ? {granted: false} : needsLease(shared, now)}
  const first = shared.permits.findIndex((permit) => now < permit + usableMilliseconds)
  if (first >= 0) {
    const waitMilliseconds = Math.max(0, (shared.permits[first] ?? now) - now)
    return grant({...state, shared: {...shared, permits: shared.permits.toSpliced(first, 1)}}, ask, {
      id,
      at,
      waitMilliseconds,
    })
  }
  if (!isAlone || (shared.waiting?.until ?? 0) < now) return {state, permit: needsLease(shared, now)}
  return takeAlone({...state, shared}, ask, {id, at})
}

/** Long enough that the permits which others were promised before have been used. */
function patienceOf({machines, share}: Shared, {rate, burst}: Pace): number {
  const promised = (machines - 1) * Math.min(longestLease, (burst * (1 + headroom)) / machines)
  return share > 0 ? Math.max(patienceMilliseconds, (promised / rate) * 1_000) : patienceMilliseconds
}

function needsLease({asking, nextAsk}: Shared, now: number): Permit & {granted: false} {
  const isAsked = asking !== undefined && now < asking.sent + longestAskMilliseconds
  const retryMilliseconds = isAsked
    ? pollMilliseconds
    : Math.min(Math.max(nextAsk - now, pollMilliseconds), longestRetryMilliseconds)
  return {granted: false, why: 'lease', retryMilliseconds}
}

/** From when it was patient for long enough; one permit is promised ahead, as those are still used when the store is back. */
function takeAlone(state: SharedState, ask: Ask, {id, at}: {id: string; at: Now}): Taken {
  const {shared} = state
  const now = at.moment.milliseconds
  const isLiving = shared.seen !== undefined && now - shared.seen.sent < shareMilliseconds && shared.share > 0
  const alone = shared.alone ?? {since: at.now, requests: 0}
  if (!isLiving || alone.requests >= shared.shareOfDay)
    return {state, permit: {...needsLease(shared, now), why: 'unreachable'}}
  const pace = toAlone(shared, state.slowUntil > now ? {...ask, rate: ask.rate / 2} : ask)
  const inFlight = state.inFlight.filter(({until}) => until > now)
  const began = {...at.moment, milliseconds: (shared.waiting?.since ?? now) + patienceMilliseconds}
  const saved = refill(
    shared.alone && state.bucket ? state.bucket : emptyBucket(began),
    at.moment,
    pace,
    inFlight.length,
  )
  if (saved.permits < 0) {
    const retryMilliseconds = Math.min(Math.ceil((-saved.permits / pace.rate) * 1000), longestRetryMilliseconds)
    return {state, permit: {granted: false, why: 'lease', retryMilliseconds}}
  }
  const {bucket, waitMilliseconds} = takePermit(saved, pace)
  const next = {...shared, alone: {...alone, requests: alone.requests + 1}}
  return grant({...state, shared: next}, pace, {id, at, waitMilliseconds, bucket})
}

/** Half of the share of a machine. */
function toAlone({share}: Pick<Shared, 'share'>, {rate, burst}: Pace): Pace {
  return {rate: (rate * share) / 2, burst: (burst * share) / 2}
}

type Granting = {id: string; at: Now; waitMilliseconds: number; bucket?: KeyState['bucket']}

/** Whoever counts without the store later begins with an empty bucket. */
function grant(state: SharedState, {rate, burst}: Pace, {id, at, waitMilliseconds, bucket}: Granting): Taken {
  const {milliseconds} = at.moment
  const until = milliseconds + waitMilliseconds + longestFlightMilliseconds
  const inFlight = [...state.inFlight.filter((one) => one.until > milliseconds), {id, until}]
  const hour = hourOf(at.now)
  const hours = addRequests(state.hours, hour, 1, at.now)
  const permit: Permit = {
    granted: true,
    id,
    waitMilliseconds,
    hour,
    pace: {rate, burst},
    ...(bucket ? {isAlone: true} : {time: milliseconds + waitMilliseconds}),
  }
  return {state: {...state, bucket: bucket ?? emptyBucket(at.moment), inFlight, hours}, permit}
}

/** The request of a permit of a lease was answered or failed. */
export function arriveShared(state: KeyState, {id}: Granted): KeyState {
  return {...state, inFlight: state.inFlight.filter((one) => one.id !== id)}
}

/** A permit that was not used may be used by another request; its time stays. */
export function returnPermit(state: KeyState, {id, hour, time}: Granted & {time: number}, {now}: Now): KeyState {
  const {shared} = state
  return {
    ...state,
    inFlight: state.inFlight.filter((one) => one.id !== id),
    hours: addRequests(state.hours, hour, -1, now),
    ...(shared && {shared: {...shared, permits: [...shared.permits, time].sort((one, other) => one - other)}}),
  }
}

/** The service was asked too often: what is left of the lease is not used, and the store learns it. */
export function noteSharedThrottle(state: KeyState, {moment}: Now): KeyState {
  if (!state.shared) return state
  const shared = sharedAt(state.shared, moment)
  const permits = shared.permits.map(() => voidPermit)
  return {...state, shared: {...shared, permits, throttledAt: moment.milliseconds, nextAsk: moment.milliseconds}}
}

/** The store learns that the service refuses this key for today. */
export function noteSharedRefusal(state: KeyState, {moment}: Now): KeyState {
  if (!state.shared || !state.refusal) return state
  return {...state, shared: {...sharedAt(state.shared, moment), refusedAt: moment.milliseconds}}
}
