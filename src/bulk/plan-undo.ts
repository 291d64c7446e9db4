import {limits, type Write, writeOperation} from '../contract/index.js'
import type {JsonRecord, JsonValue} from '../values/json.js'
import {compareRecords, idOf} from './compare.js'
import type {PlannedRow} from './cut-sets.js'
import type {LoadedRun} from './load-run.js'
import {mergeRecord} from './merge.js'
import {cutRows, type Plan, type PlanOptions} from './plan-file.js'
import {keyOf} from './read-current.js'
import {contentDigest, naturalKeyOf} from './row-content.js'
import {type FieldConflict, reverseRecord} from './undo-record.js'

/** A row that is in conflict with what somebody did since; without fields its record is not found any more. */
export type UndoConflict = {line: number; id: JsonValue; fields: FieldConflict[]}

/** Rows of the run that cannot be taken back, by why. */
export type NotUndone = {
  /** The run itself did not apply them. */
  neverApplied: number
  /** How they were before is not known. */
  unknown: number
  /** They changed nothing that can be changed back: an alert is never uncleared. */
  final: number
  /** A later run took them back already, and they were changed again since. */
  before: number
}

export type Undo = {
  /** What takes the run back; rows in conflict are in no set. */
  plan: Plan
  conflicts: UndoConflict[]
  notUndone: NotUndone
  /** Rows whose records are as they were before the run. */
  back: number
  /** Rows that stay cleared though their message goes back. */
  stayCleared: number
}

export type UndoInput = {
  loaded: LoadedRun
  /** Rows of the run that it applied. */
  applied: readonly PlannedRow[]
  /** Records before the run, by natural key. */
  before: ReadonlyMap<string, JsonRecord>
  /** Records as they are, by the digits of their id. */
  now: ReadonlyMap<string, JsonRecord>
  /** Natural keys of rows that a later run took back. */
  takenBack: ReadonlySet<string>
  reads: number
}

type Cut = Pick<PlanOptions, 'atomic' | 'canary'> & {setSize?: number | undefined}

/** What takes a run back: the reverse of what it changed, laid over the records as they are. Pure. */
export function planUndo(input: UndoInput, cut: Cut): Undo {
  const {loaded, applied, now, reads} = input
  const {operation} = loaded.plan
  const undo: Omit<Undo, 'plan'> = {
    conflicts: [],
    notUndone: {neverApplied: loaded.plan.rows.length - applied.length, unknown: 0, final: 0, before: 0},
    back: 0,
    stayCleared: 0,
  }
  const rows = applied.flatMap((row) => reverseRow(row, input, undo) ?? [])
  const preimages = rows.flatMap(({record}): [string, JsonRecord][] => {
    const current = now.get(keyOf(record['id']))
    return current ? [[naturalKeyOf(operation, record) ?? '', current]] : []
  })
  const meant = rows.filter(({skip}) => skip !== 'changedSince')
  const plan: Plan = {
    operation,
    file: `run ${loaded.facts.id}`,
    rows,
    sets: cutRows(rows, {...cut, setSize: cut.setSize ?? limits.defaultSetSize}),
    columns: new Map(),
    warnings: [],
    notices: [],
    merges: writeOperation(operation).replaces === true,
    comparison: compareRecords(operation, meant, now),
    reads,
    preimages: new Map(preimages),
    undoes: loaded.facts.id,
  }
  return {...undo, plan}
}

/** The row that takes a row of the run back, if one does; what is to be said of the others is counted. */
function reverseRow(row: PlannedRow, input: UndoInput, undo: Omit<Undo, 'plan'>): PlannedRow | undefined {
  const {operation} = input.loaded.plan
  const {line, record: sent} = row
  const id = idOf(row)
  const key = naturalKeyOf(operation, sent) ?? keyOf(id)
  const [before, now] = [input.before.get(key), input.now.get(keyOf(id))]
  const write: Write = writeOperation(operation)
  if (!before) return count(undo.notUndone, 'unknown')
  if (!now) return conflict(undo, {line, id, fields: []})
  const {given, conflicts, final} = reverseRecord({before, sent, now}, write)
  const isBack = Object.keys(given).length === 0
  if (input.takenBack.has(key) && (!isBack || conflicts.length > 0)) return count(undo.notUndone, 'before')
  if (conflicts.length > 0) return conflict(undo, {line, id, fields: conflicts})
  if (isBack && final.length > 0) return count(undo.notUndone, 'final')
  const whole = {id, ...given}
  const digest = contentDigest(whole)
  if (isBack) {
    undo.back++
    return {line, record: whole, digest, skip: 'unchanged'}
  }

  if (final.length > 0) undo.stayCleared++
  return write.replaces
    ? {line, record: mergeRecord(now, whole, write.resource), given: whole, digest}
    : {line, record: whole, digest}
}

function count(counts: NotUndone, name: keyof NotUndone): undefined {
  counts[name]++
}

function conflict({conflicts}: Omit<Undo, 'plan'>, found: UndoConflict): PlannedRow {
  conflicts.push(found)
  const {line, id} = found
  return {line, record: {id}, skip: 'changedSince'}
}
