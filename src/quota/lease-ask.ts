import {
  type BudgetAnswer,
  type BudgetAsk,
  longestAskMilliseconds,
  longestLease,
  type Shared,
  sharedAt,
} from './budget.js'
import {type Ask, freePermits, type KeyState, type Now} from './key-state.js'
import type {SharedState} from './lease.js'

const againMilliseconds = 300
/** Asks that nobody has repeated for so long say nothing about the store of now. */
const forgottenMilliseconds = 5_000
/** So long the requests of the last permits are awaited; what comes due meanwhile is saved in the store. */
const pauseMilliseconds = 200
const [firstLease, leastLease] = [8, 2]

/** How to ask: `leaving` returns everything, when no request of another process needs it; `want` instead of the usual. */
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

/** Ends an ask with its answer, or without one. An answer that comes too late, or after a later ask, is not taken. */
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
