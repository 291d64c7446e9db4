import {lookup} from 'node:dns/promises'
import {accessSync, constants, existsSync} from 'node:fs'
import {isOutOfReach} from '../../client/failures.js'
import {type MissingRoute, uncertainReads} from '../../client/find-routes.js'
import type {Client, ClientOptions, FilterValues, Settings} from '../../client/types.js'
import {limits, readOperation, reportOperation, smallestRead, transactionReport} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {makePrivateFolder} from '../../core/private-file.js'
import {toBaseUrl} from '../../http/address.js'
import {findProxy} from '../../http/proxy.js'
import {estimateExport} from '../../reports/export/estimate.js'
import {counted, thousands} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import type {Answer} from './examination.js'

export function checkFolder(folder: string): Answer {
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

/** Whether the address of a service that is set up can be used. */
export function checkAddress(settings: Settings): Answer<Settings> {
  toBaseUrl(settings.baseUrl)
  return {text: `${settings.baseUrl}, stage ${settings.stage}`, found: settings}
}

export function checkProxy({baseUrl}: Settings, environment: ClientOptions['environment']): Answer {
  const proxy = findProxy(new URL(baseUrl), environment)
  return {text: proxy ? `requests go through ${proxy.host}` : 'none'}
}

export async function checkName({baseUrl}: Settings): Promise<Answer> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
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

/** Whether requests are counted for all runs of this key; sends none. */
export function checkLedger(client: Client): Answer {
  const {used, perDay, is} = client.quota()
  if (is === 'counted') return {text: `${thousands(used)} of ${thousands(perDay)} requests of this key used today`}
  return {
    ok: false,
    text: 'the requests of this key cannot be counted; each run counts for itself',
    fix: 'Read the warning above: the state folder must be on a disk of this machine that can be written.',
    exit: 'storage',
  }
}

const clockToleranceSeconds = 60

/** A request without a body, because another check finds out whether a GET may have one. */
export async function checkLogin(client: Client, now: () => number): Promise<Answer<true>> {
  const {headers} = await client.call({method: 'GET', path: '/machines', headers: {size: '1'}})
  const served = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(served)) return {text: 'accepted', found: true}
  const seconds = Math.round(Math.abs(now() - served) / 1_000)
  if (seconds <= clockToleranceSeconds) return {text: `accepted; the clocks differ by ${seconds} s`, found: true}
  return {
    ok: false,
    text: `accepted, but the clock of this machine differs by ${seconds} s`,
    fix: 'Set the clock of this machine; relative dates are wrong until then.',
    exit: 'failure',
  }
}

/** Whether a filter reaches the service: it finds no machine of this name then. */
export async function isFilterRead(client: Client): Promise<boolean> {
  const {count} = await probeRead(client, {machineIdentifiers: ['vendorctl-doctor-0']})
  return count === 0
}

export async function checkRead(client: Client, profile: string): Promise<Answer<true>> {
  if (await isFilterRead(client)) return {text: 'filters reach the service', found: true}
  return {
    ok: false,
    text: 'the filter did not reach the service: it returned everything',
    fix: `Read by POST: ${commandLine('profiles set', [profile, 'readMethod=POST'])}`,
    exit: 'incomplete',
  }
}

export async function checkCeiling(client: Client): Promise<Answer> {
  const {size} = await probeRead(client, {})
  const most = limits.maximumPageSize
  return {text: `${counted(size, 'record')} a page${size >= most ? '' : `; ${thousands(most)} were asked for`}`}
}

/** Reads one page of the smallest read without checking that the filter was applied. */
async function probeRead(client: Client, filters: FilterValues): Promise<{count: number; size: number}> {
  for await (const {count, size} of client.readPages(smallestRead, {filters, skipFilterCheck: true, limit: 1}))
    return {count, size}

  return {count: 0, size: 0}
}

const backlogDays = 7

/** Days of transactions that the requests of one day can export, estimated from the last week. */
export async function checkBacklog(client: Client, now: number): Promise<Answer> {
  const [start, end] = [now - backlogDays * millisecondsPerDay, now].map(toDateTime) as [string, string]
  const ask = {report: transactionReport, filters: {}, start, end, timeBasis: 'local', moving: {}} as const
  const {maximumPageSize: pageSize} = reportOperation(transactionReport)
  try {
    const {requests} = await estimateExport({client, ask, maximumDays: backlogDays, pageSize, probes: true})
    const {perDay} = client.quota()
    const days = Math.floor((perDay / Math.max(requests - 1, 1)) * backlogDays) // one is the login
    const cost = `${counted(requests, 'request')} for the transactions of ${backlogDays} days`
    return {text: `${cost}: the ${thousands(perDay)} of a day can catch up with about ${counted(days, 'day')}`}
  } catch (error) {
    if (!isOutOfReach(error)) throw error // its path is checked elsewhere
    return {text: 'not known: the service has no report of transactions at its path, or not for this key'}
  }
}

/** Which paths the service does not answer, and the setting for those that it answers elsewhere. */
export function checkPaths(missing: readonly MissingRoute[], {routes, profile = ''}: Settings): Answer {
  const moved = missing.filter(({found}) => found !== undefined)
  const lost = missing.filter(({found}) => found === undefined)
  const moves = moved.map(({id, path, found}) => `"${readOperation(id).command}" is at ${found}, not at ${path}`)
  const text = [...moves, describeRest(uncertainReads.length - missing.length, lost)].join('; ')
  if (missing.length === 0) return {text}
  const all = {...routes, ...Object.fromEntries(missing.map(({id, found = '/PATH'}) => [id, found]))}
  const pairs = Object.entries(all).map(([id, path]) => `${id}=${path}`)
  const set = (some: readonly string[]) => commandLine('profiles set', [profile, `routes=${some.join()}`])
  if (moved.length === 0) return {text, fix: `If they are at other paths: ${set(pairs)}`}
  return {ok: false, text, exit: 'refused', fix: set(pairs.filter((pair) => !pair.endsWith('=/PATH')))}
}

function describeRest(answering: number, lost: readonly MissingRoute[]): string {
  const text = `${answering} of ${counted(uncertainReads.length, 'path')} answer`
  if (lost.length === 0) return text
  return `${text}; not found: ${lost.map(({id, path}) => `${path} (${readOperation(id).command})`).join(', ')}`
}
