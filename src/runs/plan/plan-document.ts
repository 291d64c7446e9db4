import {createHash} from 'node:crypto'
import {toWriteBody} from '../../client/request.js'
import {planName, type WriteId, writeOperation} from '../../contract/index.js'
import type {FlagValues} from '../../core/command-line.js'
import type {Reading} from '../../formats/read/row.js'
import {toChunks} from '../../formats/write/chunks.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {idOf, recordDigest, saidBy, writtenKey} from '../check/row-content.js'
import {toSent} from '../send/to-sent.js'
import {type PlannedRow, type PlannedSet, placesOf, rowsOfSet} from './cut-sets.js'
import type {RowChange} from './plan.js'
import {countToSend, type Plan, type PlanSending} from './plan.js'

/** What a plan file says besides its rows: what it does, where, and what it was made of. */
export type PlanHead = {
  operation: WriteId
  /** Words of the command that applies it. */
  command: string
  toolVersion: string
  /** UTC; a label. */
  created: string
  target: {profile: string; stage: string; baseUrl: string}
  /** The file that the rows came from; null when they were named or found. */
  input: PlanInput | null
  /** How the sets are sent. */
  options: PlanSending
}

/** Whether the records were read when the plan was made: all of them, some, or none because they cannot be read. */
export type PreimagesRead = 'whole' | 'partly' | 'none'

/** `flags`: those of the command that say how the input is read. */
export type PlanInput = Reading &
  Pick<Layout, 'shifts'> & {name: string; sha256: string; encoding?: string; flags?: FlagValues}

/**
 * A plan as the text of its file: JSON with one row a line and numbers digit for digit, and, as its last field, the
 * SHA-256 of all that stands before it.
 */
export function* printPlanDocument(head: PlanHead, plan: Plan): Generator<string, void, void> {
  const hash = createHash('sha256')
  for (const chunk of toChunks(printParts(head, plan))) {
    hash.update(chunk)
    yield chunk
  }

  yield `  "digest": ${printJson(hash.digest('hex'))}\n}\n`
}

function* printParts(head: PlanHead, plan: Plan): Generator<string, void, void> {
  const {merges, dates = {}, reads, columns} = plan
  const more = {
    counts: toCounts(plan),
    merges,
    reads,
    dates,
    columns: Object.fromEntries(columns),
    records: recordsRead(plan),
  }
  const fields = {schema: planName, ...head, ...more}
  yield '{\n'
  for (const [name, value] of Object.entries<JsonValue>(fields as JsonRecord)) {
    yield `  ${printJson(name)}: ${printJson(value, 2).replaceAll('\n', '\n  ')},\n`
  }

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

function recordsRead({preimages, preimagesComplete = true}: Plan): PreimagesRead {
  return preimages ? (preimagesComplete ? 'whole' : 'partly') : 'none'
}

function toCounts(plan: Plan): JsonRecord {
  const {rows, sets, reads} = plan
  const unchanged = placesOf(rows, (skip) => skip !== undefined).length
  return {rows: rows.length, toSend: countToSend(plan), unchanged, sets: sets.length, requests: sets.length + reads}
}

function* toRows({operation, rows, comparison}: Plan): Generator<JsonRecord, void, void> {
  const write = writeOperation(operation)
  const changes = new Map<string, RowChange[]>()
  for (const change of comparison?.changes ?? []) {
    const key = idText(change.id)
    const known = changes.get(key)
    if (known) known.push(change)
    else changes.set(key, [change])
  }

  for (const row of rows) yield toRow(row, changes.get(idText(idOf(row, write))) ?? [])
}

function toRow({line, record, skip, by, given, digest}: PlannedRow, changes: readonly RowChange[]): JsonRecord {
  return {
    line,
    ...(skip && {skip}),
    ...(by !== undefined && {by}),
    ...(changes.length > 0 && {
      changes: Object.fromEntries(changes.map((change) => [fieldOf(change), {now: change.from, new: change.to}])),
    }),
    record,
    ...(given && {given}),
    ...(digest && {content: Buffer.from(digest).toString('hex')}),
  }
}

/** The name of a changed field in a plan; of a selection of a machine `A5.price`. */
export function fieldOf({selection, field}: Pick<RowChange, 'selection' | 'field'>): string {
  return selection === undefined ? field : `${selection}.${field}`
}

function* toSets(plan: Plan): Generator<JsonRecord, void, void> {
  for (const set of plan.sets) {
    const {number, canary, places} = set
    yield {number, ...(canary && {canary}), sha256: bodyDigest(plan, set), rows: [...places]}
  }
}

/** SHA-256 in hex of the exact body that a set sends. */
export function bodyDigest({operation, rows}: Pick<Plan, 'operation' | 'rows'>, set: PlannedSet): string {
  const records = rowsOfSet(rows, set).map(({record}) => record)
  return createHash('sha256')
    .update(toWriteBody(toSent(operation, records)))
    .digest('hex')
}

/** The records as they were when the plan was made: a record that changed since has another digest. */
function* toPreimages({operation, preimages, rows}: Plan): Generator<JsonRecord, void, void> {
  const write = writeOperation(operation)
  const named = write.live.length === 0 ? [] : rows.map((row) => [writtenKey(operation, row.record), row] as const)
  const rowOf = new Map(named)
  for (const [key, record] of preimages ?? []) {
    const row = rowOf.get(key)
    yield {key, sha256: recordDigest(write, record, row && saidBy(row))}
  }
}
