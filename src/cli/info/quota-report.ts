import {systemClock} from '../../core/clock.js'
import type {CliFailure} from '../../core/errors.js'
import type {BudgetStore} from '../../quota/budget-asker.js'
import {hourOf, millisecondsPerHour} from '../../quota/day.js'
import {describeUse, type KeyUse, newKey, type SharedUse} from '../../quota/key-state.js'
import type {Ledger, RunUse} from '../../quota/ledger.js'
import type {LedgerKey} from '../../quota/ledger-file.js'
import {floorOf, type QuotaClass, toTime} from '../../quota/quota.js'
import {counted, thousands} from '../../values/counted.js'
import type {Environment} from '../app/environment.js'
import {openKeyBudget} from '../client/key-budget.js'
import {type ClientContext, ledgerKey, openKeyLedger} from '../client/key-ledger.js'
import {CredentialStore} from '../settings/credential-store.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import {Profiles} from '../settings/profiles.js'
import {type Resolved, resolveSettings, type SettingFlags, toQuota} from '../settings/settings.js'
import {simpleTable} from '../terminal/simple-table.js'

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
  /** What each class of requests may still use. */
  available: Record<QuotaClass, number>
  forecast: {perHour: number; usedUpAt: string | null}
  reset: {at: string; is: 'assumed' | 'learned'; leftThen: number}
  refused: boolean
  slow: boolean
  /** Of a budget that machines share; requests of the last 24 hours. */
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

/** What the ledger of the key holds; no request is sent, and a key that was never counted gets no ledger. */
export async function reportQuota(flags: SettingFlags, context: ClientContext): Promise<QuotaReport> {
  const {environment} = context
  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  const {credentials} = await findCredentials(resolved, environment, new CredentialStore(environment))
  const baseUrl = resolved.values.baseUrl.value
  const apiKey = credentials?.apiKey
  if (baseUrl === undefined || apiKey === undefined) return toReport(resolved, undefined, readNothing(), 'estimated')
  const {hasLedger} = await import('../../quota/ledger-file.js')
  const budget = await openKeyBudget(context, {resolved, apiKey})
  if (!budget && !hasLedger(ledgerKey(environment, baseUrl, apiKey)))
    return toReport(resolved, apiKey, readNothing(), 'counted')
  const ledger = await openKeyLedger(context, {baseUrl, apiKey}, 'This is what can be read of it.')
  if (!ledger) return toReport(resolved, apiKey, ...(await readOnly(ledgerKey(environment, baseUrl, apiKey))))
  const problem = budget && (await look({ledger, budget}, resolved))
  const known = {use: ledger.read(), runs: ledger.runs(), ...(budget && {budget: budget.address, problem})}
  ledger.close()
  return toReport(resolved, apiKey, known, 'counted')
}

/** Forgets that the service refused the key for today; whether a refusal was remembered. Throws `storage`. */
export async function forgetRefusal(flags: SettingFlags, environment: Environment) {
  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  const {credentials} = await findCredentials(resolved, environment, new CredentialStore(environment))
  const baseUrl = resolved.values.baseUrl.value
  if (baseUrl === undefined || credentials === undefined) return false
  const {hasLedger, openLedgerInTurn} = await import('../../quota/ledger-file.js')
  const key = ledgerKey(environment, baseUrl, credentials.apiKey)
  const budget = await openKeyBudget({environment}, {resolved, apiKey: credentials.apiKey})
  if (!budget && !hasLedger(key)) return false
  const {ledger} = await openLedgerInTurn(
    key,
    {command: 'quota forget', pid: process.pid, startedAt: systemClock.now()},
    systemClock,
  )
  try {
    const problem = budget && (await look({ledger, budget}, resolved))
    const forgotten = ledger.forgetRefusal()
    const left = budget && !problem ? await look({ledger, budget}, resolved, true) : problem
    if (left) throw left
    return forgotten
  } finally {
    ledger.close()
  }
}

/** The ledger in a state folder that cannot be written. */
async function readOnly(key: LedgerKey): Promise<[Known, QuotaReport['leftIs']]> {
  const {readLedger} = await import('../../quota/ledger-file.js')
  const read = readLedger(key)
  return read ? [read, 'counted'] : [readNothing(), 'estimated']
}

type Known = {use: KeyUse; runs: RunUse[]; budget?: string; problem?: CliFailure | undefined}

function readNothing(): Known {
  const moment = {boot: undefined, milliseconds: systemClock.monotonic()}
  return {use: describeUse(newKey, {moment, now: systemClock.now()}), runs: []}
}

function toReport(
  {profile, values}: Resolved,
  apiKey: string | undefined,
  {use, runs, budget, problem}: Known,
  leftIs: QuotaReport['leftIs'],
): QuotaReport {
  const quota = toQuota(values)
  const {perDay} = quota
  const used = use.used(perDay)
  const left = Math.max(0, perDay - used)
  const now = systemClock.now()
  return {
    profile,
    baseUrl: values.baseUrl.value ?? null,
    key: apiKey === undefined ? null : fingerprint(apiKey),
    perDay,
    perSecond: Number(values.rate.value),
    burst: Number(values.burst.value),
    used,
    usedToday: use.usedToday,
    usedTrailing: use.usedTrailing,
    left,
    leftIs,
    available: Object.fromEntries(
      classes.map((one) => [one, Math.max(0, left - floorOf(one, quota))]),
    ) as QuotaReport['available'],
    forecast: forecast(use, left, now),
    reset: {at: new Date(use.resetAt).toISOString(), is: use.resetIs, leftThen: leftAt(use, perDay)},
    refused: use.refused,
    slow: use.slow,
    ...(budget !== undefined && use.shared && {shared: toShared(budget, use.shared, problem)}),
    runs: runs.map(({command, runId = null, pid, startedAt, requests}) => {
      return {command, runId, pid, startedAt: new Date(startedAt).toISOString(), requests}
    }),
  }
}

/** Asks the store, as a machine that sends nothing; why it did not answer. */
async function look(
  {ledger, budget}: {ledger: Ledger; budget: BudgetStore},
  {values}: Resolved,
  forget = false,
): Promise<CliFailure | undefined> {
  const {lookAtBudget} = await import('../../quota/budget-asker.js')
  const pace = {rate: Number(values.rate.value), burst: Number(values.burst.value)}
  const ask = {...pace, perDay: toQuota(values).perDay, floor: 0, isShared: true}
  return lookAtBudget({ledger, budget, clock: systemClock}, ask, forget)
}

function toShared(store: string, use: SharedUse, problem: CliFailure | undefined) {
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

/** What is left after the reset if nothing more is sent: the last 24 hours still count. */
export function leftAt({hours, resetAt}: Pick<KeyUse, 'hours' | 'resetAt'>, perDay: number): number {
  const oldest = hourOf(resetAt) - 23
  return Math.max(
    0,
    hours.reduce((sum, [hour, requests]) => (hour >= oldest ? sum - requests : sum), perDay),
  )
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
