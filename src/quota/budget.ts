import type {BootMoment} from '../core/clock.js'
import {isSameClock} from './bucket.js'
import type {Hours} from './day.js'

/** State of a budget on one of the machines that share it. Moments are milliseconds of the clock of `at`. */
export type Shared = {
  machine: string
  /** The latest moment: after another start of the machine, what it has is void. */
  at: BootMoment
  /** Numbers of the last ask that was sent, and of the last that was answered. */
  asked: number
  answered: number
  /** Times from which the permits that are left of the lease may be used, and how many it had. */
  permits: readonly number[]
  granted: number
  /** The ask in flight, for all processes of this machine. */
  asking?: {number: number; sent: number} | undefined
  /** Nobody asks before. */
  nextAsk: number
  /** The first of the asks without an answer, and the last. */
  waiting?: {since: number; until: number} | undefined
  /** The last answer: when it was asked for, when it came, and the time of the store then. */
  seen?: {sent: number; came: number; serverTime: number} | undefined
  /** Tells one store from another. */
  store?: string | undefined
  /** The part of the rate and of the day that this machine may halve and use when it cannot ask. */
  share: number
  shareOfDay: number
  /** Requests that it has sent so. */
  alone?: {since: number; requests: number} | undefined
  others: Hours
  /** Requests of the day that others may use without asking. */
  keptOfDay: number
  machines: number
  /** The last refusals that the store may not know. */
  throttledAt?: number | undefined
  refusedAt?: number | undefined
}

/** Report and request of a machine to the store. */
export type BudgetAsk = {
  machine: string
  number: number
  answered: number
  /** Milliseconds since the last answered ask was sent; null when that is not known. */
  elapsed: number | null
  /** The store that answered last, and its time then; null before the first. */
  store: string | null
  seen: number | null
  /** The time of day of this machine, beside which the store judges its own. */
  wall: number
  want: number
  rate: number
  burst: number
  perDay: number
  floor: number
  /** Permits that a key begins with if the store does not know it. */
  saved: number
  /** Requests that may still reach the service, and permits that are returned. */
  open: number
  back: number
  hours: Hours
  leaving: boolean
  throttled: boolean
  refusedFor: number | null
  refusedIs: string | null
  forget: boolean
}

export type BudgetAnswer = {
  /** The store has a later ask of this machine: another one has its id. */
  isStale?: boolean
  store: string
  serverTime: number
  /** For each permit, the milliseconds until it may be used. */
  waits: readonly number[]
  /** Milliseconds until the next ask where there are none. */
  retry: number
  others: Hours
  keptOfDay: number
  machines: number
  share: number
  shareOfDay: number
  slowFor: number
  refusedFor: number | null
  refusedIs: 'assumed' | 'learned' | null
}

/** No answer that comes later is used. The store counts on it. */
export const longestAskMilliseconds = 2_000

/** Permits at most. */
export const longestLease = 20

/** The time of a permit that is only returned. */
export const voidPermit = Number.MIN_SAFE_INTEGER

export function newShared(machine: string, at: BootMoment): Shared {
  const nothing = {asked: 0, answered: 0, permits: [], granted: 0, nextAsk: 0, share: 0, shareOfDay: 0}
  return {machine, at, ...nothing, others: [], keptOfDay: 0, machines: 1}
}

/** The budget at a later moment; after a restart of the machine nothing is known of times. */
export function sharedAt(shared: Shared, at: BootMoment): Shared {
  if (isSameClock(shared.at, at)) return {...shared, at}
  const {machine, asked, answered, permits, granted, others, keptOfDay, machines, store} = shared
  return {
    ...newShared(machine, at),
    asked,
    answered,
    permits: permits.map(() => voidPermit),
    granted,
    others,
    keptOfDay,
    machines,
    store,
  }
}
