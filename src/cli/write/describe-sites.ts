import {pickUp, readOperation, type Write, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {sumOfTotals} from '../../runs/plan/places.js'
import {countRecords} from '../../runs/reconcile/judgement.js'
import type {PickUp, RunReport} from '../../runs/report/report.js'
import type {Move, Place, Planned, SiteTotal} from '../../runs/rows/phases.js'
import {counted, listed, thousands} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, valueText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Line} from '../app/messages.js'
import {simpleTable} from '../terminal/simple-table.js'

const mostShown = 20

/** Moves to other sites and totals by site, shown before a plan is sent. */
export async function describePlaces({operation, moves, totals}: Planned): Promise<Line[]> {
  const {noun} = writeOperation(operation).words
  const lines = moves.slice(0, mostShown).map((move) => describeMove(noun, move, 'moves'))
  const count =
    moves.length === 0
      ? []
      : [`${counted(moves.length, noun)} ${moves.length === 1 ? 'moves' : 'move'} to another site.`]
  return [
    ...lines,
    ...more(moves.length),
    ...count,
    ...(totals.length === 0 ? [] : [await renderTotals(operation, totals)]),
  ]
}

/** The records that were moved. */
export function describeMoved({operation, moves = [], outcomes}: RunReport): string[] {
  if (moves.length === 0) return []
  const {noun} = writeOperation(operation).words
  const applied = new Set(outcomes.flatMap(({line, fate}) => (fate === 'applied' ? [line] : [])))
  const moved = moves.filter(({line}) => applied.has(line))
  return [...moved.slice(0, mostShown).map((move) => describeMove(noun, move, 'moved')), ...more(moved.length)]
}

function describeMove(noun: string, {id, from, to}: Move, verb: string): string {
  return `${noun} ${idText(id)} ${verb} from ${describeSite(from)} to ${describeSite(to)}`
}

function describeSite({id, name}: Place): string {
  return id === null ? 'no site' : `site ${idText(id)}${name === null ? '' : ` ${name}`}`
}

function more(count: number): string[] {
  return count > mostShown ? [`… and ${thousands(count - mostShown)} more`] : []
}

async function renderTotals(operation: Planned['operation'], totals: readonly SiteTotal[]): Promise<Line> {
  const {words, totals: field} = writeOperation(operation)
  const rows = totals.slice(0, mostShown).map(({site, ...sums}) => [idText(site.id), site.name ?? '', ...toCells(sums)])
  const headers = ['site', 'name', words.nouns, `${field} now`, `${field} new`, 'difference']
  const table = await simpleTable(headers, [...rows, ['', 'all', ...toCells(sumOfTotals(totals))]], process.stderr)
  return {safe: [table.trimEnd(), ...more(totals.length)].join('\n')}
}

function toCells({records, before, after, difference}: Omit<SiteTotal, 'site'>): string[] {
  return [String(records), before, after, difference]
}

/** Moves and sums as data. */
export function placesData({moves, totals}: Pick<RunReport, 'moves' | 'totals'>): {[name: string]: JsonValue} {
  const toData = ({id, name}: Place) => ({id, name})
  return {
    ...(moves && {moves: moves.map(({line, id, from, to}) => ({line, id, from: toData(from), to: toData(to)}))}),
    ...(totals && {totals: totals.map(({site, ...sums}) => ({site: toData(site), ...sums}))}),
  }
}

/** `9 of 12 machines have not picked up the change yet …` */
export function describePickUp({machines, waiting, oldest, newest}: PickUp): string[] {
  if (machines === 0) return []
  if (waiting === 0) {
    return [
      machines === 1 ? 'The machine has picked up the change.' : `All ${machines} machines have picked up the change.`,
    ]
  }
  const seen = oldest === newest ? `last heartbeat ${oldest}` : `last heartbeats ${oldest} to ${newest}`
  const has = waiting === 1 ? 'has' : 'have'
  const {read, flag, typicalMinutes} = pickUp
  return [
    `${waiting} of ${counted(machines, 'machine')} ${has} not picked up the change yet${oldest === null ? '' : ` (${seen})`}; typically they do so within ${typicalMinutes} minutes.`,
    `→ See which: ${commandLine(readOperation(read).command, [], {where: `${flag}=true`})}`,
  ]
}

/** Numbers of alerts, machines and sites, by code. */
export async function countAlerts(alerts: readonly JsonRecord[]): Promise<string> {
  const table = await simpleTable(
    ['code', 'open alerts', 'machines', 'sites'],
    groupLargestFirst(alerts, 'code').map(([code, some]) => [
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
  return new Set(alerts.flatMap(({[field]: id = null}) => (id === null ? [] : valueText(id)))).size
}

const sitesNamed = 10

/** The sites with the most alerts, where there are several. */
function describeSites(alerts: readonly JsonRecord[]): string {
  const sites = groupLargestFirst(alerts, 'siteId').map(([site, {length}]) => `${site} (${length})`)
  return sites.length < 2 ? '' : `By site: ${listed(sites, sitesNamed)}.\n`
}
function groupLargestFirst(alerts: readonly JsonRecord[], field: 'code' | 'siteId'): [string, JsonRecord[]][] {
  const groups = [...Map.groupBy(alerts, ({[field]: value = null}) => valueText(value))]
  return groups.sort(([, one], [, other]) => other.length - one.length)
}

const places = {machineId: 'machine', siteId: 'site', accountId: 'account'} as const

/** `Chosen: 12 machines, of 3 sites.` */
export function describeChosen(records: readonly JsonRecord[], write: Write): string {
  const field = (Object.keys(places) as (keyof typeof places)[]).find((name) => records[0]?.[name] !== undefined)
  const at = field && new Set(records.map((record) => idText(record[field] ?? null))).size
  const where = field && at !== undefined ? `, of ${counted(at, places[field])}` : ''
  return `Chosen: ${countRecords(records.length, write)}${where}.`
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}
