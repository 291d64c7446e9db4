import {type ExitName, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import type {PlannedRow, PlannedSet} from '../plan/cut-sets.js'
import type {Plan} from '../plan/plan.js'
import {countFates} from '../send/fates.js'
import {foldRefused} from '../send/refused-set.js'
import type {SetResult} from '../send/send-sets.js'
import {
  foldApplied,
  foldInDoubt,
  foldNotTried,
  foldUnkept,
  foldUnsent,
  type SetContext,
  type SetFates,
} from '../send/set-fates.js'
import {exitOfRefusal, exitOfRun} from './exit-of-run.js'
import type {RowOutcome, RunReport} from './report.js'

export type Folded = Pick<
  RunReport,
  'rows' | 'sets' | 'outcomes' | 'refusals' | 'notes' | 'entries' | 'ending' | 'exit'
>

/** Folds the results of all sets of a plan into what became of each row. Pure; the order of the results is kept. */
export function foldResults(
  plan: Plan,
  results: readonly SetResult[],
  {stoppedBy, runId}: {stoppedBy?: ExitName | undefined; runId?: string | undefined} = {},
): Folded {
  const all = results.map((result) => addUnkept(foldSet({plan, runId}, result), {plan, runId}, result))
  const outcomes = placeOutcomes(plan, results, all)
  const inOrder = <Item extends Lined>(listOf: (fates: SetFates) => readonly Item[]): Item[] => {
    return sortByLine(all.map((fates, number) => ({items: listOf(fates), last: lastLine(plan, results[number]?.set)})))
  }
  const meant = outcomes.filter((_, place) => plan.rows[place]?.skip === undefined)
  const ending = {rows: countFates(meant), stoppedBy, ...findCauses(results)}
  return {
    rows: countFates(outcomes),
    sets: {
      planned: plan.sets.length,
      sent: results.filter(({answer}) => answer.fate !== 'skipped' && answer.fate !== 'unsent').length,
      applied: results.filter(({answer}) => answer.fate === 'applied').length,
    },
    outcomes,
    refusals: inOrder(({refusals}) => refusals),
    notes: inOrder(({notes}) => notes),
    entries: inOrder(({entries}) => entries),
    ending,
    exit: exitOfRun(ending),
  }
}

type Lined = {line?: number; message: string}

/** In the order of the file; what names no line stands behind the last line of its set. */
function sortByLine<Item extends Lined>(sets: readonly {items: readonly Item[]; last: number}[]): Item[] {
  const lined = sets.flatMap(({items, last}) => items.map((item) => ({item, at: item.line ?? last})))
  return lined.sort((one, other) => one.at - other.at).map(({item}) => item)
}

function lastLine({rows}: Plan, set: PlannedSet | undefined): number {
  return rows[set?.places.at(-1) ?? 0]?.line ?? 0
}

type FoldContext = Pick<SetContext, 'plan' | 'runId'>

function addUnkept(fates: SetFates, context: FoldContext, {set, unkept}: SetResult): SetFates {
  if (!unkept) return fates
  const {notes, entries} = foldUnkept(unkept, toContext(context, set))
  return {...fates, notes: [...fates.notes, ...notes], entries: [...fates.entries, ...entries]}
}

function toContext(context: FoldContext, set: PlannedSet): SetContext {
  return {...context, set, operation: writeOperation(context.plan.operation)}
}

function foldSet(about: FoldContext, {set, answer, again}: SetResult): SetFates {
  const context = {...toContext(about, set), again}
  switch (answer.fate) {
    case 'applied':
      return foldApplied(answer, context)
    case 'refused':
      return foldRefused(answer, context)
    case 'inDoubt':
      return foldInDoubt(answer, context)
    case 'unsent':
      return foldUnsent(answer.failure, context)
    case 'skipped':
      return foldNotTried(answer, context)
  }
}

/** A row that is in no set: it carries the reason and does not count for the exit code. */
function toSkipped({line, skip, by = '', madeId}: PlannedRow): RowOutcome {
  switch (skip) {
    case 'unchanged':
      return {line, fate: 'unsent', code: 'UNCHANGED', message: 'the record already has these values'}
    case 'appliedBefore':
      return {
        ...{line, fate: 'applied', code: 'APPLIED_BEFORE', message: `applied by run ${by}`},
        ...(madeId !== undefined && {id: madeId}),
      }
    case 'continued':
      return {line, fate: 'unsent', code: 'CONTINUED', message: `left to run ${by}`}
    case 'changedSince':
      return {line, fate: 'unsent', code: 'CHANGED_SINCE', message: 'somebody changed the record since the run'}
    default:
      return {line, fate: 'unsent'}
  }
}

/** One outcome for each row of the plan, in the order of the file. */
function placeOutcomes(plan: Plan, results: readonly SetResult[], all: readonly SetFates[]): RowOutcome[] {
  const outcomes = plan.rows.map(toSkipped)
  results.forEach(({set}, number) => {
    set.places.forEach((place, index) => {
      const outcome = all[number]?.outcomes[index]
      if (outcome) outcomes[place] = outcome
    })
  })

  return outcomes.map((outcome, place) => withId(outcome, plan.rows[place]?.record['id']))
}

function withId(outcome: RowOutcome, id: JsonValue | undefined): RowOutcome {
  return id === undefined || outcome.id !== undefined ? outcome : {...outcome, id}
}

type Causes = {refusedStatus?: number; unsentBecause?: ExitName; unkept?: boolean}

/** Why rows were not applied: by status of the refusals, or by the failure that kept a set from being sent. */
function findCauses(results: readonly SetResult[]): Causes {
  const causes: Causes = {}
  for (const {answer, set, again, unkept} of results) {
    if (unkept) causes.unkept = true
    if (answer.fate === 'refused' && again?.size !== set.places.length) {
      causes.refusedStatus = worseStatus(causes.refusedStatus, answer.status)
    }

    if (answer.fate === 'unsent') {
      causes.unsentBecause = answer.failure instanceof CliFailure ? answer.failure.exit : 'failure'
    }
  }

  return causes
}

/** Of several refusals, one about the rows themselves decides the exit. */
function worseStatus(before: number | undefined, status: number): number {
  return before !== undefined && exitOfRefusal(before) === 'refused' ? before : status
}
