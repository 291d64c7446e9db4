import {CliFailure} from '../core/errors.js'
import {counted} from '../values/counted.js'
import type {QuotaLeft} from './quota.js'
import {group, toTime} from './quota-failure.js'

export type Forecast = {
  /** What is about to start, as the subject of a sentence: `The export`, `sites.csv`. */
  what: string
  /** Requests that it needs, those held back for reconciling included. */
  requests: number
  quota: QuotaLeft
  /** Go on until nothing is left that may be used. */
  untilQuota?: boolean | undefined
  /** Days over which it is spread; 1 unless given. */
  days?: number | undefined
  /** What to do instead, in the order to try it; that of an export unless given. */
  ways?: readonly string[]
}

/** The ways out of an export that does not fit; a write has others. */
const waysOfExport = [
  'Take what is left and go on another day: add --until-quota',
  'Spread it: add --spread DAYS',
  'Ask for less: narrow the filters or the range.',
]

/**
 * Throws a `CliFailure` (limited) when the work cannot finish within what is left for it, with the ways out. Nothing
 * has been sent then.
 */
export function checkForecast({what, requests, quota, untilQuota, days = 1, ways = waysOfExport}: Forecast): void {
  const {available, perDay, used, left, resetAt, resetIs, moreAt} = quota
  const perDayNeeded = Math.ceil(requests / days)
  if (perDayNeeded <= available || (untilQuota && available > 0)) return
  const kept = left - available
  const count = quota.is === 'counted' ? `${group(used)} of ${group(perDay)} are used` : `${group(perDay)} a day`
  const held = kept > 0 ? `, ${group(kept)} kept back` : ''
  const until = moreAt <= resetAt ? `${toTime(resetAt)} (${resetIs})` : toTime(moreAt)
  const need = days > 1 ? `${counted(perDayNeeded, 'request')} a day` : counted(requests, 'request')
  throw new CliFailure(
    `${what} needs ${need}, but only ${group(available)} may be used until ${until}: ${count}${held}.`,
    {code: 'QUOTA_FORECAST', exit: 'limited', retry: 'safe', hints: available > 0 ? [...ways] : waysWithNothing(ways)},
  )
}

/** Taking what is left is no way out where nothing is. */
function waysWithNothing(ways: readonly string[]): string[] {
  return [...ways.filter((way) => !way.includes('--until-quota')), 'Begin when more may be used. See: vendorctl quota']
}

/** Milliseconds from one request to the next when so many are spread over so many days. */
export function spreadOver(requests: number, days: number): number {
  return (days * 86_400_000) / Math.max(1, requests)
}
