import {emptyBucket, headroom, isSameClock, type Pace, refill, takePermit} from './bucket.js'
import {
  type BudgetAnswer,
  type BudgetAsk,
  longestAskMilliseconds,
  longestLease,
  type Shared,
  sharedAt,
  voidPermit,
} from './budget.js'
import {addRequests, hourOf} from './day.js'
import {
  type Ask,
  freePermits,
  type Granted,
  isSpent,
  type KeyState,
  longestFlightMilliseconds,
  type Now,
  type Permit,
  withoutPermit,
} from './key-state.js'

export type SharedState = KeyState & {shared: Shared}
type Step = {state: KeyState; permit: Permit}

/** A permit is void this long after its time. The store counts on it. */
export const usableMilliseconds = 2_000
/** Without an answer for this long, a machine sends at half of its share. The store counts on it. */
const patienceMilliseconds = 2_000
/** A machine sends at half of its share for this long after its last contact. The store counts on it. */
const shareMilliseconds = 300_000
/** Facts about the day are trusted for this long. */
const freshMilliseconds = 5_000
const pollMilliseconds = 15
const longestRetryMilliseconds = 250

/** The hours of the store, which are the same for all machines, as long as its clock is known. */
export function storeTime({shared}: KeyState, {moment, now}: Now): Now {
  if (!shared?.seen || !isSameClock(shared.at, moment)) return {moment, now}
  return {moment, now: shared.seen.serverTime + moment.milliseconds - shared.seen.came, wall: now}
}

