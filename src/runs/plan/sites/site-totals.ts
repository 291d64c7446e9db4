import {allFieldsOf, writeOperation} from '../../../contract/index.js'
import {createDecimalSum} from '../../../values/decimal-sum.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {Compared, Place, RowChange, SiteTotal} from '../../rows/phases.js'
import {spellRecord} from '../merge.js'
import type {Reader} from '../read-at-most.js'
import {writtenKey} from '../row-content.js'
import {readById} from './read-by-id.js'

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
  return [...groups].map(([key, some]) => toTotal(some, toSite(some[0] ? siteOf(some[0]) : null, sites.get(key))))
}

/** The machine of each record that changes, as it is now, by the digits of the id. */
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

function toSite(id: JsonValue, site: JsonRecord = {}): Place {
  const {name = null} = site
  return {id, name: typeof name === 'string' ? name : null}
}

function toTotal(changes: readonly RowChange[], site: Place): SiteTotal {
  const [before, after, difference] = [createDecimalSum(), createDecimalSum(), createDecimalSum()]
  for (const {from, to} of changes) {
    if (isNumber(from)) before.add(numberText(from))
    if (isNumber(to)) after.add(numberText(to))
  }

  difference.merge(after)
  difference.add(before.text.startsWith('-') ? before.text.slice(1) : `-${before.text}`)
  return {site, records: changes.length, before: before.text, after: after.text, difference: difference.text}
}

/** All of them as one. */
export function sumOfTotals(totals: readonly SiteTotal[]): Omit<SiteTotal, 'site'> {
  const sums = {before: createDecimalSum(), after: createDecimalSum(), difference: createDecimalSum()}
  for (const {before, after, difference} of totals) {
    sums.before.add(before)
    sums.after.add(after)
    sums.difference.add(difference)
  }

  const records = totals.reduce((sum, one) => sum + one.records, 0)
  return {records, before: sums.before.text, after: sums.after.text, difference: sums.difference.text}
}
