import {toTime} from '../../quota/quota-failures.js'
import {counted} from '../../values/counted.js'
import {thousands} from '../../values/thousands.js'
import {simpleTable} from '../terminal/simple-table.js'
import type {QuotaReport} from './quota-report.js'

const runsShown = 20

/** The requests of a key as two tables that fit 80 columns: what there is, and which runs used it. */
export async function renderQuota(report: QuotaReport): Promise<string> {
  const facts = await simpleTable(['what', 'value'], toFacts(report))
  const {runs} = report
  if (runs.length === 0) return facts
  const rows = runs
    .slice(0, runsShown)
    .map(({command, runId, pid, startedAt, requests}) => [
      thousands(requests),
      command,
      runId ?? `process ${pid}`,
      startedAt.slice(5, 16).replace('T', ' '),
    ])
  const rest = runs.slice(runsShown)
  const sum = rest.reduce((total, {requests}) => total + requests, 0)
  const more =
    rest.length > 0 ? `… and ${rest.length} more with ${counted(sum, 'request')} (all of them with --json)\n` : ''
  return `${facts}\n${await simpleTable(['requests', 'command', 'run', 'started (UTC)'], rows)}${more}`
}

function toFacts(report: QuotaReport): string[][] {
  const {profile, baseUrl, key, perDay, perSecond, burst, usedToday, usedTrailing, left, leftIs, reset} = report
  const {available, forecast, refused, shared} = report
  return [
    ['profile', profile],
    ['service', baseUrl ?? 'not set'],
    ['key', key ?? 'none'],
    ['used', refused ? `all of ${thousands(perDay)}, according to the service` : shareOf(report)],
    [
      shared ? 'counted' : 'counted here',
      `${thousands(usedToday)} since midnight UTC, ${thousands(usedTrailing)} in the last 24 hours`,
    ],
    ['left', refused ? 'none: the service refuses until the reset' : `${thousands(left)} (${leftIs})`],
    ['for commands', `${thousands(available.interactive)} interactive, ${thousands(available.writes)} writes`],
    [
      '',
      `${thousands(available.exports)} exports, ${thousands(available.cron)} cron, ${thousands(available.reconcile)} reconcile`,
    ],
    ['rate', `${perSecond} a second, ${thousands(burst)} in a burst${report.slow ? '; halved for now' : ''}`],
    ...(shared ? toSharedFacts(shared) : []),
    ['forecast', left === 0 ? 'nothing is left until the reset' : describeForecast(forecast)],
    ['reset', `${toTime(Date.parse(reset.at))} (${reset.is}); ${thousands(reset.leftThen)} are left then`],
  ]
}

function toSharedFacts(shared: NonNullable<QuotaReport['shared']>): string[][] {
  const {store, machines, usedHere, usedByOthers, share, lease, unreachable} = shared
  const since = unreachable?.since ? ` since ${toTime(Date.parse(unreachable.since))}` : ''
  return [
    ['shared by', store],
    ['', `${thousands(usedHere)} by this machine, ${thousands(usedByOthers)} by others in the last 24 hours`],
    ...(unreachable
      ? [['', `cannot be reached${since}; these are the last known numbers (vendorctl doctor)`]]
      : [['', `${counted(machines, 'machine')} with this one; ${describeShare(share, lease)}`]]),
  ]
}

function describeShare(share: number, lease: number): string {
  if (share === 0) return 'this one has no share at the moment'
  return `this one has a share of ${Math.round(share * 100)} %, and ${counted(lease, 'permit')} left of its lease`
}

function shareOf({used, perDay}: QuotaReport): string {
  return `${thousands(used)} of ${thousands(perDay)} (${((used / perDay) * 100).toFixed(1)} %)`
}

function describeForecast({perHour, usedUpAt}: QuotaReport['forecast']): string {
  const pace = `${thousands(perHour)} an hour lately: `
  return usedUpAt === null ? `${pace}enough until the reset` : `${pace}used up at ${toTime(Date.parse(usedUpAt))}`
}
