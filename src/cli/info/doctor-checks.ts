import {lookup} from 'node:dns/promises'
import {accessSync, constants, existsSync} from 'node:fs'
import {isOutOfReach} from '../../client/failures.js'
import type {Client, Settings} from '../../client/types.js'
import {type ExitName, limits, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import {makePrivateFolder} from '../../core/private-file.js'
import {toBaseUrl} from '../../http/address.js'
import {findProxy} from '../../http/proxy.js'
import {estimateExport} from '../../reports/export/estimate.js'
import type {ExportAsk} from '../../reports/export/export-types.js'
import {counted, thousands} from '../../values/counted.js'
import {isPostgres, toPostgresAddress} from '../../values/database-address.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import type {Environment} from '../app/environment.js'
import {configFolder, stateFolder} from '../app/folders.js'
import {readVariable} from '../app/read-small-file.js'
import {findBudgetStore} from '../client/budget-store.js'
import type {OpenedClient} from '../client/open-client.js'
import {toCredentialCommand} from '../settings/credentials.js'
import {findLogin} from '../settings/database.js'
import {fingerprint} from '../settings/fingerprint.js'
import {probeRead} from '../settings/probe-read.js'
import {isShared, type Resolved} from '../settings/settings.js'

/** One check of `doctor`; `ok` is null where it was not run. */
export type Check = {name: string; ok: boolean | null; text: string; fix?: string; exit?: ExitName}

export type Answer = {text: string; ok?: boolean; fix?: string; exit?: ExitName}

/** The failure with advice for this profile, and for where its key and login came from. */
export type Advise = (failure: CliFailure) => CliFailure

const unknownMachine = 'vendorctl-doctor-0'
const clockToleranceSeconds = 60

/** Runs one check; a failure is its result, with what `advise` makes of it, and stops no other check. */
export async function toCheck(name: string, run: () => Promise<Answer>, advise?: Advise): Promise<Check> {
  try {
    return {name, ok: true, ...(await run())}
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const {hints} = advise?.(error) ?? error
    const [fix] = hints.map(withoutDoctor).filter((hint) => hint !== '')
    return {name, ok: false, text: error.message, exit: error.exit, ...(fix !== undefined && {fix})}
  }
}

/** A hint without the part that sends people to `doctor`, which they are running already. */
function withoutDoctor(hint: string): string {
  const rest = hint.replace(/(,? (or|and) |\b)(look closer|look for the cause|find out) with: vendorctl doctor$/i, '')
  return rest === hint || rest.trim() === '' || rest.endsWith('.') ? rest.trim() : `${rest.trim()}.`
}

export function checkConfig(environment: Environment): Promise<Check> {
  return toCheck('config folder', async () => ({text: configFolder(environment)}))
}

export function checkState(environment: Environment): Promise<Check> {
  return toCheck('state folder', async () => checkFolder(stateFolder(environment)))
}

/** Whether a service is set up whose address can be used. */
export async function checkSettings(toSettings: () => Settings): Promise<{service: Check; settings?: Settings}> {
  let settings: Settings | undefined
  const service = await toCheck('service', async () => {
    const found = toSettings()
    toBaseUrl(found.baseUrl)
    settings = found
    return {text: `${found.baseUrl}, stage ${found.stage}`}
  })
  return {service, ...(settings && {settings})}
}

/** Checks proxy and host name, without a request. */
export async function* checkConnection(baseUrl: string, environment: Environment): AsyncGenerator<Check> {
  const url = new URL(baseUrl)
  yield await toCheck('proxy', async () => {
    const proxy = findProxy(url, environment)
    return {text: proxy ? `requests go through ${proxy.host}` : 'none'}
  })
  yield await toCheck('name', () => checkName(url.hostname))
}

/** Whether there are credentials for the service. */
export async function checkCredentials(
  open: () => Promise<OpenedClient>,
): Promise<{credentials: Check; opened?: OpenedClient}> {
  let opened: OpenedClient | undefined
  const credentials = await toCheck('credentials', async () => {
    opened = await open()
    const {credentials, origin} = opened.found
    return {text: `key ${fingerprint(credentials?.apiKey ?? '')} (${origin})`}
  })
  return {credentials, ...(opened && {opened})}
}

/** Whether requests are counted for all runs of this key; sends none. */
export function checkLedger(client: Client): Check {
  const {used, perDay, is} = client.quota()
  if (is === 'counted')
    return {
      name: 'ledger',
      ok: true,
      text: `${thousands(used)} of ${thousands(perDay)} requests of this key used today`,
    }
  return {
    name: 'ledger',
    ok: false,
    text: 'the requests of this key cannot be counted; each run counts for itself',
    fix: 'Read the warning above: the state folder must be on a disk of this machine that can be written.',
    exit: 'storage',
  }
}

/** Checks that send requests to the service, eight at most. */
export async function* checkService(client: Client, now: () => number, advise: Advise): AsyncGenerator<Check> {
  const key = await toCheck('API key', async () => ({text: await client.testKey()}), advise)
  yield key
  if (!key.ok && key.exit !== 'denied') return
  const login = await toCheck('login', async () => checkLogin(client, now), advise)
  yield login
  if (!login.ok) return
  yield await toCheck('read', async () => checkRead(client))
  yield await toCheck('page ceiling', async () => {
    const {size} = await probeRead(client, {})
    const ok = size >= limits.maximumPageSize
    return {
      text: `${counted(size, 'record')} a page${ok ? '' : `; ${thousands(limits.maximumPageSize)} were asked for`}`,
    }
  })
  yield await toCheck('backlog', async () => checkBacklog(client, now()).catch(withoutReport), advise)
}

/** Where the report is out of reach there is no backlog; its path is checked elsewhere. */
function withoutReport(error: unknown): Answer {
  if (!isOutOfReach(error)) throw error
  return {text: 'not known: the service has no report of transactions at its path, or not for this key'}
}

const backlogDays = 7

/** How many days of transactions the requests of a day can catch up with, from those of the last week. */
async function checkBacklog(client: Client, now: number): Promise<Answer> {
  const [start, end] = [now - backlogDays * millisecondsPerDay, now].map(toDateTime) as [string, string]
  const ask: ExportAsk = {report: transactionReport, filters: {}, start, end, timeBasis: 'local', moving: {}}
  const {requests} = await estimateExport({client, ask, maximumDays: backlogDays, probes: true})
  const {perDay} = client.quota()
  const days = Math.floor((perDay / (requests - 1)) * backlogDays) // one is the login
  return {
    text: `${counted(requests, 'request')} for the transactions of ${backlogDays} days: the ${thousands(perDay)} of a day can catch up with about ${counted(days, 'day')}`,
  }
}

/** A request without a body, because another check finds out whether a GET may have one. */
async function checkLogin(client: Client, now: () => number): Promise<Answer> {
  const {headers} = await client.call({method: 'GET', path: '/machines', headers: {size: '1'}})
  const served = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(served)) return {text: 'accepted'}
  const seconds = Math.round(Math.abs(now() - served) / 1_000)
  if (seconds <= clockToleranceSeconds) return {text: `accepted; the clocks differ by ${seconds} s`}
  return {
    ok: false,
    text: `accepted, but the clock of this machine differs by ${seconds} s`,
    fix: 'Set the clock of this machine; relative dates are wrong until then.',
    exit: 'failure',
  }
}

