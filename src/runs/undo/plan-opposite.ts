import {changedResource, type Write, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {findBroken, toInteger, toSignedText} from '../differences/changes.js'
import {readShown} from '../differences/probe-adjustments.js'
import type {Journal} from '../journal/journal.js'
import {compareRecords} from '../plan/compare.js'
import {toCompared} from '../plan/compare-plan.js'
import {type PlannedRow, rowsOfSet} from '../plan/cut-sets.js'
import type {Reader} from '../plan/read-at-most.js'
import {readCurrent} from '../plan/read-current.js'
import {contentDigest, idOf, writtenKey} from '../plan/row-content.js'
import type {LoadedPart, LoadedRun} from '../resume/left-sets.js'
import {loadRun} from '../resume/load-run.js'
import type {Sending} from '../rows/phases.js'
import {type LeftRow, type Undo, undoOf} from './plan-undo.js'

export type DifferenceUndo = {
  client: Reader
  sending: Sending
  /** Natural keys of rows that a later run took back. */
  undone: ReadonlySet<string>
  /** Records before the run, by natural key. */
  before: ReadonlyMap<string, JsonRecord>
}

/**
 * What undoes a run that changed records by a number: the opposite number, for each row whose change the report of
 * changes shows, where the record as it is allows it. The others are left, each with its reason.
 */
export async function planOpposite(journal: Journal, {client, sending, undone, before}: DifferenceUndo): Promise<Undo> {
  const loaded = loadRun(journal)
  const {facts, plan} = loaded
  const {operation} = plan
  const write = writeOperation(operation)
  const counting = countReads(client)
  const isOpen = (row: PlannedRow) => row.skip === undefined && !undone.has(writtenKey(operation, row.record))
  const applied = appliedParts(loaded)
  const open = applied.flatMap(({set}) => rowsOfSet(plan.rows, set).filter(isOpen))
  const ids = open.map((row) => idOf(row, write))
  const {records: now} = await readCurrent(counting, write, ids)
  const seen = new Set<string>()
  for (const part of applied) {
    const rows = rowsOfSet(plan.rows, part.set).filter(isOpen)
    const known = new Map(rows.flatMap((row) => toBefore(row, write, before.get(writtenKey(operation, row.record)))))
    const set = {write, records: rows.map(({record}) => record), before: known}
    const shown =
      rows.length === 0 ? [] : await readShown({client: counting, run: loaded, part, now: systemClock.now()}, set)
    for (const id of shown) seen.add(idText(id))
  }

  const found = open.map((row) => reverse(row, {write, now, seen}))
  const rows = found.flatMap((one) => ('record' in one ? one : []))
  const left = found.flatMap((one) => ('record' in one ? [] : one))
  return {
    plan: toCompared({
      ...undoOf(facts, operation, rows, sending),
      reads: counting.requests,
      comparison: compareRecords(operation, rows, now),
      before: {
        records: new Map(rows.flatMap((row) => toCurrent(row, write, now, writtenKey(operation, row.record)))),
        isComplete: true,
      },
    }),
    conflicts: [],
    notUndone: {neverApplied: facts.rows - countRows(applied), unknown: 0, deleted: 0, final: 0, before: 0},
    back: 0,
    stayCleared: 0,
    left,
  }
}

function appliedParts({parts}: LoadedRun): LoadedPart[] {
  return parts.filter(({part}) => part.state === 'confirmed')
}

function countRows(parts: readonly LoadedPart[]): number {
  return parts.reduce((sum, {set}) => sum + set.places.length, 0)
}

type Facts = {write: Write; now: ReadonlyMap<string, JsonRecord>; seen: ReadonlySet<string>}

function reverse(row: PlannedRow, {write, now, seen}: Facts): PlannedRow | LeftRow {
  const {line, record: sent} = row
  const {difference, target} = write
  if (!difference) throw new TypeError('a write of no differences')
  const {by} = difference
  const id = idOf(row, write)
  const size = toInteger(sent[by]) ?? 0n
  const current = now.get(idText(id))
  const name = `${changedResource(write)} ${idText(id)}`
  if (!current) return {line, id, code: 'CHANGED_SINCE', why: `${name} is no longer found`}
  if (!seen.has(idText(id))) {
    const why = `the report of changes does not show the ${toSignedText(size)} of ${name}`
    return {line, id, code: 'CHANGE_NOT_SHOWN', why}
  }
  const record = {[target]: id, [by]: toNumber(String(-size))}
  const broken = findBroken(write, current, record)
  if (broken) return {line, id, code: 'OUT_OF_BOUNDS', why: `${name}: ${broken.message}`}
  return {line, record, digest: contentDigest(record)}
}

function toBefore(row: PlannedRow, write: Write, record: JsonRecord | undefined): [string, JsonRecord][] {
  return record ? [[idText(idOf(row, write)), record]] : []
}

function toCurrent(row: PlannedRow, write: Write, now: Facts['now'], key: string): [string, JsonRecord][] {
  const record = now.get(idText(idOf(row, write)))
  return record ? [[key, record]] : []
}

function countReads({readPages}: Reader): Reader & {readonly requests: number} {
  let requests = 0
  return {
    async *readPages(id, request) {
      for await (const page of readPages(id, request)) {
        requests++
        yield page
      }
    },
    get requests() {
      return requests
    },
  }
}
