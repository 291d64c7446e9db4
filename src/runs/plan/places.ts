import {allFieldsOf, filterKeysOf, filterOf, findListOf, readOperation, writeOperation} from '../../contract/index.js'
import type {Finding, Problem} from '../../validate/problem.js'
import {sumChanges} from '../../values/decimal-sum.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {problemAt} from '../check/invalid-input.js'
import {type Reader, readNamedBy} from '../records/read-current.js'
import {spellRecord} from '../rows/merge-fields.js'
import type {Compared, Place, RowChange, SiteTotal} from '../rows/phases.js'
import {writtenKey} from '../rows/row-content.js'
import {compareKnown} from './compare-rows.js'

/**
 * The plan with the places that its rows move records from and to. A place of another owner is a problem of its row.
 * Throws a `CliFailure` when the places cannot be read.
 */
export async function withMoves(plan: Compared, client: Reader): Promise<Compared> {
  const {operation} = plan
  const {moves, resource, target} = writeOperation(operation)
  const comparison = plan.comparison ?? (plan.before && moves ? compareKnown(plan, plan.before.records) : undefined)
  const changes = moves ? (comparison?.changes.filter(({field}) => field === moves.field) ?? []) : []
  if (!moves || changes.length === 0) return plan
  const kind = allFieldsOf(resource)[moves.field]?.refersTo ?? ''
  const ids = changes.flatMap(({from, to}) => [from, to])
  const known = ids.filter((id) => id !== null)
  const places = await readById(client, kind, known)
  const recordOf = (id: JsonValue) => plan.before?.records.get(writtenKey(operation, {[target]: id}))
  const problems = changes.flatMap(({line, id, to}): Problem[] => {
    const [place, record] = [places.get(idText(to)), recordOf(id)]
    const foreign =
      place && record && findForeign(record[moves.owner], place[moves.ownerThere], {kind, resource, to, id})
    return foreign ? [problemAt(plan, {line, field: moves.field, cell: idText(to)}, foreign)] : []
  })
  return {
    ...plan,
    moves: changes.map(({line, id, from, to}) => ({line, id, from: toPlace(from, places), to: toPlace(to, places)})),
    problems: [...plan.problems, ...problems],
  }
}

type Named = {kind: string; resource: string; to: JsonValue; id: JsonValue}

function findForeign(
  owner: JsonValue = null,
  there: JsonValue = null,
  {kind, resource, to, id}: Named,
): Finding | undefined {
  if (owner === null || there === null || idText(owner) === idText(there)) return undefined
  const message = `${kind} ${idText(to)} is of organization ${idText(there)}, and ${resource} ${idText(id)} of organization ${idText(owner)}: write a ${kind} of that organization`
  return {code: 'OTHER_ORGANIZATION', kind: message, message}
}

function toPlace(id: JsonValue, places: ReadonlyMap<string, JsonRecord>): Place {
  const name = places.get(idText(id))?.['name']
  return {id, name: typeof name === 'string' ? name : null}
}

/**
 * The sums of the field that is shown by site, where a plan changes it; none where it does not. Throws a
 * `CliFailure` when the sites cannot be read.
 */
export async function readSiteTotals(client: Reader, plan: Compared): Promise<SiteTotal[]> {
  const {totals, pickedUpBy} = writeOperation(plan.operation)
  const changes = plan.comparison?.changes.filter(({field}) => field === totals) ?? []
  if (pickedUpBy === null || changes.length === 0) return []
  const {resource} = writeOperation(plan.operation)
  const machineOf = findMachines(plan, changes, pickedUpBy)
  const kind = allFieldsOf(resource)[pickedUpBy]?.refersTo ?? ''
  const machines = await readById(client, kind, new Set(machineOf.values()))
  const siteOf = ({id}: RowChange) => machines.get(idText(machineOf.get(idText(id))))?.['siteId'] ?? null
  const groups = Map.groupBy(changes, (change) => idText(siteOf(change)))
  const siteKind = allFieldsOf(kind)['siteId']?.refersTo ?? ''
  const ids = changes.map(siteOf).filter((id) => id !== null)
  const sites = await readById(client, siteKind, ids)
  return [...groups.values()].map((some) => toTotal(some, toPlace(some[0] ? siteOf(some[0]) : null, sites)))
}

/** The current machine of each record that changes, by the digits of the id. */
function findMachines({operation, before}: Compared, changes: readonly RowChange[], field: string) {
  const {resource, target} = writeOperation(operation)
  const fields = allFieldsOf(resource)
  const found = new Map<string, JsonValue>()
  for (const {id} of changes) {
    const record = before?.records.get(writtenKey(operation, {[target]: id})) ?? {}
    const machine = spellRecord(record, fields)[field] ?? null
    if (machine !== null) found.set(idText(id), machine)
  }

  return found
}

function toTotal(changes: readonly RowChange[], site: Place): SiteTotal {
  const textOf = (value: JsonValue) => (isNumber(value) ? numberText(value) : undefined)
  return {site, records: changes.length, ...sumChanges(changes.map(({from, to}) => [textOf(from), textOf(to)]))}
}

/** The sum of all sites. */
export function sumOfTotals(totals: readonly SiteTotal[]): Omit<SiteTotal, 'site'> {
  const records = totals.reduce((sum, one) => sum + one.records, 0)
  return {records, ...sumChanges(totals.map(({before, after}) => [before, after]))}
}

/** Reads records of a resource by id, by the digits of their ids. Throws a `CliFailure` when they cannot be read. */
async function readById(client: Reader, resource: string, ids: Iterable<JsonValue>): Promise<Map<string, JsonRecord>> {
  const read = findListOf(resource)
  const filter = read && filterKeysOf(readOperation(read)).find((key) => filterOf(key).names === resource)
  if (!read || !filter) throw new TypeError(`${resource} is not listed by id`)
  const {records} = await readNamedBy(client, read, filter, [...ids])
  return new Map(records.map((record) => [idText(record['id']), record]))
}
