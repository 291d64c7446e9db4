import type {CliFailure} from '../core/errors.js'
import {millisecondsPerHour} from '../values/date-time.js'
import {hourOf} from './day.js'
import type {KeyUse, SharedUse} from './key-state.js'
import type {RunUse} from './ledger.js'
import {floorOf, type Quota, type QuotaClass} from './quota.js'

/** The requests of one key today, as `--json` shows them. */
export type QuotaReport = {
  profile: string
  baseUrl: string | null
  /** Fingerprint of the API key. */
  key: string | null
  perDay: number
  perSecond: number
  burst: number
  used: number
  usedToday: number
  usedTrailing: number
  left: number
  leftIs: 'counted' | 'estimated'
  /** Requests that each class may still use. */
  available: Record<QuotaClass, number>
  forecast: {perHour: number; usedUpAt: string | null}
  reset: {at: string; is: 'assumed' | 'learned'; leftThen: number}
  refused: boolean
  slow: boolean
  /** A budget that machines share; requests of the last 24 hours. */
  shared?: {
    store: string
    machines: number
    usedHere: number
    usedByOthers: number
    /** Part of the rate of the key, 0 to 1, of which half may be used without the store. */
    share: number
    lease: number
    answeredAt: string | null
    unreachable: {since: string | null; reason: string} | null
  }
  runs: {command: string; runId: string | null; pid: number; startedAt: string; requests: number}[]
}

const hoursOfForecast = 3
const classes: readonly QuotaClass[] = ['interactive', 'writes', 'exports', 'cron', 'reconcile']

/** Subject and limits of a report. */
export type QuotaFacts = {
  facts: Pick<QuotaReport, 'profile' | 'baseUrl' | 'key' | 'perSecond' | 'burst'>
  quota: Quota
  now: number
}

/** Facts about a key. `budget`: the address of the store that it shares, and why that did not answer. */
export type KnownUse = {
  use: KeyUse
  runs: RunUse[]
  leftIs: QuotaReport['leftIs']
  budget?: {address: string; problem: CliFailure | undefined} | undefined
}

export function toQuotaReport({facts, quota, now}: QuotaFacts, {use, runs, leftIs, budget}: KnownUse): QuotaReport {
  const {perDay} = quota
  const used = use.used(perDay)
  const left = Math.max(0, perDay - used)
  const available = classes.map((one) => [one, Math.max(0, left - floorOf(one, quota))])
  return {
    ...{...facts, perDay, used, usedToday: use.usedToday, usedTrailing: use.usedTrailing, left, leftIs},
    available: Object.fromEntries(available) as QuotaReport['available'],
    forecast: forecast(use, left, now),
    reset: {at: new Date(use.resetAt).toISOString(), is: use.resetIs, leftThen: leftAt(use, perDay)},
    refused: use.refused,
    slow: use.slow,
    ...(budget && use.shared && {shared: toShared(budget, use.shared)}),
    runs: runs.map(({command, runId = null, pid, startedAt, requests}) => {
      return {command, runId, pid, startedAt: new Date(startedAt).toISOString(), requests}
    }),
  }
}

function toShared({address: store, problem}: NonNullable<KnownUse['budget']>, use: SharedUse) {
  const {machines, own, others, share, lease, seenAt, unreachableSince} = use
  const time = (milliseconds: number | undefined) =>
    milliseconds === undefined ? null : new Date(milliseconds).toISOString()
  const unreachable = problem ? {since: time(unreachableSince), reason: problem.message} : null
  return {store, machines, usedHere: own, usedByOthers: others, share, lease, answeredAt: time(seenAt), unreachable}
}

/** At the pace of the last hours; null where the reset comes before everything is used up. */
export function forecast(
  {hours, resetAt}: Pick<KeyUse, 'hours' | 'resetAt'>,
  left: number,
  now: number,
): QuotaReport['forecast'] {
  const first = hourOf(now) - hoursOfForecast + 1
  const recent = hours.reduce((sum, [hour, requests]) => (hour >= first ? sum + requests : sum), 0)
  const perHour = recent / (now / millisecondsPerHour - first)
  const usedUpAt = now + (left / perHour) * millisecondsPerHour
  const isBefore = recent > 0 && usedUpAt < resetAt
  return {perHour: Math.round(perHour), usedUpAt: isBefore ? new Date(usedUpAt).toISOString() : null}
}

/** Requests left after the reset if nothing more is sent: the last 24 hours still count. */
export function leftAt({hours, resetAt}: Pick<KeyUse, 'hours' | 'resetAt'>, perDay: number): number {
  const oldest = hourOf(resetAt) - 23
  const left = hours.reduce((sum, [hour, requests]) => (hour >= oldest ? sum - requests : sum), perDay)
  return Math.max(0, left)
}