/** Uses a permit of the lease, or, when the store has not answered for a while, one of half of this machine's share. */
export function takeShared(state: SharedState, ask: Ask, id: string, at: Now): Step {
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
function takeAlone(state: SharedState, ask: Ask, {id, at}: {id: string; at: Now}): Step {
  const {shared} = state
  const now = at.moment.milliseconds
  const isLiving = shared.seen !== undefined && now - shared.seen.sent < shareMilliseconds && shared.share > 0
  const alone = shared.alone ?? {since: at.now, requests: 0}
  if (!isLiving || alone.requests >= shared.shareOfDay)
    return {state, permit: {...needsLease(shared, now), why: 'unreachable'}}
  const half = shared.share / 2
  const pace = {rate: (state.slowUntil > now ? ask.rate / 2 : ask.rate) * half, burst: ask.burst * half}
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

type Granting = {id: string; at: Now; waitMilliseconds: number; bucket?: KeyState['bucket']}

/** Whoever counts without the store later begins with an empty bucket. */
function grant(state: SharedState, {rate, burst}: Pace, {id, at, waitMilliseconds, bucket}: Granting): Step {
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
export function returnPermit(state: KeyState, permit: Granted & {time: number}, now: Now): KeyState {
  const {shared} = state
  const permits = shared && [...shared.permits, permit.time].sort((one, other) => one - other)
  return {...withoutPermit(state, permit, now), ...(permits && {shared: {...shared, permits}})}
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

const againMilliseconds = 300
/** Asks that nobody has repeated for this long say nothing about the store of now. */
const forgottenMilliseconds = 5_000
/** Wait for the requests of the last permits; what comes due meanwhile is saved in the store. */
const pauseMilliseconds = 200
const [firstLease, leastLease] = [8, 2]

/** Ways to ask: `leaving` returns everything, when no request of another process needs it; `want` for the usual. */
export type HowToAsk = {want?: number; leaving?: {own: ReadonlySet<string>}; forget?: boolean}

/** Begins an ask, unless another process asks or it is too early. What is left of the lease is returned with it. */
export function startAsk(state: SharedState, ask: Ask, how: HowToAsk, at: Now): {state: KeyState; asking?: BudgetAsk} {
  const shared = sharedAt(state.shared, at.moment)
  const now = at.moment.milliseconds
  const isAsked = shared.asking !== undefined && now < shared.asking.sent + longestAskMilliseconds
  const inFlight = state.inFlight.filter(({until}) => until > now)
  const nextAsk = shared.granted > 0 && inFlight.length > 0 ? shared.nextAsk + pauseMilliseconds : shared.nextAsk
  const isSoon = now < nextAsk && how.want === undefined && !how.leaving
  if (isAsked || isSoon || (how.leaving && inFlight.some(({id}) => !how.leaving?.own.has(id)))) return {state}

  const number = shared.asked + 1
  const {seen, answered, machine, permits, throttledAt, refusedAt} = shared
  const isRepeated = shared.waiting !== undefined && now < shared.waiting.until
  const waiting = {since: isRepeated ? (shared.waiting?.since ?? now) : now, until: now + forgottenMilliseconds}
  const refusal = refusedAt !== undefined && state.refusal && state.refusal.until > at.now ? state.refusal : undefined
  const asking: BudgetAsk = {
    machine,
    number,
    answered,
    elapsed: seen ? now - seen.sent : null,
    store: shared.store ?? null,
    seen: seen?.serverTime ?? null,
    wall: at.wall ?? at.now,
    want: how.leaving ? 0 : (how.want ?? wanted(shared)),
    ...{rate: ask.rate, burst: ask.burst, perDay: ask.perDay, floor: ask.floor},
    saved: freePermits(state, ask, at.moment),
    open: inFlight.length,
    back: permits.length,
    hours: state.hours,
    leaving: how.leaving !== undefined,
    throttled: throttledAt !== undefined,
    refusedFor: refusal ? refusal.until - at.now : null,
    refusedIs: refusal?.is ?? null,
    forget: how.forget === true,
  }
  return {
    state: {...state, inFlight, shared: {...shared, asked: number, permits: [], asking: {number, sent: now}, waiting}},
    asking,
  }
}

/** As many as it uses: all of a lease, or what it has used of the last one and one more. */
function wanted({granted, permits}: Shared): number {
  if (granted === 0) return firstLease
  return permits.length === 0 ? longestLease : Math.max(leastLease, granted - permits.length + 1)
}

/** Ends an ask with its answer, or without one. An answer that comes too late, or after a later ask, is not used. */
export function finishAsk(
  state: SharedState,
  {number, answer, newId}: {number: number; answer: BudgetAnswer | undefined; newId: string},
  at: Now,
): KeyState {
  const shared = sharedAt(state.shared, at.moment)
  const now = at.moment.milliseconds
  if (shared.asking?.number !== number) return state
  const {sent} = shared.asking
  const ended = {...shared, asking: undefined, granted: 0}
  const isFirst = shared.waiting?.since === sent
  const again = {...ended, nextAsk: isFirst ? now : now + againMilliseconds}
  if (!answer || now - sent > longestAskMilliseconds) return {...state, shared: again}
  if (answer.isStale)
    return {...state, shared: {...again, machine: newId, asked: 0, answered: 0, seen: undefined, share: 0}}

  const {store, waits, retry, serverTime, others, keptOfDay, machines, share, shareOfDay, slowFor} = answer
  const permits = waits.map((wait) => now + wait)
  const last = permits.at(-1)
  const isUnknown = (moment: number | undefined) => moment !== undefined && moment > sent
  const refusal =
    answer.refusedFor === null ? undefined : {until: serverTime + answer.refusedFor, is: answer.refusedIs ?? 'assumed'}
  const isRefusalUnknown = isUnknown(shared.refusedAt)
  const expired = state.refusal && state.refusal.until <= serverTime ? state.refusal : undefined
  return {
    ...state,
    slowUntil: slowFor > 0 ? now + slowFor : state.slowUntil,
    refusal: isRefusalUnknown ? state.refusal : (refusal ?? expired),
    shared: {
      ...ended,
      ...{answered: number, store, permits, granted: permits.length, others, keptOfDay, machines, share, shareOfDay},
      nextAsk: last === undefined ? now + retry : last,
      waiting: undefined,
      alone: undefined,
      seen: {sent, came: now, serverTime},
      throttledAt: isUnknown(shared.throttledAt) ? shared.throttledAt : undefined,
      refusedAt: isRefusalUnknown ? shared.refusedAt : undefined,
    },
  }
}
