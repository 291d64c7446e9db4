import type {WriteAnswer} from '../client/types.js'
import {type ExitName, writeOperation} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {rowsOfSet} from './cut-sets.js'
import {exitOfRun} from './exit-of-run.js'
import {countFates} from './fates.js'
import type {Plan} from './plan-file.js'
import {foldRefused} from './refused-set.js'
import type {BulkReport, RowOutcome} from './report.js'
import type {SetResult} from './send-sets.js'
import {foldApplied, foldInDoubt, foldUnsent, type SetFates} from './set-fates.js'

export type Folded = Pick<BulkReport, 'rows' | 'sets' | 'outcomes' | 'refusals' | 'entries' | 'exit'>

/** Folds the results of all sets of a plan into what became of each row. Pure; the order of the results is kept. */
export function foldResults(plan: Plan, results: readonly SetResult[], stoppedBy?: ExitName): Folded {
  const all = results.map((result) => foldSet(plan, result))
  const planned = all.flatMap((set) => set.outcomes)
  const outcomes = addSkipped(plan, planned)
  return {
    rows: countFates(outcomes),
    sets: {
      planned: plan.sets.length,
      sent: results.filter(({answer}) => answer.fate !== 'skipped' && answer.fate !== 'unsent').length,
      applied: results.filter(({answer}) => answer.fate === 'applied').length,
    },
    outcomes,
    refusals: all.flatMap((set) => set.refusals),
    entries: all.flatMap((set) => set.entries),
    exit: exitOfRun({rows: countFates(planned), stoppedBy, ...findCauses(results)}),
  }
}

function foldSet(plan: Plan, {set, answer}: SetResult): SetFates {
  const context = {plan, set, operation: writeOperation(plan.operation)}
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
      return {outcomes: outcomesOf(plan, {set, answer}), refusals: [], entries: []}
  }
}

function outcomesOf(plan: Plan, {set}: SetResult): RowOutcome[] {
  return rowsOfSet(plan.rows, set).map(({line}) => ({line, fate: 'unsent'}))
}

/** Rows that were meant to be in no set are unsent too; they say why, and the exit code does not know them. */
function addSkipped({rows}: Plan, outcomes: RowOutcome[]): RowOutcome[] {
  if (outcomes.length === rows.length) return outcomes
  const unchanged = {fate: 'unsent', code: 'UNCHANGED', message: 'the record is like this already'} as const
  let next = 0
  return rows.flatMap(({line, skip}) => (skip ? {line, ...unchanged} : (outcomes[next++] ?? [])))
}

type Causes = {refusedStatus?: number; unsentBecause?: ExitName}

/** Why the run stopped where it stopped: by status of the refusal, or by the failure that kept a set from being sent. */
function findCauses(results: readonly SetResult[]): Causes {
  const causes: Causes = {}
  for (const {answer} of results as readonly {answer: WriteAnswer}[]) {
    if (answer.fate === 'refused') causes.refusedStatus = answer.status
    if (answer.fate === 'unsent') {
      causes.unsentBecause = answer.failure instanceof CliFailure ? answer.failure.exit : 'failure'
    }
  }

  return causes
}
