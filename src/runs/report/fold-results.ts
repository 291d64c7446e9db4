import {type ExitName, endOf, type Write, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import {type List, MadeList} from '../../values/list.js'
import type {PlannedRow, PlannedSet} from '../rows/cut-sets.js'
import {type Batch, countFates, type Fates, type Planned, type RowOutcome, type SetResult} from '../rows/phases.js'
import {isNewSet, operationOfSet} from '../rows/row-content.js'
import {foldRefused} from './refused-set.js'
import {exitOfRefusal, exitOfRun, type RunReport} from './report.js'
import {
  foldApplied,
  foldInDoubt,
  foldNotTried,
  foldUnrecorded,
  foldUnsent,
  type SetContext,
  type SetFates,
} from './set-fates.js'

export type Folded = Pick<
  RunReport,
  'rows' | 'changes' | 'sets' | 'outcomes' | 'refusals' | 'notes' | 'entries' | 'ending' | 'exit'
>

/** Folds the results of all sets of a plan into what became of each row. Pure; the order of the results is kept. */
export function foldResults(
  plan: Planned,
  results: readonly SetResult[],
  {stoppedBy, runId}: {stoppedBy?: ExitName | undefined; runId?: string | undefined} = {},
): Folded {
  const outcomes = new OutcomeList(plan.rows.length)
  const all = results.map((result) => {
    const {outcomes: found, ...fates} = addUnrecorded(foldSet({plan, runId}, result), {plan, runId}, result)
    for (const [index, place] of result.set.places.entries()) {
      const outcome = found[index]
      if (outcome) outcomes.put(place, outcome)
    }
    return {...fates, last: plan.rows.at(result.set?.places.at(-1) ?? 0)?.line ?? 0}
  })
  const inOrder = <Item extends Lined>(listOf: (fates: Omit<SetFates, 'outcomes'>) => readonly Item[]): Item[] => {
    return sortByLine(all.map((fates) => ({items: listOf(fates), last: fates.last})))
  }
  const {all: rows, meant} = complete(outcomes, plan)
  const ending = {rows: meant, stoppedBy, ...findCauses(results)}
  return {
    rows,
    changes: countChanges(plan, results),
    sets: {
      planned: plan.sets.length,
      sent: results.filter(({answer}) => answer.fate !== 'skipped' && answer.fate !== 'unsent').length,
      applied: results.filter(({answer}) => answer.fate === 'applied').length,
    },
    outcomes: outcomes.list,
    refusals: inOrder(({refusals}) => refusals),
    notes: inOrder(({notes}) => notes),
    entries: inOrder(({entries}) => entries),
    ending,
    exit: exitOfRun(ending),
  }
}

/** Rows whose sets were applied, by whether they made a record or changed one. */
function countChanges(plan: Planned, results: readonly SetResult[]): {created: number; updated: number} {
  const changes = {created: 0, updated: 0}
  for (const {set, answer} of results) {
    if (answer.fate !== 'applied') continue
    changes[isNewSet(plan, set) ? 'created' : 'updated'] += set.places.length
  }
  return changes
}

type Lined = {line?: number; message: string}

/** In the order of the file; items without a line follow the last line of their set. */
function sortByLine<Item extends Lined>(sets: readonly {items: readonly Item[]; last: number}[]): Item[] {
  const lined = sets.flatMap(({items, last}) => items.map((item) => ({item, at: item.line ?? last})))
  return lined.sort((one, other) => one.at - other.at).map(({item}) => item)
}

type FoldContext = Pick<SetContext, 'plan' | 'runId'>

function addUnrecorded(fates: SetFates, context: FoldContext, {set, unrecorded}: SetResult): SetFates {
  if (!unrecorded) return fates
  const {notes, entries} = foldUnrecorded(unrecorded, toContext(context, set))
  return {...fates, notes: [...fates.notes, ...notes], entries: [...fates.entries, ...entries]}
}

function toContext(context: FoldContext, set: PlannedSet): SetContext {
  return {...context, set, operation: writeOperation(operationOfSet(context.plan, set))}
}

function foldSet(about: FoldContext, {set, answer, again}: SetResult): SetFates {
  const context = {...toContext(about, set), again}
  if (answer.fate === 'applied') return foldApplied(answer, context)
  if (answer.fate === 'refused') return foldRefused(answer, context)
  if (answer.fate === 'inDoubt') return foldInDoubt(answer, context)
  if (answer.fate === 'unsent') return foldUnsent(answer.failure, context)
  return foldNotTried(answer, context)
}

/** A row that is in no set: it carries the reason and does not count for the exit code. */
function toSkipped({line, skip, by = '', madeId}: PlannedRow, write: Write): RowOutcome {
  if (skip === 'unchanged') {
    const end = endOf(write)
    const message = end === undefined ? 'the record already has these values' : `the record is ${end} already`
    return {line, fate: 'unchanged', code: 'UNCHANGED', message}
  }
  if (skip === 'appliedBefore')
    return {line, fate: 'applied', code: 'APPLIED_BEFORE', message: `applied by run ${by}`, id: madeId}
  if (skip === 'continued') return {line, fate: 'unsent', code: 'CONTINUED', message: `left to run ${by}`}
  if (skip === 'changedSince')
    return {line, fate: 'unsent', code: 'CHANGED_SINCE', message: 'somebody changed the record since the run'}
  return {line, fate: 'unsent'}
}

/** Adds what the rows themselves tell; counts the fates of all rows, and of those that were meant to be sent. */
function complete(outcomes: OutcomeList, {operation, rows}: Batch): {all: Fates; meant: Fates} {
  const [all, meant] = [countFates([]), countFates([])]
  const write = writeOperation(operation)
  let place = 0
  for (const row of rows) {
    const known = outcomes.at(place)
    const outcome = withId(known ?? toSkipped(row, write), row, write.target)
    if (outcome !== known) outcomes.put(place, outcome)
    place++
    all[outcome.fate]++
    if (row.skip === undefined) meant[outcome.fate]++
  }
  return {all, meant}
}

function withId(outcome: RowOutcome, row: PlannedRow, target: string): RowOutcome {
  const id = row.record[target]
  return id === undefined || outcome.id !== undefined ? outcome : {...outcome, id}
}

type Causes = {refusedStatus?: number; unsentBecause?: ExitName; unrecorded?: boolean}

/** Why rows were not applied: by status of the refusals, or by the failure that kept a set from being sent. */
function findCauses(results: readonly SetResult[]): Causes {
  const causes: Causes = {}
  for (const {answer, set, again, unrecorded} of results) {
    if (unrecorded) causes.unrecorded = true
    if (answer.fate === 'refused' && again?.size !== set.places.length)
      causes.refusedStatus = worseStatus(causes.refusedStatus, answer.status)

    if (answer.fate === 'unsent')
      causes.unsentBecause = answer.failure instanceof CliFailure ? answer.failure.exit : 'failure'
  }

  return causes
}

/** The exit of several refusals is that of one about the rows themselves. */
function worseStatus(before: number | undefined, status: number): number {
  return before !== undefined && exitOfRefusal(before) === 'refused' ? before : status
}

/** Parts of an outcome that rows may have in common. */
type Shared = Omit<RowOutcome, 'line' | 'id'>

/** So few are an array. */
const few = 512

/** The outcome of each row of a file: twelve bytes a row and the ids; common parts are kept once. */
export class OutcomeList extends MadeList<RowOutcome> {
  readonly length: number
  readonly #lines: Float64Array
  /** The place of what it shares, from 1; 0 where nothing is known of a row. */
  readonly #places: Uint32Array
  readonly #shared: Shared[] = []
  readonly #known = new Map<string, number>()
  #ids: (JsonValue | undefined)[] | undefined

  constructor(length: number) {
    super()
    this.length = length
    this.#lines = new Float64Array(length)
    this.#places = new Uint32Array(length)
  }

  /** The outcomes as they can be read once all are known. */
  get list(): List<RowOutcome> {
    return this.length < few ? this.slice() : this
  }

  at(place: number): RowOutcome | undefined {
    const shared = this.#shared[(this.#places[place] ?? 0) - 1]
    const id = this.#ids?.[place]
    return shared && {line: this.#lines[place] ?? 0, ...shared, id}
  }

  put(place: number, {line, id, ...shared}: RowOutcome): void {
    this.#lines[place] = line
    this.#places[place] = this.#placeOf(shared)
    if (id === undefined && !this.#ids) return
    this.#ids ??= new Array<JsonValue | undefined>(this.length)
    this.#ids[place] = id
  }

  #placeOf(shared: Shared): number {
    const {fate, code, message, column} = shared
    const last = this.#shared.at(-1)
    const isLast = last?.fate === fate && last.code === code && last.message === message && last.column === column
    if (isLast) return this.#shared.length
    const key = JSON.stringify([fate, code, message, column])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.#shared.push(shared))
    return this.#shared.length
  }
}

/** The report with how many records left with values that were read right before: applied, or in doubt. */
export function withLive(report: RunReport, results: readonly SetResult[]): RunReport {
  const left = results.flatMap(({answer, live}) => {
    const isLeft = answer.fate === 'applied' || answer.fate === 'inDoubt'
    return live && live.rows > 0 && isLeft ? [live] : []
  })
  if (left.length === 0) return report
  const {live: fields} = writeOperation(report.operation)
  const rows = left.reduce((sum, one) => sum + one.rows, 0)
  return {...report, live: {fields, rows, milliseconds: Math.max(...left.map(({milliseconds}) => milliseconds))}}
}
