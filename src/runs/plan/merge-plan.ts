import {allFieldsOf, fieldsOf, type Write, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {putField} from '../../formats/record-path.js'
import type {Problem} from '../../validate/problem.js'
import type {JsonRecord} from '../../values/json.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {problemAt} from '../check/invalid-input.js'
import {createMergedCheck} from '../check/record-rules.js'
import {type Reader, readCurrent, requestsToRead} from '../records/read-current.js'
import {bytesOfRecord, type PlannedRow, placesOf} from '../rows/cut-sets.js'
import {diffRecords, mergeRecord, spellRecord} from '../rows/merge-fields.js'
import {filterRows, mapRows} from '../rows/packed-rows.js'
import type {Batch, Comparison, Matched, Shown} from '../rows/phases.js'
import {contentDigest, idOf, isNew, nameOf, placeOf, writtenKey} from '../rows/row-content.js'
import {watchBrokenFields} from './broken-fields.js'
import {createChanger} from './changed-values.js'
import {creation, deletion} from './compare-rows.js'
import {settleCells} from './current-cells.js'

export type MergeOptions = {client: Reader; sendUnchanged: boolean}

export type Merged = Required<Omit<Shown, 'before' | 'remarks' | 'requests'>> & {
  /** Current records by natural key. */
  before: Map<string, JsonRecord>
}

/** Rows that were merged with the current records. */
export async function mergeRows(matched: Matched, options: MergeOptions): Promise<Shown> {
  const {before, longestRecordBytes, ...merged} = await mergePlan(matched, options)
  const isAll = merged.comparison.missing.length === 0 // a row without its record is as long as the file has it
  const asked = matched.found ? 0 : placesOf(merged.rows, (skip) => skip !== 'appliedBefore').length
  return {
    ...merged,
    longestRecordBytes: isAll ? longestRecordBytes : Number.POSITIVE_INFINITY,
    before: {records: before, isComplete: true},
    requests: requestsToRead(asked),
  }
}

export type ToMerge = Pick<Matched, 'operation' | 'file' | 'layout' | 'columns' | 'rows' | 'changes' | 'found'> &
  Pick<Matched, 'warnings' | 'doubts'>

/**
 * Lays the rows of a plan over the current records, which are read once. A row whose record is like that already has
 * `skip`, unless it is sent anyway; a row whose record does not exist is left unmerged. Time: linear in rows; memory:
 * their current records, and the changes.
 */
export async function mergePlan(plan: ToMerge, {client, sendUnchanged}: MergeOptions): Promise<Merged> {
  const operation = writeOperation(plan.operation)
  const asked = filterRows(plan.rows, ({skip, record}) => skip === undefined && !isNew(operation, record))
  const readAt = plan.found?.readAt ?? systemClock.monotonic()
  const ids = asked.map((row) => idOf(row, operation))
  const {records} = await readCurrent(client, operation, ids, {known: plan.found?.records})
  const comparison: Comparison = {changes: [], missing: [], unchanged: 0}
  const brokenFields = watchBrokenFields(operation)
  const check = createMergedCheck(plan)
  const change = createChanger(plan, check.problems)
  const before = new Map<string, JsonRecord>()
  const fresh = new Set<number>()
  let longestRecordBytes = 0
  const {warnings, doubts, ...settled} = settleCells(plan, records)
  const rows = mapRows(settled.rows, (row, place) => {
    if (row.skip) return row
    return isNew(operation, row.record) ? create(row, place) : merge(row)
  })
  const {notices} = brokenFields
  return {
    rows,
    comparison,
    notices,
    warnings,
    doubts,
    problems: check.problems,
    before,
    readAt,
    longestRecordBytes,
    fresh,
  }

  function create(row: PlannedRow, place: number): PlannedRow {
    const {line, record} = row
    fresh.add(place)
    comparison.changes.push({line, id: null, ...nameOf(record), ...placeOf(record), ...creation})
    longestRecordBytes = Math.max(longestRecordBytes, bytesOfRecord(record))
    return row
  }

  function merge(row: PlannedRow): PlannedRow {
    const {line, record: given} = row
    const id = idOf(row, operation)
    const found = records.get(idText(id))
    check.problems.push(...checkInForce(row, found, {plan, write: operation}))
    const first = found ? undefined : toFirst(given, operation)
    if (!found && !first) {
      comparison.missing.push({line, id})
      return row
    }

    if (found) before.set(writtenKey(plan.operation, given), found)
    const current = found ?? {}
    const values = change(line, given, current)
    const record = first ?? withKnownId(mergeRecord(current, values, operation.resource), current, operation)
    const changes = isDeletion(operation, record)
      ? [deletion]
      : diffRecords(current, first ?? onlyGiven(record, values, operation), operation.resource, false)
    const known = {...nameOf(found ?? record), ...placeOf(found ?? record)}
    for (const change of changes) comparison.changes.push({line, id, ...known, ...change})
    check.look({line, record, changes})
    if (changes.length === 0) comparison.unchanged++
    if (changes.length === 0 && !sendUnchanged) return {...row, skip: 'unchanged'}
    if (found) brokenFields.look(record, values)
    longestRecordBytes = Math.max(longestRecordBytes, bytesOfRecord(record))
    const digest = row.digest ?? (values === given ? undefined : contentDigest(given))
    return {line, record, ...(digest && {digest}), given: values}
  }
}

/** A record with its id as the service gave it, which may be a text of digits. */
function withKnownId(record: JsonRecord, current: JsonRecord, {target}: Write): JsonRecord {
  const known = current[target]
  const isOther = typeof known === 'string' && record[target] !== known && idText(record[target]) === known
  return isOther ? {...record, [target]: known} : record
}

/** The fields of a merged record that its row gives: only they can differ from the current record. */
function onlyGiven(record: JsonRecord, given: JsonRecord, {resource}: Write): JsonRecord {
  const names = Object.keys(spellRecord(given, allFieldsOf(resource)))
  const fields: JsonRecord = {}
  for (const name of names) if (Object.hasOwn(record, name)) putField(fields, name, record[name] ?? null)
  return fields
}

/** A row whose record is the first under its key, with what the service would not fill in. */
function toFirst(record: JsonRecord, {probe}: Write): JsonRecord | undefined {
  return probe.kind === 'current' ? {...probe.first, ...record} : undefined
}

type Checked = {plan: Pick<Batch, 'file' | 'layout' | 'columns'>; write: Write}

/**
 * Problems of a row whose id is not that of the record in force, and of one that leaves out what the first record under
 * its key needs.
 */
function checkInForce(row: PlannedRow, current: JsonRecord | undefined, {plan, write}: Checked): Problem[] {
  const {probe, target, resource} = write
  const given = row.record[target]
  if (probe.kind !== 'current') return []
  if (given !== undefined && idText(given) !== idText(current?.[target])) {
    const now = current ? `the current one is ${idText(current[target])}` : 'there is none in force'
    const message = `${resource} ${idText(given)} was retired, or is of another ${probe.key.join(' or ')}; ${now}`
    const cell = {cell: idText(given), write: current && [idText(current[target])]}
    return [problemAt(plan, {line: row.line, field: target, ...cell}, {code: 'MISSING_RECORD', message})]
  }

  const needed = Object.entries(fieldsOf(resource, 'update')).filter(([, {required}]) => required?.includes('update'))
  const left = current ? [] : needed.filter(([name]) => row.record[name] === undefined)
  const message = 'required, because no record is in force that it could be taken from'
  return left.map(([field]) => problemAt(plan, {line: row.line, field}, {code: 'MISSING_VALUE', message}))
}
