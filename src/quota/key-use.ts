import {isSameClock} from './bucket.js'
import type {Shared} from './budget.js'
import {type Hours, nextReset, roomAt, useOf} from './day.js'
import {hoursOf, isRefused, type KeyState, type Now, type Refusal, usedOf} from './key-state.js'

/** The use of a key. */
export type KeyUse = {
  /** Since midnight UTC, and in the last 24 clock hours. */
  usedToday: number
  usedTrailing: number
  /** Of so many a day: those of the last 24 hours, or all of them once the service refused. */
  used(perDay: number): number
  /** When fewer requests than these are used, if none is sent until then; milliseconds since 1970. */
  roomAt(requests: number): number
  hours: Hours
  /** When the day ends, or when the service is asked again after it refused; milliseconds since 1970. */
  resetAt: number
  resetIs: Refusal['is']
  /** The service refused because the daily quota is used up. */
  refused: boolean
  /** It did so before, and has not taken a request since. */
  everRefused: boolean
  /** Half the rate, because the service was asked too often. */
  slow: boolean
  /** Of a shared budget. */
  shared?: SharedUse | undefined
}

export type SharedUse = {
  /** Requests of the last 24 hours, of this machine and of the others. */
  own: number
  others: number
  /** That send or may send without asking, this one included. */
  machines: number
  /** Permits that are left of the lease. */
  lease: number
  share: number
  /** Requests of the day that machines may use without asking. */
  kept: number
  /** The last answer of the store, and since when it has not answered; milliseconds since 1970. */
  seenAt?: number | undefined
  unreachableSince?: number | undefined
}

export function describeUse(state: KeyState, {moment, now}: Now): KeyUse {
  const {refusal, bucket} = state
  const hours = hoursOf(state)
  const {today, trailing} = useOf(hours, now)
  const current = isRefused(state, now) ? refusal : undefined
  return {
    usedToday: today,
    usedTrailing: trailing,
    used: (perDay) => usedOf(state, now, perDay),
    roomAt: (requests) => Math.max(current?.until ?? 0, roomAt(hours, now, requests)),
    hours,
    resetAt: current?.until ?? nextReset(now),
    resetIs: current?.is ?? 'assumed',
    refused: current !== undefined,
    everRefused: refusal !== undefined,
    slow: bucket !== undefined && isSameClock(bucket.at, moment) && state.slowUntil > moment.milliseconds,
    ...(state.shared && {shared: describeShared(state, state.shared, now)}),
  }
}

function describeShared(
  {hours}: KeyState,
  {others, machines, permits, share, keptOfDay, seen, alone}: Shared,
  now: number,
): SharedUse {
  return {
    own: useOf(hours, now).trailing,
    others: useOf(others, now).trailing,
    machines,
    lease: permits.length,
    share,
    kept: keptOfDay,
    seenAt: seen?.serverTime,
    unreachableSince: alone?.since,
  }
}
