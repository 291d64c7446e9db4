import {exitCodeOf, isWriteId, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {lineText, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {appliedRows, findUndoers, readUndoer} from '../earlier-runs/undone.js'
import type {Journal} from '../journal/journal.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {isInDoubt, keptPreimages, type LoadedRun} from '../journal/load-run.js'
import {withJournalIfSound} from '../journal/open-journal.js'
import {listRunIds} from '../journal/run-folder.js'
import {type Reader, rangeOf, readCurrent, type Span, spanOfRecord} from '../records/read-current.js'
import {type RunReport, withEnding} from '../report/report.js'
import {countPlaces} from '../rows/cut-sets.js'
import type {Sending} from '../rows/phases.js'
import {idOf, isNew} from '../rows/row-content.js'
import {planDeletion, planOpposite} from './plan-opposite.js'
import {type AppliedRun, type LeftRow, planUndo, type Undo, type UndoConflict} from './plan-undo.js'

export type UndoOptions = {
  client: Reader
  sending: Sending
  /** Leave out rows that someone changed since; without it they stop everything. */
  skipChanged: boolean
  /** Later runs that undid rows of this one, with the natural keys of those rows. */
  undone: ReadonlyMap<string, ReadonlySet<string>>
}

/** Throws `invalid` for a run that cannot be undone, and `inDoubt` for one with rows in doubt. */
export function appliedOf(loaded: LoadedRun): AppliedRun {
  checkUndo(loaded)
  return {facts: loaded.facts, operation: loaded.plan.operation, rows: appliedRows(loaded)}
}

/** A part of a run that a write of its own undoes, and why that write has nothing to do, if so. */
export type PartUndo = {part: AppliedRun; undo: Undo; refusal: CliFailure | undefined}
export type UndoParts = [PartUndo, ...PartUndo[]]

/**
 * The reverse of a run: first the records that it made, because it made them last, then its changes. Throws a
 * `CliFailure`: `incomplete` for rows that someone changed since, `invalid` when nothing of the run can be undone.
 */
export async function planUndoOf(run: AppliedRun, journal: Journal, options: UndoOptions): Promise<UndoParts> {
  const plan = async (part: AppliedRun): Promise<PartUndo> => {
    const {body, difference} = writeOperation(part.operation)
    const isOpposite = difference || body === 'create'
    return {part, ...(await (isOpposite ? planOppositeOf : planReversalOf)(part, journal, options))}
  }
  const [first, then] = toParts(run)
  const parts: UndoParts = [await plan(first), ...(then ? [await plan(then)] : [])]
  if (parts.every(({refusal}) => refusal)) throw parts[0].refusal
  return parts
}

function toParts({facts, operation, rows}: AppliedRun): [first: AppliedRun, then?: AppliedRun] {
  const write: Write = writeOperation(operation)
  const {creates} = write
  const {created = [], changed = []} = Object.groupBy(rows, ({record}) =>
    isNew(write, record) ? 'created' : 'changed',
  )
  if (!creates || created.length === 0) return [{facts, operation, rows}]
  const ofCreated = {facts: {...facts, rows: facts.rows - changed.length}, operation: creates, rows: created}
  if (changed.length === 0) return [ofCreated]
  return [ofCreated, {facts: {...facts, rows: changed.length}, operation, rows: changed}]
}

type Planned = Omit<PartUndo, 'part'>

async function planReversalOf(run: AppliedRun, journal: Journal, options: UndoOptions): Promise<Planned> {
  const {facts, operation} = run
  const undo = await compareWithNow(run, journal, options)
  const {plan, conflicts, back} = undo
  const why = whyNothing(undo, options.undone, writeOperation(operation))
  if (plan.rows.length === 0) return {undo, refusal: nothingToUndo(facts.id, ...why)}
  if (conflicts.length > 0 && !options.skipChanged) throw changedSince(facts, operation, conflicts)
  if (plan.sets.length === 0 && back === 0)
    return {
      undo,
      refusal: nothingToUndo(facts.id, ...why, `someone changed ${why.length > 0 ? 'the rest' : 'all'} of it since`),
    }
  const [earlier] = [...options.undone.keys()].reverse()
  if (plan.sets.length > 0 || earlier === undefined) return {undo, refusal: undefined}
  const notices = [`run ${facts.id} was undone already by run ${earlier}`]
  return {undo: {...undo, plan: {...plan, notices}}, refusal: undefined}
}

/** The reverse of writes whose rows are left instead of being in conflict: changes by a number, and created records. */
async function planOppositeOf(run: AppliedRun, journal: Journal, options: UndoOptions): Promise<Planned> {
  const {facts, operation} = run
  const {client, sending, undone} = options
  const {undo: undoing, difference} = writeOperation(operation)
  const known = {client, sending, undone: keysOf(undone)}
  const undo =
    difference || 'never' in undoing
      ? await planOpposite(journal, {...known, before: new Map(keptPreimages(journal))})
      : await planDeletion(run, {...known, by: undoing.by})
  const {plan, left = []} = undo
  const entries = left.map((row) => toLeftEntry(row, facts))
  if (sending.atomic && entries.length > 0) throw leftRows(facts, entries)
  if (plan.rows.length > 0) return {undo, refusal: undefined}
  const [earlier] = [...undone.keys()].reverse()
  const why = earlier ? `run ${earlier} undid it already` : 'none of its rows was applied'
  return {undo, refusal: entries.length > 0 ? leftRows(facts, entries) : nothingToUndo(facts.id, why)}
}

function keysOf(undone: UndoOptions['undone']): Set<string> {
  return new Set([...undone.values()].flatMap((some) => [...some]))
}

/** The report of an undo; it is incomplete where it is not known how rows were before, which are in no set. */
export function withUnknown(report: RunReport, {notUndone: {unknown}, left = []}: Undo, facts: RunFacts): RunReport {
  if (unknown + left.length === 0) return report
  const message = `${counted(unknown, 'row')} of run ${facts.id} ${unknown === 1 ? 'is' : 'are'} not undone: what was there before is not known`
  const entry = entryOf('BEFORE_UNKNOWN', message, {retry: 'no'})
  const entries = [...(unknown > 0 ? [entry] : []), ...left.map((row) => toLeftEntry(row, facts))]
  return withEnding({...report, entries: [...report.entries, ...entries]}, {isPartlyKnown: true})
}

async function compareWithNow(
  run: AppliedRun,
  journal: Journal,
  {client, sending, undone}: UndoOptions,
): Promise<Undo> {
  const {facts, operation, rows: applied} = run
  if (applied.length === 0) throw nothingToUndo(facts.id, 'none of its rows was applied')
  const write = writeOperation(operation)
  const spans = rangeOf(write.probe) && spansOf(write, keptPreimages(journal))
  const spanOf = (key: string) => spans?.get(key)
  const ids = applied.map((row) => idOf(row, write))
  const {records, requests} = await readCurrent(client, write, ids, {spanOf})
  const keys = keysOf(undone)
  const before = keptPreimages(journal)
  return planUndo({facts, operation, applied, before, now: records, undone: keys, reads: requests}, sending)
}

/** Times of the changed records before the run, by the digits of their ids. */
function spansOf(write: Write, before: Iterable<[string, JsonRecord]>): Map<string, Span | undefined> {
  const spans = new Map<string, Span | undefined>()
  for (const [, record] of before) spans.set(idText(record['id']), spanOfRecord(write, record))
  return spans
}

/** Whether the journal of a run has what an undo needs. */
export function isUndoable({operation, preimages}: Pick<RunFacts, 'operation' | 'preimages'>): boolean {
  if (!isWriteId(operation)) return false
  const {body, undo} = writeOperation(operation)
  return 'by' in undo && (preimages !== 'none' || body === 'create')
}

function checkUndo({facts, plan, parts}: LoadedRun): void {
  const {undo} = writeOperation(plan.operation)
  if ('never' in undo) throw nothingToUndo(facts.id, undo.never)
  const rows = countPlaces(parts.filter(({part}) => isInDoubt(part)).map(({set}) => set))
  if (rows > 0) throw doubtful(facts.id, rows)
}

function whyNothing({notUndone}: Undo, undone: UndoOptions['undone'], {endState, words}: Write): string[] {
  const [earlier] = [...undone.keys()].reverse()
  const {unknown, final, before, deleted} = notUndone
  return [
    ...(before > 0 ? [`run ${earlier} undid it already, and its records were changed again since`] : []),
    ...(final > 0 && endState ? [`it ${endState.done} ${words.nouns}, and ${endState.never}`] : []),
    ...(deleted > 0 ? [`it deleted ${words.nouns}, which no update brings back`] : []),
    ...(unknown > 0 ? ['it is not known how its records were before'] : []),
  ]
}

/** A row that the run applied and that is not undone. */
function toLeftEntry({line, code, why}: LeftRow, facts: RunFacts): ErrorEntry {
  const message = `run ${facts.id} ${lineText(placeIn(facts, line))} is not undone: ${why}`
  return {code, message, exit: exitCodeOf('incomplete').code, changed: 'none', retry: 'no'}
}

function leftRows({id}: RunFacts, entries: ErrorEntry[]): CliFailure {
  return new CliFailure(`Run ${id} cannot be undone: ${counted(entries.length, 'row')} in the way; nothing was sent.`, {
    code: 'UNDO_CONFLICT',
    entries,
    hints: [`See what it did: ${commandLine('runs show', [id])}`],
  })
}

function nothingToUndo(id: string, ...why: string[]): CliFailure {
  return new CliFailure(`Nothing of run ${id} can be undone: ${why.join('; ')}. Nothing was sent.`, {
    code: 'NOTHING_TO_UNDO',
    retry: 'no',
    hints: [`See what it did: ${commandLine('runs show', [id])}`],
  })
}

function doubtful(id: string, rows: number): CliFailure {
  return new CliFailure(`${counted(rows, 'row')} of run ${id} may or may not have been applied; nothing was sent.`, {
    code: 'RUN_IN_DOUBT',
    retry: 'reconcile-first',
    hints: [`Find out first: ${commandLine('runs reconcile', [id])}`],
  })
}

function changedSince(facts: RunFacts, operation: WriteId, conflicts: readonly UndoConflict[]): CliFailure {
  const {id} = facts
  const {resource} = writeOperation(operation)
  const rows = counted(conflicts.length, 'row')
  return new CliFailure(`Run ${id} cannot be undone completely: someone changed ${rows} since; nothing was sent.`, {
    code: 'UNDO_CONFLICT',
    entries: conflicts.flatMap((conflict) => toEntries(facts, resource, conflict)),
    hints: [`To undo the other rows: ${commandLine('runs undo', [id], {'skip-changed': true})}`],
  })
}

function toEntries(facts: RunFacts, resource: string, conflict: UndoConflict): ErrorEntry[] {
  const {line, fields} = conflict
  const record = `run ${facts.id} ${lineText(placeIn(facts, line))}: ${resource} ${idText(conflict.id)}`
  const texts = fields.map(
    ({field, before, sent, now}) =>
      `${record} ${field} is now ${printJson(now)}; the run changed it from ${printJson(before)} to ${printJson(sent)}`,
  )
  const all = fields.length === 0 ? [`${record} is no longer found`] : texts
  const exit = exitCodeOf('incomplete').code
  return all.map((message) => ({code: 'CHANGED_SINCE', message, exit, changed: 'none', retry: 'after-fix'}))
}

/**
 * The rows of a run that later runs undid. A number that was undone leaves no sign in its record: where such a run cannot
 * be read, or was stopped before this one knew of it, nothing else would keep it from being undone twice.
 */
export function findUndone(folder: RunFolder, {facts, operation}: Pick<AppliedRun, 'facts' | 'operation'>) {
  if (!writeOperation(operation).difference) return findUndoers(folder, facts)
  const {id, undoneBy = []} = facts
  const isUndoer = (other: string) =>
    withJournalIfSound(folder, other, (journal) => journal.facts().undoes === id) === true
  const known = [...new Set([...undoneBy, ...listRunIds(folder).filter(isUndoer)])]
  const lost = known.find((other) => readUndoer(folder, other) === undefined)
  if (lost !== undefined) throw undoneUnread(id, lost)
  return findUndoers(folder, {undoneBy: known})
}

function undoneUnread(id: string, lost: string): CliFailure {
  const message = `Run ${id} was undone by run ${lost}, which was removed or cannot be read: it may be undone already.`
  return new CliFailure(`${message} Nothing was sent.`, {
    code: 'NOTHING_TO_UNDO',
    hints: [
      'Look at the changes of stock with: vendorctl reports inventory',
      'Send what is missing as a file of its own.',
    ],
  })
}
