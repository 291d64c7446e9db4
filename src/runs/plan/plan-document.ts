import {createHash, hash} from 'node:crypto'
import {planName, type WriteId, writeOperation} from '../../contract/index.js'
import type {FlagValues} from '../../core/command-line.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {CellsRow, Reading, Row} from '../../formats/read/row.js'
import {toChunks} from '../../formats/write/chunks.js'
import {nullMark} from '../../validate/read-cell.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {type PlannedRow, type PlannedSet, placesOf, recordsOfSet} from '../rows/cut-sets.js'
import {filterRows} from '../rows/packed-rows.js'
import {
  type Batch,
  type Before,
  type Compared,
  countToSend,
  type Planned,
  type RowChange,
  type Sending,
} from '../rows/phases.js'
import {textOf, valueAt} from '../rows/pointers.js'
import {idOf, saidBy, toBody} from '../rows/row-content.js'
import {compareKnown} from './compare-rows.js'

/** A plan file without its rows: what it does, where, and what it was made of. */
export type PlanHead = {
  operation: WriteId
  /** Words of the command that applies it. */
  command: string
  toolVersion: string
  /** UTC; a label. */
  created: string
  /** Who made it, as `user@host`; a plan of an earlier version does not say. */
  by?: string
  /** When its records were read, by the clock of the service, UTC; where no answer said, it is missing. */
  asOf?: string
  target: {profile: string; stage: string; baseUrl: string}
  /** The file that the rows came from; null when they were named or found. */
  input: PlanInput | null
  options: Sending
}

/** When a plan was made, in milliseconds since 1970, by the clock of the service where that is known. */
export function plannedAt({asOf, created}: Pick<PlanHead, 'asOf' | 'created'>): number {
  return Date.parse(asOf ?? created)
}

/** Whether the records were read when the plan was made: all of them, some, or none because they cannot be read. */
export type PreimagesRead = 'whole' | 'partly' | 'none'

/** `flags`: those of the command that say how the input is read. */
export type PlanInput = Reading &
  Pick<Layout, 'shifts'> & {name: string; sha256: string; encoding?: string; flags?: FlagValues}

/**
 * A plan as the text of its file: JSON with one row a line and numbers digit for digit, and, as its last field, the
 * SHA-256 of all text before it.
 */
export function* printPlanDocument(head: PlanHead, plan: Compared): Generator<string, void, void> {
  const hash = createHash('sha256')
  for (const chunk of toChunks(printParts(head, plan))) {
    hash.update(chunk)
    yield chunk
  }

  yield `  "digest": ${printJson(hash.digest('hex'))}\n}\n`
}

function* printParts(head: PlanHead, plan: Compared): Generator<string, void, void> {
  const {merges, dates, reads, columns} = plan
  const more = {
    counts: toCounts(plan),
    merges,
    reads,
    dates: dates ?? {},
    columns: Object.fromEntries(columns),
    records: recordsRead(plan.before),
  }
  const fields = {schema: planName, ...head, ...more}
  yield '{\n'
  for (const [name, value] of Object.entries<JsonValue>(fields as JsonRecord))
    yield `  ${printJson(name)}: ${printJson(value, 2).replaceAll('\n', '\n  ')},\n`

  yield* printList('rows', toRows(plan))
  yield* printList('sets', toSets(plan))
  yield* printList('preimages', toPreimages(plan))
}

function* printList(name: string, items: Iterable<JsonRecord>): Generator<string, void, void> {
  yield `  ${printJson(name)}: [`
  let between = '\n    '
  for (const item of items) {
    yield between + printJson(item)
    between = ',\n    '
  }

  yield '\n  ],\n'
}

export function recordsRead(before: Before | null): PreimagesRead {
  return before ? (before.isComplete ? 'whole' : 'partly') : 'none'
}

export function toCounts(plan: Pick<Planned, 'rows' | 'sets' | 'reads'>): JsonRecord {
  const {rows, sets, reads} = plan
  const unchanged = placesOf(rows, (skip) => skip !== undefined).length
  return {rows: rows.length, toSend: countToSend(plan), unchanged, sets: sets.length, requests: sets.length + reads}
}

