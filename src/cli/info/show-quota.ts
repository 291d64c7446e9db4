import type {Clock} from '../../core/clock.js'
import type {CliFailure} from '../../core/errors.js'
import type {BudgetStore} from '../../quota/budget-asker.js'
import {describeUse, newKey} from '../../quota/key-state.js'
import type {Ledger} from '../../quota/ledger.js'
import {toTime} from '../../quota/quota.js'
import {type KnownUse, type QuotaReport, toQuotaReport} from '../../quota/quota-report.js'
import {resolveLogin} from '../../settings/credentials.js'
import {type Resolved, type SettingFlags, toQuota} from '../../settings/settings.js'
import {counted, sum, thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {ledgerKey, openKeyBudget, openKeyLedger} from '../client/key-ledger.js'
import {simpleTable} from '../terminal/simple-table.js'

/** The use of a key according to its ledger. Sends no request, and creates no ledger. */
export async function reportQuota(flags: SettingFlags, context: CommandContext): Promise<QuotaReport> {
  const {environment, clock} = context
  const {resolved, found} = await resolveLogin(flags, environment)
  const {profile, values} = resolved
  const baseUrl = values.baseUrl.value
  const apiKey = found.credentials?.apiKey
  const key = apiKey === undefined ? undefined : ledgerKey(environment, baseUrl ?? '', apiKey)
  const facts = {
    ...{profile, baseUrl: baseUrl ?? null, key: key?.keyFingerprint ?? null},
    ...{perSecond: Number(values.rate.value), burst: Number(values.burst.value)},
  }
  const report = (known: Partial<KnownUse>) =>
    toQuotaReport({facts, quota: toQuota(values), now: clock.now()}, {...unknownUse(clock), ...known})

  if (baseUrl === undefined || apiKey === undefined || key === undefined) return report({})
  const {hasLedger, readLedger} = await import('../../quota/ledger-file.js')
  const budget = await openKeyBudget(context, {resolved, apiKey})
  if (!budget && !hasLedger(key)) return report({leftIs: 'counted'})
  const ledger = await openKeyLedger(context, {baseUrl, apiKey}, 'This is what can be read of it.')
  if (!ledger) {
    const read = readLedger(key) // in a state folder that cannot be written
    return report(read ? {...read, leftIs: 'counted'} : {})
  }
  const shared = budget && {address: budget.address, problem: await updateLedger({ledger, budget}, resolved, clock)}
  const known = {use: ledger.read(), runs: ledger.runs(), budget: shared}
  ledger.close()
  return report({...known, leftIs: 'counted'})
}

/** Forgets that the service refused the key for today. Returns whether a refusal was recorded. Throws `storage`. */
export async function forgetRefusal(flags: SettingFlags, {environment, clock}: CommandContext): Promise<boolean> {
  const {resolved, found} = await resolveLogin(flags, environment)
  const baseUrl = resolved.values.baseUrl.value
  const apiKey = found.credentials?.apiKey
  if (baseUrl === undefined || apiKey === undefined) return false
  const {hasLedger, openLedgerInTurn} = await import('../../quota/ledger-file.js')
  const key = ledgerKey(environment, baseUrl, apiKey)
  const budget = await openKeyBudget({environment}, {resolved, apiKey})
  if (!budget && !hasLedger(key)) return false
  const counting = {command: 'quota forget', pid: process.pid, startedAt: clock.now()}
  const {ledger} = await openLedgerInTurn(key, counting, clock)
  try {
    const problem = budget && (await updateLedger({ledger, budget}, resolved, clock))
    const forgotten = ledger.forgetRefusal()
    const left = budget && !problem ? await updateLedger({ledger, budget}, resolved, clock, true) : problem
    if (left) throw left
    return forgotten
  } finally {
    ledger.close()
  }
}

function unknownUse(clock: Clock): KnownUse {
  const moment = {boot: undefined, milliseconds: clock.monotonic()}
  return {use: describeUse(newKey, {moment, now: clock.now()}), runs: [], leftIs: 'estimated'}
}

/** Updates the ledger from the shared store without asking for permits. Returns why the store did not answer. */
async function updateLedger(
  {ledger, budget}: {ledger: Ledger; budget: BudgetStore},
  {values}: Resolved,
  clock: Clock,
  forget = false,
): Promise<CliFailure | undefined> {
  const {lookAtBudget} = await import('../../quota/budget-asker.js')
  const pace = {rate: Number(values.rate.value), burst: Number(values.burst.value)}
  const ask = {...pace, perDay: toQuota(values).perDay, floor: 0, isShared: true}
  return lookAtBudget({ledger, budget, clock}, ask, forget)
}

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
  const ofRest = counted(sum(rest.map(({requests}) => requests)), 'request')
  const more = rest.length > 0 ? `… and ${rest.length} more with ${ofRest} (all of them with --json)\n` : ''
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
