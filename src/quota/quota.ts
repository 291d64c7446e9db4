import type {KeyUse} from './key-use.js'

/** Who asks: classes stop at different points of the day, so that what matters most can still be done. */
export type QuotaClass = 'interactive' | 'writes' | 'exports' | 'cron' | 'reconcile'

/** The requests of one key and day. */
export type QuotaLeft = {
  perDay: number
  /** Of the last 24 hours. */
  used: number
  /** Of the day; never below 0. */
  left: number
  /** What this class may still use: what is left above its floor, and not kept for other machines. */
  available: number
  /** Of a shared budget: what machines that cannot be asked may use, for up to five minutes. */
  keptForMachines?: number
  /** Counted by the ledger of the key, or estimated from this process alone. */
  is: 'counted' | 'estimated'
  /** The daily reset; milliseconds since 1970. */
  resetAt: number
  resetIs: 'assumed' | 'learned'
  /** When this class may use more than now, if nothing is sent until then: also later, as the last 24 hours count. */
  moreAt: number
  /** The service refused, and is not asked again before the reset. */
  refused?: boolean
}

/** The day's requests and what a profile leaves of them to others. */
export type Quota = {perDay: number; floor: number}

/** Parts of the day's requests that a class leaves unused. [dec] Of 5,000: 100, 500, 750, 1,000 and none. */
const floors: Record<QuotaClass, number> = {interactive: 0.02, writes: 0.1, exports: 0.15, cron: 0.2, reconcile: 0}

/** Requests that finding out what became of one set may take; they are held back while it is in flight. */
export const reconcileRequestsPerSet = 4

/** Requests that a class leaves unused; only reconciling may use what the profile leaves to others. */
export function floorOf(quotaClass: QuotaClass, {perDay, floor}: Quota): number {
  if (quotaClass === 'reconcile') return 0
  const least = quotaClass === 'writes' ? reconcileRequestsPerSet : 0
  return Math.max(Math.floor(perDay * floors[quotaClass]), floor, least)
}

export function toQuotaLeft(use: KeyUse, is: QuotaLeft['is'], quota: Quota, quotaClass: QuotaClass): QuotaLeft {
  const {perDay} = quota
  const {resetAt, resetIs, refused} = use
  const used = use.used(perDay)
  const left = Math.max(0, perDay - used)
  const floor = floorOf(quotaClass, quota)
  const kept = use.shared?.kept ?? 0
  const available = Math.max(0, left - floor - kept)
  const moreAt = use.roomAt(available > 0 ? used : perDay - floor)
  const keptForMachines = left > floor && kept > 0 ? {keptForMachines: kept} : {}
  return {perDay, used, left, available, is, resetAt, resetIs, moreAt, refused, ...keptForMachines}
}
