import {CliFailure} from '../errors.js'
import type {QuotaClass, QuotaLeft} from './quota.js'

/** For whom the requests are kept that a class may not use. */
const keptFor: Record<QuotaClass, string> = {
  interactive: 'finding out what became of writes',
  writes: 'reads by hand and finding out what became of writes',
  exports: 'writes and reads by hand',
  cron: 'work by hand',
  reconcile: '',
}

/** The service was not asked: it would refuse, or what is left is kept for something else. */
export function quotaSpent({perDay, used, left, is, ...reset}: QuotaLeft, quotaClass: QuotaClass): CliFailure {
  const count = `${group(used)} of ${group(perDay)} requests of this key for today are used`
  const counted = is === 'counted' ? count : `${count} by this run`
  const kept = left > 0 ? `; the ${group(left)} left are for ${keptFor[quotaClass]}` : ''
  return new CliFailure(`Stopped: ${counted}${kept}.`, {
    code: 'QUOTA_SPENT',
    exit: 'limited',
    retry: 'safe',
    hints: [
      `Go on when the day has turned, at ${toTime(reset.resetAt)} (${reset.resetIs}). See: vendorctl quota`,
      'If the service gives this key more: vendorctl profiles set NAME dailyQuota=N',
    ],
  })
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
  return number.toLocaleString('en-US')
}
