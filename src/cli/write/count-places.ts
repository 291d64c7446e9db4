import type {Write} from '../../contract/index.js'
import {countRecords} from '../../runs/reconcile/judgement.js'
import {counted, listed} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {simpleTable} from '../terminal/simple-table.js'

/** How many alerts there are at how many machines and sites, by code. */
export async function countAlerts(alerts: readonly JsonRecord[]): Promise<string> {
  const groups = [...Map.groupBy(alerts, ({code}) => textOf(code))].sort(
    ([, one], [, other]) => other.length - one.length,
  )
  const table = await simpleTable(
    ['code', 'open alerts', 'machines', 'sites'],
    groups.map(([code, some]) => [
      code,
      ...[some.length, countOf(some, 'machineId'), countOf(some, 'siteId')].map(String),
    ]),
    process.stderr,
  )
  const [machines, sites] = [countOf(alerts, 'machineId'), countOf(alerts, 'siteId')]
  const all = `${alerts.length} open ${plural('alert', alerts.length)}`
  return `${table}${describeSites(alerts)}${all} at ${machines} ${plural('machine', machines)}, ${sites} ${plural('site', sites)}.`
}

function countOf(alerts: readonly JsonRecord[], field: 'machineId' | 'siteId'): number {
  return new Set(alerts.flatMap(({[field]: id = null}) => (id === null ? [] : textOf(id)))).size
}

const sitesNamed = 10

/** The sites with the most alerts, where there are several. */
function describeSites(alerts: readonly JsonRecord[]): string {
  const groups = [...Map.groupBy(alerts, ({siteId}) => textOf(siteId))]
  if (groups.length < 2) return ''
  const sorted = groups.sort(([, one], [, other]) => other.length - one.length)
  const sites = sorted.map(([site, {length}]) => `${site} (${length})`)
  return `By site: ${listed(sites, sitesNamed)}.\n`
}

const places = {machineId: 'machine', siteId: 'site', accountId: 'account'} as const

/** How many records were chosen, and at how many places. */
export function describeChosen(records: readonly JsonRecord[], write: Write): string {
  const field = (Object.keys(places) as (keyof typeof places)[]).find((name) => records[0]?.[name] !== undefined)
  const at = field && new Set(records.map((record) => idText(record[field] ?? null))).size
  const where = field && at !== undefined ? `, of ${counted(at, places[field])}` : ''
  return `Chosen: ${countRecords(records.length, write)}${where}.`
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : printJson(value ?? null)
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}
