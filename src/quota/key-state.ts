import type {BootMoment} from '../core/clock.js'
import {millisecondsPerHour} from '../values/date-time.js'
import {type Bucket, drain, emptyBucket, isSameClock, type Pace, refill, takePermit} from './bucket.js'
import type {Shared} from './budget.js'
import {addRequests, type Hours, hourOf, nextReset, roomAt, useOf} from './day.js'

/** Everything that is known of one key. Never changed: each step returns the next state. */
export type KeyState = {
  /** Undefined while the key was never used. */
  bucket?: Bucket | undefined
  hours: Hours
  /** Requests that may still reach the service, and until when at the latest. */
  inFlight: readonly {id: string; until: number}[]
  /** Moments of the last refusals for speed. */
  throttles: readonly number[]
  /** Half the rate until this moment. */
  slowUntil: number
  refusal?: Refusal | undefined
  /** A budget that several machines share; `hours` are then those of this machine, named by the clock of the store. */
  shared?: Shared | undefined
}

/** The service refused because the daily quota is used up: when it is asked again, in milliseconds since 1970. */
export type Refusal = {until: number; is: 'assumed' | 'learned'}

/** Limits for one request: its pace, the requests of a day, and how many of them it must leave unused. */
export type Ask = Pace & {
  perDay: number
  floor: number
  /** Permits are those of leases of a budget that machines share. */
  isShared?: boolean
}

/**
 * A request that was counted and may be sent after the wait; or one that must not be sent today, or not before there is
 * another lease, or not at all while the store cannot be reached.
 */
export type Permit =
  | {granted: true; id: string; waitMilliseconds: number; hour: number; pace: Pace; time?: number; isAlone?: true}
  | {granted: false; why?: 'lease' | 'unreachable'; retryMilliseconds?: number}
export type Granted = Extract<Permit, {granted: true}>

/** The monotonic clock that all processes share, and the time of day, in milliseconds since 1970; `wall` is that of this machine where `now` is the store's. */
export type Now = {moment: BootMoment; now: number; wall?: number}

/** A request without an answer this long after it was sent has arrived or never will. */
export const longestFlightMilliseconds = 10_000
const throttleWindowMilliseconds = 60_000
const throttlesUntilSlow = 3
const slowMilliseconds = 600_000
/** A day with a change of clocks; a service that names a longer wait, or a clock that does, is wrong. */
const longestRefusalMilliseconds = 25 * millisecondsPerHour

export const newKey: KeyState = {hours: [], inFlight: [], throttles: [], slowUntil: 0}

/** A key in use whose state was lost: it may have used its burst just now. */
export function lostKey({moment, now}: Now, requests = 0): KeyState {
  const hours = requests > 0 ? addRequests([], hourOf(now), requests, now) : []
  return {...newKey, bucket: emptyBucket(moment), hours}
}

/** Counts a request and gives it a permit, first come, first served. */
export function take(state: KeyState, ask: Ask, id: string, at: Now): {state: KeyState; permit: Permit} {
  if (isSpent(state, ask, at.now)) return {state, permit: {granted: false}}
  const pace = {rate: ask.rate, burst: ask.burst}
  const settled = settle(state, pace, at.moment)
  const {bucket, waitMilliseconds} = takePermit(settled.bucket, paceOf(settled, pace, at.moment))
  const hour = hourOf(at.now)
  const until = at.moment.milliseconds + waitMilliseconds + longestFlightMilliseconds
  const inFlight = [...settled.inFlight, {id, until}]
  const next = {...settled, bucket, inFlight, hours: addRequests(state.hours, hour, 1, at.now)}
  return {state: next, permit: {granted: true, id, waitMilliseconds, hour, pace}}
}

/** Whether this class may use no more of the day. */
export function isSpent(state: KeyState, {perDay, floor}: Pick<Ask, 'perDay' | 'floor'>, now: number): boolean {
  return usedOf(state, now, perDay) + (state.shared?.keptOfDay ?? 0) >= perDay - floor
}

/** Permits that are saved at a moment; below 0 those that are promised. */
export function freePermits(state: KeyState, pace: Pace, moment: BootMoment): number {
  return settle(state, pace, moment).bucket.permits
}

/** The request of this permit was answered or failed. */
export function arrive(state: KeyState, {id, pace}: Granted, {moment}: Now): KeyState {
  const settled = settle(state, pace, moment)
  return {...settled, inFlight: settled.inFlight.filter((one) => one.id !== id)}
}

/** Returns a permit that was not used. Waiting requests keep their time, so that none is sent earlier than allowed. */
export function cancel(state: KeyState, permit: Granted, now: Now): KeyState {
  const {bucket} = state
  return {...withoutPermit(state, permit, now), ...(bucket && {bucket: {...bucket, permits: bucket.permits + 1}})}
}

/** A state in which a permit was never given; its time is for the caller. */
export function withoutPermit(state: KeyState, {id, hour}: Granted, {now}: Now): KeyState {
  const inFlight = state.inFlight.filter((one) => one.id !== id)
  return {...state, inFlight, hours: addRequests(state.hours, hour, -1, now)}
}

