import {writeOperation} from '../../contract/index.js'
import {isDeletion} from '../../values/deletion.js'
import type {JsonRecord} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {compareRecords, type Shown} from '../plan/compare.js'
import {type PlannedRow, type PlannedSet, type RowList, rowsOfSet} from '../plan/cut-sets.js'
import {filterRows, mapRows} from '../plan/packed-rows.js'
import type {Reader} from '../plan/read-at-most.js'
import {readCurrent, requestsToRead} from '../plan/read-current.js'
import {idOf, writtenKey} from '../plan/row-content.js'
import type {Matched, Planned} from '../rows/phases.js'

/** How many records a plan would delete with its sets. */
export function countDeletions({operation, rows, sets}: Pick<Planned, 'operation' | 'rows' | 'sets'>): number {
  const write = writeOperation(operation)
  if (write.deletes === 'none') return 0
  const ofSet = (set: PlannedSet) => rowsOfSet(rows, set).filter(({record}) => isDeletion(write, record))
  return sets.reduce((sum, set) => sum + (write.deletes === 'all' ? set.places.length : ofSet(set).length), 0)
}

/** The number that was confirmed first: with the deletions that earlier runs did of the same rows. */
export function countFirstConfirmed({operation, rows}: Pick<Planned, 'operation' | 'rows'>): number {
  const write = writeOperation(operation)
  const isOfRun = ({skip}: PlannedRow) => skip === undefined || skip === 'appliedBefore'
  return filterRows(rows, (row) => isOfRun(row) && isDeletion(write, row.record)).length
}

/**
 * Rows of a write that only deletes, beside the current records. What was deleted before carries `skip`: only a list with
 * deleted records still shows it. A row whose record no list shows is left to the service, which refuses it.
 */
export async function compareDeletions({operation, rows: given, found}: Matched, client: Reader): Promise<Shown> {
  const write = writeOperation(operation)
  const idsOf = (rows: RowList) => rows.map((row) => idOf(row, write))
  const asked = filterRows(given, ({skip}) => skip === undefined)
  const {records} = await readCurrent(client, write, idsOf(asked), {known: found?.records})
  const missing = filterRows(asked, (row) => !records.has(idText(idOf(row, write))))
  const deleted = await readCurrent(client, write, idsOf(missing), {deletedToo: true})
  const rows = mapRows(given, (row) =>
    row.skip === undefined && deleted.records.has(idText(idOf(row, write)))
      ? {...row, skip: 'unchanged' as const}
      : row,
  )
  const before = new Map<string, JsonRecord>()
  for (const row of asked) {
    const record = records.get(idText(idOf(row, write)))
    if (record) before.set(writtenKey(operation, row.record), record)
  }

  const sent = filterRows(rows, ({skip}) => skip === undefined)
  return {
    rows,
    comparison: {...compareRecords(operation, sent, records), unchanged: asked.length - sent.length},
    before: {records: before, isComplete: true},
    requests: requestsToRead(found ? 0 : asked.length) + deleted.requests,
  }
}
