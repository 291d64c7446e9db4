import type {QuotaLeft} from '../../quota/quota.js'
import type {Estimate} from '../../reports/export/estimate.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'

export type ShownEstimate = Estimate & {
  /** At the rate of the key, in seconds; the time of the answers comes on top. */
  seconds: number
  /** Of the requests of a day, 0 to 1 and more. */
  shareOfDay: number
  left: number
  available: number
  days: number
}

/** What an estimate means for the quota. Rate is in requests per second. */
export function toShown(estimate: Estimate, quota: QuotaLeft, rate: number): ShownEstimate {
  const {requests} = estimate
  return {
    ...estimate,
    seconds: Math.ceil(requests / rate),
    shareOfDay: Math.round((requests / quota.perDay) * 10_000) / 10_000,
    left: quota.left,
    available: quota.available,
    days: Math.max(1, Math.ceil((requests - quota.available) / quota.perDay) + 1),
  }
}

export function renderEstimate(shown: ShownEstimate): string {
  const {windows, counted: seen, batches, pages, probes, requests, seconds, shareOfDay, available, days} = shown
  const about = seen < windows ? `about (${seen} of ${counted(windows, 'window')} counted) ` : ''
  const fits =
    requests <= available
      ? `${thousands(available)} may be used today.`
      : `Only ${thousands(available)} may be used today: add --spread ${days}${available > 0 ? ', or --until-quota and give the command again' : ''}.`
  return [
    `${about}${thousands(batches)} ${batches === 1 ? 'batch' : 'batches'} in ${counted(windows, 'window')}`,
    `${counted(requests, 'request')}: ${counted(pages, 'page')}, ${counted(probes, 'seam')}, 1 login`,
    `${thousands(seconds)} s at the rate of this key, ${(shareOfDay * 100).toFixed(1)} % of the day's requests`,
    fits,
    '',
  ].join('\n')
}
