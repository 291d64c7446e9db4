import {CliFailure} from '../core/errors.js'
import {counted, thousands} from '../values/counted.js'
import {toMessageText} from '../values/message-text.js'
import type {KeyUse} from './key-state.js'

/** Classes of requests stop at different points of the day, so that what matters most can still be done. */
export type QuotaClass = 'interactive' | 'writes' | 'exports' | 'cron' | 'reconcile'

/** The requests of one key and day. */
export type QuotaLeft = {
  perDay: number
  /** In the last 24 hours. */
  used: number
  /** For the rest of the day; never below 0. */
  left: number
  /** Requests that this class may still use: those above its floor that are not kept for other machines. */
  available: number
  /** Requests of a shared budget that machines which cannot be asked may use, for up to five minutes. */
  keptForMachines?: number
  /** Counted by the ledger of the key, or estimated from this process alone. */
  is: 'counted' | 'estimated'
  /** The daily reset; milliseconds since 1970. */
  resetAt: number
  resetIs: 'assumed' | 'learned'
  /** Time from which this class may use more, if nothing is sent until then: also later, as the last 24 hours count. */
  moreAt: number
  /** The service refused, and is not asked again before the reset. */
  refused?: boolean
}

/** The day's requests and what a profile leaves of them to others. */
export type Quota = {perDay: number; floor: number}

/** Parts of the day's requests that a class leaves unused. [dec] Of 5,000: 100, 500, 750, 1,000 and none. */
const floors: Record<QuotaClass, number> = {interactive: 0.02, writes: 0.1, exports: 0.15, cron: 0.2, reconcile: 0}

/** Requests that finding out what became of one set may take; they are reserved while it is in flight. */
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

/** For whom the requests are kept that a class may not use. */
const keptFor: Record<QuotaClass, string> = {
  interactive: 'finding out what became of writes',
  writes: 'reads by hand and finding out what became of writes',
  exports: 'writes and reads by hand',
  cron: 'work by hand',
  reconcile: '',
}

/** The next step where the service takes requests before the daily reset. */
const askAgain = 'If the service takes requests sooner: vendorctl quota forget'

/**
 * The service was not asked: it would refuse, or what is left is kept for something else; `isByProfile` when by its
 * quotaFloor.
 */
export function quotaSpent(quota: QuotaLeft, quotaClass: QuotaClass, isByProfile: boolean): CliFailure {
  const {perDay, used, left, is, keptForMachines} = quota
  const count = `${thousands(used)} of ${thousands(perDay)} requests of this key for today are used`
  const whose = is === 'counted' ? count : `${count} by this run`
  const floor = isByProfile ? 'others, by quotaFloor of the profile' : keptFor[quotaClass]
  const silent = keptForMachines && 'machines that ended without returning their share, for up to five minutes'
  const whom = silent ? `${floor ? `${floor}, and for ` : ''}${silent}` : floor
  const kept = left > 0 ? `; the ${thousands(left)} left are for ${whom}` : ''
  return new CliFailure(`Stopped: ${whose}${kept}.`, {
    code: 'QUOTA_SPENT',
    retry: 'safe',
    hints: [
      keptForMachines ? 'Run the same command again in five minutes. See: vendorctl quota' : describeMore(quota),
      quota.refused ? askAgain : 'If the service gives this key more: vendorctl profiles set NAME dailyQuota=N',
    ],
  })
}

/** The service refused, with this `message`. */
export function quotaUsedUp(
  asked: string,
  {message, resetAt}: {message: string; resetAt?: number | undefined},
): CliFailure {
  const resume = resetAt === undefined ? '' : `Resume at ${toTime(resetAt)}. `
  return new CliFailure(`${asked}: the requests of this key for today are used up (${toMessageText(message)}).`, {
    code: 'QUOTA',
    retry: 'safe',
    hints: [`${resume}See: vendorctl quota`, askAgain],
  })
}

/** The service refused for a limit of `what` alone; all else that the key does goes on. */
export function ownLimitUsedUp(what: string, {message}: {message: string}): CliFailure {
  return new CliFailure(`The service's own daily limit of ${what} is used up (${toMessageText(message)}).`, {
    code: 'OWN_LIMIT',
    retry: 'safe',
    hints: ['It resets at 00:00 UTC: send the rest then. Other commands are not affected.'],
  })
}

/** The last 24 hours count, too: then it is later than the daily reset. */
function describeMore({resetAt, resetIs, moreAt}: QuotaLeft): string {
  if (moreAt <= resetAt) return `Resume after the daily reset at ${toTime(resetAt)} (${resetIs}). See: vendorctl quota`
  return `Resume at ${toTime(moreAt)}: the requests of the last 24 hours also count after the daily reset at ${toTime(resetAt)} (${resetIs}). See: vendorctl quota`
}

/** Whether a failure says that the requests of the day are used up. */
export function isQuotaSpent(error: unknown): error is CliFailure {
  return error instanceof CliFailure && (error.code === 'QUOTA_SPENT' || error.code === 'QUOTA')
}

/** Work that is about to start. */
export type Work = {
  /** As the subject of a sentence: `The export`, `sites.csv`. */
  what: string
  /** Requests that it needs, those reserved for reconciling included. */
  requests: number
  quota: QuotaLeft
  /** Do what is possible until nothing is left that may be used. */
  untilQuota?: boolean | undefined
  /** Days over which it is spread; 1 unless given. */
  days?: number | undefined
  /** Other ways, in the order to try them; those of an export unless given. */
  ways?: readonly string[]
}

/** The ways out of an export that does not fit; a write has others. */
const waysOfExport = [
  'Take what is left and resume on another day: add --until-quota',
  'Spread it: add --spread DAYS',
  'Ask for less: narrow the filters or the range.',
]

/**
 * Throws a `CliFailure` (limited) when the work cannot finish within what is left for it, with the ways out. Nothing
 * has been sent then.
 */
export function checkFits({what, requests, quota, untilQuota, days = 1, ways = waysOfExport}: Work): void {
  const {available, perDay, used, left, resetAt, resetIs, moreAt} = quota
  const perDayNeeded = Math.ceil(requests / days)
  if (perDayNeeded <= available || (untilQuota && available > 0)) return
  const kept = left - available
  const count =
    quota.is === 'counted' ? `${thousands(used)} of ${thousands(perDay)} are used` : `${thousands(perDay)} a day`
  const reserve = kept > 0 ? `, ${thousands(kept)} kept back` : ''
  const until = moreAt <= resetAt ? `${toTime(resetAt)} (${resetIs})` : toTime(moreAt)
  const need = days > 1 ? `${counted(perDayNeeded, 'request')} a day` : counted(requests, 'request')
  throw new CliFailure(
    `${what} needs ${need}, but only ${thousands(available)} may be used until ${until}: ${count}${reserve}.`,
    {code: 'QUOTA_FORECAST', retry: 'safe', hints: available > 0 ? [...ways] : waysWithNothing(ways)},
  )
}

/** Taking what is left is no way out where nothing is. */
function waysWithNothing(ways: readonly string[]): string[] {
  return [...ways.filter((way) => !way.includes('--until-quota')), 'Start when more may be used. See: vendorctl quota']
}

/** `2024-07-31 00:00 UTC` */
export function toTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
