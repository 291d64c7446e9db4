import {allFieldsOf, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {changeByNumber} from '../differences/changes.js'
import {type Reader, readCurrent, requestsToRead} from '../records/read-current.js'
import {type PlannedRow, type RowList, rowsOfSet} from '../rows/cut-sets.js'
import {diffRecords, type FieldChange, spellFields} from '../rows/merge-fields.js'
import {filterRows, mapRows, PackedRows} from '../rows/packed-rows.js'
import {
  type Batch,
  type Before,
  type Comparison,
  countToSend,
  type Matched,
  type Planned,
  type Shown,
} from '../rows/phases.js'
import {idOf, isNew, nameOf, placeOf, recordsById, recordsByKey, writtenKey} from '../rows/row-content.js'
import {settleCells} from './current-cells.js'

/** Changes of rows in the current records; a row that changes nothing has `skip`, where that is wanted. */
export async function compareRows(matched: Matched, client: Reader, skipsUnchanged = false): Promise<Shown> {
  const {operation, found} = matched
  const write = writeOperation(operation)
  const asked = filterRows(matched.rows, ({skip}) => skip === undefined)
  const ids = asked.map((row) => idOf(row, write))
  const {records} = await readCurrent(client, write, ids, {known: found?.records})
  const settled = write.merge === 'partial' ? settleCells(matched, records) : matched
  const before = new Map<string, JsonRecord>()
  const comparison: Comparison = {changes: [], missing: [], unchanged: 0}
  const rows = mapRows(settled.rows, (row): PlannedRow => {
    if (row.skip) return row
    const record = records.get(idText(idOf(row, write)))
    if (record) before.set(writtenKey(operation, row.record), record)
    const {unchanged} = comparison
    addRow(comparison, row, record, write)
    return skipsUnchanged && comparison.unchanged > unchanged ? {...row, skip: 'unchanged'} : row
  })
  const {doubts, warnings} = settled
  return {rows, doubts, warnings, comparison, before: {records: before, isComplete: true}}
}

/** Changes of rows in records, which are given by the digits of their ids. */
export function compareRecords(
  operation: WriteId,
  rows: RowList,
  records: ReadonlyMap<string, JsonRecord>,
): Comparison {
  const write = writeOperation(operation)
  const comparison: Comparison = {changes: [], missing: [], unchanged: 0}
  for (const row of rows) addRow(comparison, row, records.get(idText(idOf(row, write))), write)
  return comparison
}

/** Changes of rows in the records that were read before them. */
export function compareKnown(
  {operation, rows}: Pick<Batch, 'operation' | 'rows'>,
  before: Before['records'],
): Comparison {
  return compareRecords(operation, rows, recordsById(operation, rows, before))
}

function addRow(comparison: Comparison, row: PlannedRow, current: JsonRecord | undefined, write: Write): void {
  const {line, record} = row
  const id = idOf(row, write)
  if (isNew(write, record)) {
    comparison.changes.push({line, id: null, ...nameOf(record), ...placeOf(record), ...creation})
    return
  }
  if (!current) {
    comparison.missing.push({line, id})
    return
  }

  const changes = changesOf(row, current, write)
  if (changes.length === 0) comparison.unchanged++
  const known = {...nameOf(current), ...placeOf(current)}
  for (const change of changes) comparison.changes.push({line, id, ...known, ...change})
}

/** Changes of a row in its record: fields, or that it exists. */
function changesOf({record: sent, given}: PlannedRow, current: JsonRecord, write: Write): FieldChange[] {
  const {resource, live} = write
  if (isDeletion(write, sent)) return [deletion]
  const change = changeByNumber(write, current, sent)
  if (change) return [change]
  const replaces = write.merge === 'full-replace'
  const changes = diffRecords(toComparable(current, write), toEffect(sent, write), resource, replaces)
  return changes.filter(({field}) => !live.includes(field) || Object.hasOwn(given ?? sent, field)) // else as it is by then
}

export const creation: FieldChange = {field: 'created', from: false, to: true}
export const deletion: FieldChange = {field: 'deleted', from: false, to: true}

/** The record that a row means: `replaces` when every field that it lacks is set to null. */
export type Meant = {record: JsonRecord; replaces: boolean}

/** Meaning of a row that was sent: all of the record, or only given fields where others change by themselves. */
export function changedBy({probe, merge}: Write, record: JsonRecord, given: JsonRecord = record): Meant {
  const isGiven = probe.kind === 'fields' && probe.compares === 'given'
  return isGiven ? {record: given, replaces: false} : {record, replaces: merge === 'full-replace'}
}

/** A record with the time of its end state in UTC, as it is sent. [seed] */
export function toComparable(current: JsonRecord, {resource, endState}: Write): JsonRecord {
  if (!endState) return current
  const fields = spellFields(current, allFieldsOf(resource))
  const time = fields.get(endState.kept) ?? fields.get(endState.time) ?? null
  return {...Object.fromEntries(fields), [endState.time]: time}
}

/** The effect of a sent record: one that is given the time of its end state has reached it. [pub] */
export function toEffect(sent: JsonRecord, {body, endState}: Write): JsonRecord {
  if (!endState) return sent
  if (body === 'none') return {...sent, [endState.flag]: true}
  const {[endState.time]: time, ...rest} = sent
  return typeof time === 'string' ? {...rest, [endState.flag]: true, [endState.time]: time} : rest
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
  const sent = filterRows(rows, ({skip}) => skip === undefined)
  return {
    rows,
    comparison: {...compareRecords(operation, sent, records), unchanged: asked.length - sent.length},
    before: {records: recordsByKey(operation, asked, records), isComplete: true},
    requests: requestsToRead(found ? 0 : asked.length) + deleted.requests,
  }
}

/** The rows of the sets of a plan. */
export function rowsToSend({sets, rows}: Planned): RowList {
  if (countToSend({sets}) === rows.length) return rows
  const sent = new PackedRows()
  for (const set of sets) for (const row of rowsOfSet(rows, set)) sent.push(row)
  return sent.list
}

/** Changes of a plan in the records that were read; null where they are not known. */
export function compareToAsk(
  {operation, comparison}: Planned,
  rows: RowList,
  before: Before | null,
): Comparison | null {
  const isRead = before && writeOperation(operation).preimage !== 'none'
  return comparison ?? (isRead ? compareKnown({operation, rows}, before.records) : null)
}