/** The service was asked too often. Three times in a minute halve the rate for ten minutes. */
export function noteThrottle(state: KeyState, {moment: {milliseconds}}: Now): KeyState {
  const recent = state.throttles.filter((one) => one <= milliseconds && milliseconds - one < throttleWindowMilliseconds)
  const throttles = [...recent, milliseconds]
  const next = {...state, ...(state.bucket && {bucket: drain(state.bucket)})}
  if (throttles.length < throttlesUntilSlow) return {...next, throttles}
  return {...next, throttles: [], slowUntil: milliseconds + slowMilliseconds}
}

/**
 * The daily quota is used up: nothing is asked for as long as the service said, or until midnight UTC. Refused again
 * after that, the reset is at another hour: one request an hour finds it.
 */
export function noteRefusal(state: KeyState, wait: number | undefined, {now}: Now): KeyState {
  if (isRefused(state, now)) return state
  if (wait !== undefined && wait > 0 && wait <= longestRefusalMilliseconds)
    return {...state, refusal: {until: now + wait, is: 'learned'}}
  return {...state, refusal: {until: state.refusal ? now + millisecondsPerHour : nextReset(now), is: 'assumed'}}
}

/** The service took a request again. An answer that was under way when another was refused proves nothing. */
export function noteAccepted(state: KeyState, {now}: Now): KeyState {
  return state.refusal && !isRefused(state, now) ? {...state, refusal: undefined} : state
}

/** The state at a later moment: permits that came since, and only requests that may still be on their way. */
function settle(state: KeyState, pace: Pace, moment: BootMoment): KeyState & {bucket: Bucket} {
  const {bucket} = state
  const isSame = bucket !== undefined && isSameClock(bucket.at, moment)
  const known = isSame ? state : {...state, inFlight: [], throttles: [], slowUntil: 0}
  const inFlight = known.inFlight.filter(({until}) => until > moment.milliseconds)
  const currentPace = bucket ? paceOf(known, pace, bucket.at) : pace
  return {...known, inFlight, bucket: refill(bucket, moment, currentPace, inFlight.length)}
}

function paceOf({slowUntil}: KeyState, pace: Pace, {milliseconds}: BootMoment): Pace {
  return slowUntil > milliseconds ? {...pace, rate: pace.rate / 2} : pace
}

/** Requests used of those `perDay`: in the last 24 hours, or all of them once the service refused. */
function usedOf(state: KeyState, now: number, perDay: number): number {
  const {trailing} = useOf(hoursOf(state), now)
  return isRefused(state, now) ? Math.max(trailing, perDay) : trailing
}

/** The use of all machines. */
function hoursOf({hours, shared}: KeyState): Hours {
  const all = new Map(hours)
  for (const [hour, requests] of shared?.others ?? []) all.set(hour, (all.get(hour) ?? 0) + requests)
  return shared ? [...all].sort(([one], [other]) => one - other) : hours
}

function isRefused({refusal}: KeyState, now: number): boolean {
  return refusal !== undefined && now < refusal.until && refusal.until - now <= longestRefusalMilliseconds
}

/** The use of a key; times are milliseconds since 1970. */
export type KeyUse = ReturnType<typeof describeUse>
export type SharedUse = ReturnType<typeof describeShared>

export function describeUse(state: KeyState, {moment, now}: Now) {
  const {refusal, bucket} = state
  const hours = hoursOf(state)
  const {today, trailing} = useOf(hours, now)
  const current = isRefused(state, now) ? refusal : undefined
  return {
    /** Since midnight UTC, and in the last 24 clock hours. */
    usedToday: today,
    usedTrailing: trailing,
    /** Requests used of those `perDay`: in the last 24 hours, or all of them once the service refused. */
    used: (perDay: number) => usedOf(state, now, perDay),
    /** The time from which fewer requests than these are used, if none is sent until then. */
    roomAt: (requests: number) => Math.max(current?.until ?? 0, roomAt(hours, now, requests)),
    hours,
    /** The end of the day, or the time to ask the service again after it refused. */
    resetAt: current?.until ?? nextReset(now),
    resetIs: current?.is ?? 'assumed',
    /** The service refused because the daily quota is used up. */
    refused: current !== undefined,
    /** The service has refused, on this day or before, and has not accepted a request since. */
    everRefused: refusal !== undefined,
    /** Half the rate, because the service was asked too often. */
    slow: bucket !== undefined && isSameClock(bucket.at, moment) && state.slowUntil > moment.milliseconds,
    shared: state.shared && describeShared(state, state.shared, now),
  }
}

/** The use of a shared budget. */
function describeShared({hours}: KeyState, shared: Shared, now: number) {
  const {others, machines, permits, share, keptOfDay, seen, alone} = shared
  return {
    /** Requests of the last 24 hours, of this machine and of the others. */
    own: useOf(hours, now).trailing,
    others: useOf(others, now).trailing,
    /** That send or may send without asking, this one included. */
    machines,
    /** Permits that are left of the lease. */
    lease: permits.length,
    share,
    /** Requests of the day that machines may use without asking. */
    kept: keptOfDay,
    /** The last answer of the store, and since when it has not answered. */
    seenAt: seen?.serverTime,
    unreachableSince: alone?.since,
  }
}