async function checkRead(client: Client): Promise<Answer> {
  const {count} = await probeRead(client, {machineIdentifiers: [unknownMachine]})
  if (count === 0) return {text: 'filters reach the service'}
  return {
    ok: false,
    text: 'the filter did not reach the service: it returned everything',
    fix: 'Read by POST: vendorctl profiles set NAME readMethod=POST',
    exit: 'incomplete',
  }
}

async function checkName(hostname: string): Promise<Answer> {
  const host = hostname.replace(/^\[|\]$/g, '')
  try {
    const {address} = await lookup(host)
    return {text: `${host} is ${address}`}
  } catch (error) {
    throw new CliFailure(`${host} cannot be found (${(error as NodeJS.ErrnoException).code})`, {
      code: 'DNS',
      hints: ['Check the base URL: vendorctl profiles show'],
    })
  }
}

function checkFolder(folder: string): Answer {
  try {
    if (!existsSync(folder)) makePrivateFolder(folder)
    accessSync(folder, constants.W_OK)
    return {text: folder}
  } catch (error) {
    throw new CliFailure(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
      code: 'STATE_UNWRITABLE',
      hints: ['Set XDG_STATE_HOME to a folder that can be written.'],
    })
  }
}

const checkMilliseconds = 4_000
const samples = 3
/** Of relative dates and of the hours of the day; requests are counted by the clock of the server alone. */
const clockToleranceMilliseconds = 60_000

