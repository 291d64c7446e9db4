import type {FilterValues} from '../../client/types.js'
import {type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {readingOf} from '../../formats/read/row.js'
import {mayBeUnchanged, type Problem} from '../../validate/problem.js'
import type {JsonRecord} from '../../values/json.js'
import type {CheckedRows} from '../check/check-file.js'
import {invalidInput} from '../check/invalid-input.js'
import type {NamedRows} from '../names/resolve-names.js'
import {type ChosenRecords, type Reader, readChosen} from '../records/read-current.js'
import {cutSets, type PlannedRow, type RowList} from '../rows/cut-sets.js'
import type {FieldRule} from '../rows/merge-fields.js'
import {mapRows} from '../rows/packed-rows.js'
import {
  batchOf,
  type Checked,
  type Compared,
  type Comparison,
  cutOf,
  type Messages,
  namedRows,
  noMessages,
  type Sending,
} from '../rows/phases.js'
import {nameOf, naturalKeyOf, placeOf} from '../rows/row-content.js'
import {toCompared} from './compare.js'

export type PlanOptions = {
  sending: Sending
  /** Fields missing in a row come from the current record. */
  merges?: boolean | undefined
  /** Also send rows that change nothing. */
  sendUnchanged: boolean
  /** Changes of fields of the current records, the same in every row. */
  changes?: readonly FieldRule[] | undefined
  /** The rows, once the records that they name were found. */
  named: NamedRows | undefined
}

/** The warnings and notices of a checked file. */
export function messagesOf({checker}: CheckedRows): Messages {
  const {notices, remarks} = checker
  return {warnings: checker.problems.filter(({severity}) => severity === 'warning'), notices, remarks}
}

/** The rows of a checked file. Throws a `CliFailure` (invalid) whose entries are all problems of the file. */
export function planRows(operation: WriteId, checked: CheckedRows, options: PlanOptions): Checked {
  const {input, checker, broken} = checked
  const {merges = false, sendUnchanged, named, changes = [], sending} = options
  const isError = ({severity}: Problem) => severity === 'error'
  const errors = checker.problems.filter(isError)
  const unnamed = named?.problems.filter(isError) ?? []
  const write = writeOperation(operation)
  const readsRecords = merges || (write.merge === 'partial' && write.preimage === 'records')
  const isDoubt = (error: Problem) => readsRecords && mayBeUnchanged(error, [...write.identity, ...(named?.keys ?? [])])
  if (broken || unnamed.length > 0 || !errors.every(isDoubt))
    throw invalidInput({operation, file: input.name, errors: [...errors, ...unnamed], rows: checker.count, broken})

  const found = named?.rows ?? checker.rows.list
  const rows = merges || sendUnchanged ? found : skipEmptyUpdates(found, write)
  if (sending.atomic && !merges)
    cutSets(rows, {...cutOf(operation, sending), longestRecordBytes: checker.longestRecordBytes}) // what cannot fit is refused before anything is read
  return {
    ...batchOf(operation, input.name, rows),
    ...messagesOf(checked),
    phase: 'checked',
    layout: checker.layout,
    reading: readingOf(input) ?? null,
    columns: named?.columns ?? checker.columns,
    merges,
    changes,
    reads: named?.requests ?? 0,
    doubts: errors,
    allowsDamage: checker.allowsDamage,
    longestRecordBytes: checker.longestRecordBytes,
    found: named?.current ? {records: named.current, readAt: named.readAt} : null,
  }
}

/** An update that names a record and nothing else changes nothing. */
function skipEmptyUpdates(rows: RowList, {body, identity}: Write): RowList {
  if (body !== 'update') return rows
  const isEmpty = ({record}: PlannedRow) => Object.keys(record).every((name) => identity.includes(name))
  return mapRows(rows, (row) => (isEmpty(row) ? {...row, skip: 'unchanged'} : row))
}

/** Reads the records that match and have not reached the end state that the write brings them to. */
export async function readOpenAlerts(
  client: Reader,
  operation: WriteId,
  filters: FilterValues,
  where: readonly string[] = [],
): Promise<ChosenRecords> {
  const {probe, endState} = writeOperation(operation)
  if (probe.kind !== 'endState' || !endState) throw new TypeError(`${operation} brings no record to an end state`)
  const {records, ...read} = await readChosen(client, probe.read, filters, where)
  return {...read, records: records.filter((alert) => alert[endState.flag] !== true)}
}

/** Open alerts as they were just read, to be cleared. `dates`: those that they were searched by. */
export function foundAlerts(
  operation: WriteId,
  {records: alerts, requests}: Pick<ChosenRecords, 'records' | 'requests'>,
  {dates, sending}: {dates: FilterValues; sending: Sending},
): Compared {
  const ids = alerts.map((alert) => ({id: alert['id'] ?? null}))
  const records = new Map(alerts.map((alert) => [naturalKeyOf(operation, alert) ?? '', alert]))
  return toCompared({
    ...{
      ...noMessages,
      ...namedRows(operation, ids, requests),
      sending,
      dates,
      doubts: [],
      problems: [],
      readAt: null,
    },
    comparison: toComparison(operation, alerts),
    before: {records, isComplete: true},
  })
}

function toComparison(operation: WriteId, alerts: readonly JsonRecord[]): Comparison {
  const field = writeOperation(operation).endState?.flag ?? ''
  const changes = alerts.map((alert, index) => ({
    line: index + 1,
    id: alert['id'] ?? null,
    ...nameOf(alert),
    ...placeOf(alert),
    field,
    from: false,
    to: true,
  }))
  return {changes, missing: [], unchanged: 0}
}
