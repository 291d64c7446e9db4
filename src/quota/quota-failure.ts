import {CliFailure} from '../core/errors.js'
import {shown} from '../values/shown.js'
import {thousands} from '../values/thousands.js'
import type {QuotaClass, QuotaLeft} from './quota.js'

/** For whom the requests are kept that a class may not use. */
const keptFor: Record<QuotaClass, string> = {
  interactive: 'finding out what became of writes',
  writes: 'reads by hand and finding out what became of writes',
  exports: 'writes and reads by hand',
  cron: 'work by hand',
  reconcile: '',
}

/**
 * The service was not asked: it would refuse, or what is left is kept for something else; `isByProfile` when by its
 * quotaFloor.
 */
export function quotaSpent(quota: QuotaLeft, quotaClass: QuotaClass, isByProfile: boolean): CliFailure {
  const {perDay, used, left, is} = quota
  const count = `${group(used)} of ${group(perDay)} requests of this key for today are used`
  const counted = is === 'counted' ? count : `${count} by this run`
  const whom = isByProfile ? 'others, by quotaFloor of the profile' : keptFor[quotaClass]
  const kept = left > 0 ? `; the ${group(left)} left are for ${whom}` : ''
  return new CliFailure(`Stopped: ${counted}${kept}.`, {
    code: 'QUOTA_SPENT',
    exit: 'limited',
    retry: 'safe',
    hints: [
      describeMore(quota),
      quota.refused ? askAgain : 'If the service gives this key more: vendorctl profiles set NAME dailyQuota=N',
    ],
  })
}

/** What to do where the service takes requests sooner than that. */
const askAgain = 'If the service takes requests sooner: vendorctl quota forget'

/** The service refused, and said so in `message`. */
export function quotaUsedUp(asked: string, {message, resetAt}: {message: string; resetAt?: number}): CliFailure {
  const goOn = resetAt === undefined ? '' : `Go on at ${toTime(resetAt)}. `
  return new CliFailure(`${asked}: the requests of this key for today are used up (${shown(message)}).`, {
    code: 'QUOTA',
    exit: 'limited',
    retry: 'safe',
    hints: [`${goOn}See: vendorctl quota`, askAgain],
  })
}

/** The last 24 hours count, too: then it is later than the turn of the day. */
function describeMore({resetAt, resetIs, moreAt}: QuotaLeft): string {
  if (moreAt <= resetAt)
    return `Go on when the day has turned, at ${toTime(resetAt)} (${resetIs}). See: vendorctl quota`
  return `Go on at ${toTime(moreAt)}; until then the requests of the last 24 hours leave nothing, also after the reset at ${toTime(resetAt)} (${resetIs}). See: vendorctl quota`
}

/** Whether a failure says that the requests of the day, or those of this run, are used up. */
export function isQuotaSpent(error: unknown): error is CliFailure {
  return error instanceof CliFailure && (error.code === 'QUOTA_SPENT' || error.code === 'QUOTA')
}

/** `2024-07-31 00:00 UTC` */
export function toTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function group(number: number): string {
  return thousands(number)
}