/** Whether the budget that machines share can be used; undefined where this machine counts for itself. */
export async function checkBudget(resolved: Resolved, environment: Environment): Promise<Check | undefined> {
  if (!isShared(resolved.values.budget.value)) return undefined
  return toCheck('shared budget', async () => {
    const store = await findBudgetStore(resolved, environment)
    if (!store) return {text: 'none'}
    const database = await store.open({name: 'vendorctl doctor', statementMilliseconds: checkMilliseconds})
    try {
      return await examineStore(database, store.shown)
    } finally {
      await database.close()
    }
  })
}

/** Whether the PostgreSQL database of `sql` and `sync` answers, and what its user may do; undefined where none is set. */
export async function checkDatabase(resolved: Resolved, environment: Environment): Promise<Check | undefined> {
  const text = readVariable(environment, 'VENDORCTL_DB')
  if (!text || !isPostgres.test(text)) return undefined
  return toCheck('database', async () => {
    const findCommand = async () => toCredentialCommand(resolved.values)
    const address = await findLogin(toPostgresAddress(text), environment, findCommand)
    const {openPostgres} = await import('../../core/postgres.js')
    const database = await openPostgres(address, {name: 'vendorctl doctor', statementMilliseconds: checkMilliseconds})
    try {
      return describeUser((await database.get(currentUser)) ?? {}, address.shown)
    } finally {
      await database.close()
    }
  })
}

const currentUser = `SELECT current_user AS name, current_setting('is_superuser') AS superuser`

function describeUser({name, superuser}: PostgresRow, shown: string): Answer {
  if (superuser !== 'on') return {text: `${shown}, as ${name}`}
  const text = `${shown}, as ${name}: a superuser, so the queries of sql may call functions that run programs and read files`
  return {text, fix: 'Give sql a user who may only read: vendorctl help database'}
}

async function examineStore(database: Postgres, shown: string) {
  const locked = await database.get(forbidden)
  if (locked?.['names']) {
    const fix =
      'Let the owner of the schema run: GRANT ALL ON ALL TABLES IN SCHEMA vendorctl TO the user of the address'
    return {ok: false, text: `${shown}: this user may not use ${locked['names']}`, fix, exit: 'denied' as const}
  }
  const {milliseconds, ahead} = await measure(database)
  const row = await database.get(activeMachines)
  const machines = counted(Number(row?.['machines']), 'machine')
  const facts = `${shown}, PostgreSQL ${row?.['server']}; ${machines} active; a round trip takes ${milliseconds.toFixed(1)} ms`
  const differs = `the clocks differ by ${Math.round(Math.abs(ahead) / 1_000)} s`
  if (Math.abs(ahead) <= clockToleranceMilliseconds) return {text: `${facts}; ${differs}`}
  const fix = 'Set the clock of this machine, or that of the server; days begin by the clock of the server.'
  return {ok: false, text: `${facts}; ${differs}`, fix, exit: 'failure' as const}
}

/** Those that asked for permits in the last minutes and have not said goodbye. */
const activeMachines = `SELECT current_setting('server_version') AS server, (
    SELECT count(DISTINCT machine) FROM vendorctl.budget_machine JOIN vendorctl.budget_key USING (key)
    WHERE NOT has_left AND contact > steady + extract(epoch FROM vendorctl.clock()) * 1000 - server_time - 300000
  ) AS machines`

/** Tables that this user cannot read or write. */
const forbidden = `SELECT string_agg(relname, ', ' ORDER BY relname) AS names FROM pg_class
  WHERE relnamespace = 'vendorctl'::regnamespace AND relkind = 'r' AND NOT (has_table_privilege(oid, 'SELECT')
  AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))`

/** The quickest of a few round trips, and how far the clock of the server is ahead of ours then. */
async function measure(database: Postgres): Promise<{milliseconds: number; ahead: number}> {
  let best = {milliseconds: Number.POSITIVE_INFINITY, ahead: 0}
  for (let count = 0; count < samples; count++) {
    const begun = systemClock.monotonic()
    const row = await database.get('SELECT (extract(epoch FROM vendorctl.clock()) * 1000)::bigint AS now')
    const milliseconds = systemClock.monotonic() - begun
    const ahead = Number(row?.['now']) + milliseconds / 2 - systemClock.now()
    if (milliseconds < best.milliseconds) best = {milliseconds, ahead}
  }
  return best
}