function* toRows(plan: Compared): Generator<JsonRecord, void, void> {
  const write = writeOperation(plan.operation)
  const changes = changesById(isComputed(plan) ? changesSent(plan, plan.before) : (plan.comparison?.changes ?? []))
  for (const row of plan.rows) yield toRow(row, row.skip ? undefined : changes.get(idText(idOf(row, write))))
}

/** Whether a plan alone tells its changes; selections of templates are read again when they are applied. */
export function isComputed({operation}: Pick<Batch, 'operation'>): boolean {
  return writeOperation(operation).probe.kind !== 'template'
}

/** Changes of the sent records to the records before them, where those are known. */
export function changesSent({operation, rows}: Pick<Batch, 'operation' | 'rows'>, before: Before | null): RowChange[] {
  if (!before || writeOperation(operation).preimage !== 'records') return []
  return compareKnown({operation, rows: filterRows(rows, ({skip}) => skip === undefined)}, before.records).changes
}

/** Changes as a plan file has them, by the digits of the id: `{field: {now, new}}`. */
export function changesById(changes: readonly RowChange[]): Map<string, JsonRecord> {
  const found = new Map<string, JsonRecord>()
  for (const change of changes) {
    const key = idText(change.id)
    const known = found.get(key) ?? {}
    found.set(key, known)
    known[fieldOf(change)] = {now: change.from, new: change.to}
  }
  return found
}

function toRow({line, record, skip, by, given, digest}: PlannedRow, changes?: JsonRecord): JsonRecord {
  return {
    line,
    ...(skip && {skip}),
    ...(by !== undefined && {by}),
    ...(changes && {changes}),
    record,
    ...(given && {given}),
    ...(digest && {content: Buffer.from(digest).toString('hex')}),
  }
}

/** The name of a changed field in a plan; of a selection of a machine `A5.price`. */
export function fieldOf({selection, field}: Pick<RowChange, 'selection' | 'field'>): string {
  return selection === undefined ? field : `${selection}.${field}`
}

function* toSets(plan: Compared): Generator<JsonRecord, void, void> {
  for (const set of plan.sets) {
    const {number, canary, places} = set
    yield {number, ...(canary && {canary}), sha256: bodyDigest(plan, set), rows: [...places]}
  }
}

/** SHA-256 in hex of the exact body that a set sends. */
export function bodyDigest({operation, rows}: Pick<Batch, 'operation' | 'rows'>, set: PlannedSet): string {
  return hash('sha256', toBody(operation, recordsOfSet(rows, set)))
}

/** The records as they were when the plan was made. */
function* toPreimages({before}: Compared): Generator<JsonRecord, void, void> {
  for (const [key, record] of before?.records ?? []) yield {key, record}
}

type Rows = Pick<Batch, 'file' | 'rows' | 'columns' | 'reading'>

const rowsAtOnce = 1_000

/**
 * The rows of a plan as if they were read from its input, for when that is not there any more: a table has the columns
 * that the input had for fields, everything else is one record a row.
 */
export function toRowFileOfPlan({file, rows, columns, reading}: Rows): RowFile {
  const {delimiter = ','} = reading ?? {}
  const names = [...columns].sort(([, one], [, other]) => one - other).map(([name]) => name)
  const isTable = names.length > 0
  const toRow = (row: PlannedRow): Row =>
    isTable ? toCells(row, names) : {kind: 'value', line: row.line, size: 0, value: saidBy(row)}
  return {
    name: file,
    format: isTable ? 'csv' : 'ndjson',
    ...(isTable && {header: {line: 1, cells: names}, delimiter}),
    rows: (async function* () {
      for (let start = 0; start < rows.length; start += rowsAtOnce)
        yield rows.slice(start, start + rowsAtOnce).map(toRow)
    })(),
  }
}

function toCells({line, record, given}: PlannedRow, names: readonly string[]): CellsRow {
  const values = names.map((name) => findValue(given ?? record, name))
  const quoted = values.flatMap((value, place) => (value === '' ? [place] : []))
  return {kind: 'cells', line, size: 0, cells: values.map(toCell), ...(quoted.length > 0 && {quoted})}
}

/** A field that is not of the contract may have a dot in its name. */
function findValue(record: JsonRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : valueAt(record, name)
}

function toCell(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return value === null ? nullMark : (textOf(value) ?? printJson(value))
}
