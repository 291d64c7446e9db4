import type {QuotaLeft} from '../client/quota.js'
import type {Estimate} from '../reports/estimate.js'

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
  const {windows, counted, batches, pages, probes, requests, seconds, shareOfDay, available, days} = shown
  const about = counted < windows ? `about (${counted} of ${windows} windows were counted) ` : ''
  const fits =
    requests <= available
      ? `${available} may be used today.`
      : `Only ${available} may be used today: add --spread ${days}, or --until-quota and give the command again.`
  return [
    `${about}${batches} batches in ${windows} ${windows === 1 ? 'window' : 'windows'}`,
    `${requests} requests: ${pages} pages, ${probes} seams, 1 login`,
    `${seconds} s at the rate of this key, ${(shareOfDay * 100).toFixed(1)} % of the day's requests`,
    fits,
    '',
  ].join('\n')
}
