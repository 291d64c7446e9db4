import type {ErrorCode} from '../../contract/failure-codes.js'
import {allFieldsOf, type Field, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {type CliFailure, usage} from '../../core/errors.js'
import {putField} from '../../formats/record-path.js'
import {counted, thousands} from '../../values/counted.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'
import {lineText, placeIn} from '../../values/place.js'
import {idText, isDeletion} from '../../values/record-key.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {toCompared} from '../plan/compare.js'
import {changedBy, compareRecords, toComparable, toEffect} from '../plan/compare-rows.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {diffRecords, type FieldChange, findField, mergeRecord, spellFields} from '../rows/merge-fields.js'
import {batchOf, type Compared, noMessages, type Sending, type Uncut} from '../rows/phases.js'
import {contentDigest, idOf, recordsByKey, writtenKey} from '../rows/row-content.js'

/** A row that is in conflict with what someone did since; without fields its record is no longer found. */
export type UndoConflict = {line: number; id: JsonValue; fields: FieldConflict[]}

/** Rows of the run that cannot be undone, by reason. */
export type NotUndone = {
  /** The run itself did not apply them. */
  neverApplied: number
  /** Their values before are not known. */
  unknown: number
  /** They deleted records, which no update brings back. */
  deleted: number
  /** They changed nothing that can be changed back: an alert is never uncleared. */
  final: number
  /** A later run took them back already, and they were changed again since. */
  before: number
}

/** Where rows that are left are told one by one, only those that were never applied are counted. */
export function unappliedOnly(rows: number): NotUndone {
  return {neverApplied: rows, unknown: 0, deleted: 0, final: 0, before: 0}
}

/** A row that the run applied and that is not undone, and why. */
export type LeftRow = {line: number; id: JsonValue; code: ErrorCode; why: string}

export type Undo = {
  /** The reverse of the run; rows in conflict are in no set. */
  plan: Compared
  conflicts: UndoConflict[]
  notUndone: NotUndone
  /** Rows whose records are as they were before the run. */
  back: number
  /** Rows that stay cleared though their message goes back. */
  stayCleared: number
  /** For a run that changed records by a number: rows that are not undone, each for a reason of its own. */
  left?: readonly LeftRow[]
}

export type UndoInput = {
  facts: Pick<RunFacts, 'id' | 'rows' | 'layout' | 'merges'>
  operation: WriteId
  /** Rows of the run that it applied; they are taken out one by one, so that not all of them stay in memory. */
  applied: PlannedRow[]
  /** Records before the run, by natural key. */
  before: Iterable<[string, JsonRecord]>
  /** Current records, by the digits of their id. */
  now: ReadonlyMap<string, JsonRecord>
  /** Natural keys of rows that a later run took back. */
  undone: ReadonlySet<string>
  reads: number
}

/** The plan for one row: it is changed back, or it is in conflict, or it counts as not undone. */
type Found = {row: PlannedRow; conflict?: UndoConflict; staysCleared?: boolean} | keyof NotUndone

/** Rows that a run applied and that may be undone. */
export type AppliedRun = {
  facts: RunFacts
  operation: WriteId
  /** Read one by one, so that not all of them stay in memory. */
  rows: PlannedRow[]
}

/** The reverse of a run: its changes turned back, laid over the current records. */
export function planUndo(input: UndoInput, sending: Sending): Undo {
  const {facts, operation, now, reads} = input
  const notUndone = unappliedOnly(facts.rows - input.applied.length)
  const found = reverseAll(input)
  for (const one of found) if (typeof one === 'string') notUndone[one]++
  const kept = found.filter((one) => typeof one === 'object')
  const rows = kept.map(({row}) => row)
  const plan = toCompared({
    ...undoOf(facts, operation, rows, sending),
    reads,
    comparison: compareRecords(
      operation,
      rows.filter(({skip}) => skip !== 'changedSince'),
      now,
    ),
    before: {records: recordsByKey(operation, rows, now), isComplete: true},
  })
  return {
    plan,
    conflicts: kept.flatMap(({conflict}) => conflict ?? []),
    notUndone,
    back: rows.filter(({skip}) => skip === 'unchanged').length,
    stayCleared: kept.filter(({staysCleared}) => staysCleared).length,
  }
}

/** Rows that take a run back, of which the records are still to be compared. */
export function undoOf(
  {id, layout = {}}: Pick<RunFacts, 'id' | 'layout'>,
  operation: WriteId,
  rows: PlannedRow[],
  sending: Sending,
): Omit<Uncut, 'comparison' | 'before'> {
  return {
    ...{...noMessages, ...batchOf(operation, `run ${id}`, rows), layout, origin: {kind: 'undo', run: id}},
    ...{
      merges: writeOperation(operation).merge === 'full-replace',
      sending,
      doubts: [],
      problems: [],
      readAt: null,
      dates: null,
    },
  }
}

/** The reversal of each row, in their order; records of before are looked at one by one. */
function reverseAll({facts, operation, applied, before, now, undone}: UndoInput): Found[] {
  const isReplaced = writeOperation(operation).merge === 'full-replace' && !facts.merges
  const left: (PlannedRow | undefined)[] = applied.splice(0)
  const places = new Map(left.map((row, place) => [row && writtenKey(operation, row.record), place]))
  const found = new Array<Found>(left.length).fill('unknown')
  for (const [key, record] of before) {
    const place = places.get(key)
    const row = place === undefined ? undefined : left[place]
    if (place === undefined || !row) continue
    found[place] = reverseRow(row, {operation, before: record, now, isReplaced, wasUndone: undone.has(key)})
    left[place] = undefined
  }

  return found
}

type RowInput = {
  operation: WriteId
  before: JsonRecord
  now: UndoInput['now']
  isReplaced: boolean
  wasUndone: boolean
}

function reverseRow(row: PlannedRow, {operation, before, now: records, isReplaced, wasUndone}: RowInput): Found {
  const {line, record: sent, given: said} = row
  const write: Write = writeOperation(operation)
  const id = idOf(row, write)
  if (isDeletion(write, sent)) return 'deleted'
  const now = records.get(idText(id))
  if (!now) return toConflict({line, id, fields: []})
  const {given, conflicts, final} = reverseRecord({before, sent, now, said, isReplaced}, write)
  const isBack = Object.keys(given).length === 0
  if (wasUndone && (!isBack || conflicts.length > 0)) return 'before'
  if (conflicts.length > 0) return toConflict({line, id, fields: conflicts})
  if (isBack && final.length > 0) return 'final'
  const record = {...nameOf(write, {sent, now}), ...given}
  const digest = contentDigest(record)
  const merged = write.merge === 'full-replace' && {record: mergeRecord(now, record, write.resource), given: record}
  if (isBack) return {row: {line, record, digest, skip: 'unchanged', ...merged}}
  return {row: {line, record, digest, ...merged}, ...(final.length > 0 && {staysCleared: true})}
}

/** The fields of a row that name its record; an id that changed since is the current one. */
function nameOf({identity, target, probe}: Write, {sent, now}: {sent: JsonRecord; now: JsonRecord}): JsonRecord {
  const named = Object.fromEntries(identity.map((name) => [name, sent[name] ?? null]))
  return {[target]: (probe.kind === 'current' ? now : sent)[target] ?? null, ...named}
}

function toConflict(conflict: UndoConflict): Found {
  const {line, id} = conflict
  return {row: {line, record: {id}, skip: 'changedSince'}, conflict}
}

/** One record before a run, as the run sent it, and now. */
type ThreeRecords = {
  before: JsonRecord
  sent: JsonRecord
  now: JsonRecord
  /** Fields given by its row, where more was sent. */
  said: JsonRecord | undefined
  /** Fields missing in its row were set to null. */
  isReplaced: boolean
}

/** A field that someone changed since the run. */
type FieldConflict = {field: string; before: JsonValue; sent: JsonValue; now: JsonValue}

type Reversal = {
  /** Fields laid over the current record to undo the changes of the run; empty when nothing is left to do. */
  given: JsonRecord
  conflicts: FieldConflict[]
  /** Fields that the run changed and that cannot be changed back. */
  final: string[]
}

/**
 * The changes that undo one row of a run: only fields that the run changed go back, to the digit; their current values
 * show whether someone else changed them since.
 */
function reverseRecord({before, sent, now, said, isReplaced}: ThreeRecords, write: Write): Reversal {
  const {resource, endState, live} = write
  const {record, replaces} = isReplaced ? {record: sent, replaces: true} : changedBy(write, sent, said)
  const [then, current, effect] = [toComparable(before, write), toComparable(now, write), toEffect(record, write)]
  const isMeant = ({field}: FieldChange) => !live.includes(field) || Object.hasOwn(said ?? sent, field)
  const changes = diffRecords(then, effect, resource, replaces).filter(isMeant)
  const others = byField(diffRecords(current, effect, resource, replaces))
  const left = byField(diffRecords(current, then, resource, true))
  const final = changes.filter(({field}) => field === endState?.flag || field === endState?.time)
  const open = changes.filter((change) => !final.includes(change) && left.has(change.field))
  const conflicts = open.filter(({field}) => others.has(field))
  const back = open.filter((change) => !conflicts.includes(change))
  return {
    given: toGiven(back, {before: then, now: current}, resource),
    conflicts: conflicts.map(({field, from, to}) => ({
      field,
      before: from,
      sent: to,
      now: others.get(field)?.from ?? null,
    })),
    final: final.map(({field}) => field),
  }
}

function byField(changes: readonly FieldChange[]): Map<string, FieldChange> {
  return new Map(changes.map((change) => [change.field, change]))
}

type Sides = {before: JsonRecord; now: JsonRecord}

function toGiven(back: readonly FieldChange[], {before, now}: Sides, resource: string): JsonRecord {
  const fields = allFieldsOf(resource)
  const [then, current] = [spellFields(before, fields), spellFields(now, fields)]
  const given: JsonRecord = {}
  for (const {field: name, from} of back) {
    const [top = name] = name.split('.')
    const field = findField(fields, top)
    if (Object.hasOwn(given, top)) continue
    const value = name === top ? from : toObject(top, field, {back, before: then.get(top), now: current.get(top)})
    putField(given, top, value)
  }

  return given
}

type Inner = {back: readonly FieldChange[]; before: JsonValue | undefined; now: JsonValue | undefined}

/** A nested object with the fields of the run changed back; it is as it was when nothing is left in it. */
function toObject(top: string, field: Field | undefined, {back, before = null, now = null}: Inner): JsonValue {
  const reversed = new Map(back.map(({field: name, from}) => [name, from]))
  const [then, current] = [spellInner(before, field), spellInner(now, field)]
  const object: JsonRecord = {}
  for (const name of new Set([...then.keys(), ...current.keys()])) {
    const path = `${top}.${name}`
    putField(object, name, (reversed.has(path) ? reversed.get(path) : current.get(name)) ?? null)
  }

  return Object.values(object).every((value) => value === null) ? before : object
}

function spellInner(value: JsonValue, field: Field | undefined): Map<string, JsonValue> {
  return isRecord(value) ? spellFields(value, field?.fields ?? {}) : new Map()
}

/** Sentences about the rows of a run that are not undone, and why. */
export function describeUndo({conflicts, notUndone, stayCleared, left = [], plan}: Undo): string[] {
  const {neverApplied, unknown, final, before, deleted} = notUndone
  const {done = '', never = ''} = writeOperation(plan.operation).endState ?? {}
  const changed = conflicts.map(({line, fields}) => {
    const names = fields.map(({field}) => field).join(', ')
    return `${lineText(placeIn(plan, line))} (${names === '' ? 'no longer found' : names})`
  })
  return [
    countRows(neverApplied, 'was not applied by this run', 'were not applied by this run'),
    countRows(
      unknown,
      'is not undone: how it was before is not known',
      'are not undone: how they were before is not known',
    ),
    countRows(final, `is not undone: ${never}`, `are not undone: ${never}`),
    countRows(
      deleted,
      'is not undone: it deleted its record, which no update brings back',
      'are not undone: they deleted their records, which no update brings back',
    ),
    countRows(before, 'was undone already and changed again since', 'were undone already and changed again since'),
    countRows(stayCleared, `is undone and stays ${done}`, `are undone and stay ${done}`),
    ...(changed.length > 0 ? [`skipped, because someone changed them since ${plan.file}: ${shorten(changed)}`] : []),
    ...left.slice(0, linesNamed).map(({line, why}) => `${lineText(placeIn(plan, line))} is not undone: ${why}`),
    left.length > linesNamed ? `${counted(left.length - linesNamed, 'more row')} not undone` : undefined,
  ].filter((text) => text !== undefined)
}

const linesNamed = 20

function shorten(lines: readonly string[]): string {
  const more = lines.length - linesNamed
  return [...lines.slice(0, linesNamed), ...(more > 0 ? [`and ${thousands(more)} more`] : [])].join(', ')
}

function countRows(count: number, one: string, many: string): string | undefined {
  if (count === 0) return undefined
  return `${counted(count, 'row')} ${count === 1 ? one : many}`
}

/** `latest` means the run that went wrong: given twice, it would make its changes again. */
export function undoneBefore(id: string, undone: string): CliFailure {
  const again = commandLine('runs undo', [id])
  return usage(`The latest run, ${id}, undid run ${undone}; nothing was sent.`, `To make its changes again: ${again}`)
}
