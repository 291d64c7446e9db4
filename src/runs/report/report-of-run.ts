import {type ExitName, writeOperation} from '../../contract/index.js'
import type {CliFailure} from '../../core/errors.js'
import {type LoadedRun, toResults} from '../journal/load-run.js'
import {placesOf} from '../rows/cut-sets.js'
import {countToSend, type Planned, type SetResult} from '../rows/phases.js'
import {countDeletions} from '../rows/row-content.js'
import {mostLiveReads} from '../rows/to-sent.js'
import {type Folded, foldResults} from './fold-results.js'
import {nameRows} from './name-rows.js'
import type {RunReport} from './report.js'

/** What became of every row of a run so far, from its journal: the same report that the run itself gives. */
export function reportOfRun(
  {facts, plan, parts}: LoadedRun,
  {results = toResults(parts), stoppedBy}: {results?: readonly SetResult[]; stoppedBy?: ExitName | undefined} = {},
): RunReport {
  const equalChanges = countEqualChanges(plan, parts)
  return {
    runId: facts.id,
    ...describePlan(plan),
    ...foldResults(plan, results, {runId: facts.id, stoppedBy}),
    ...(equalChanges > 0 && {equalChanges}),
  }
}

/** Rows that an equal change proves, and nothing tells whose it is: no set of the run was answered. */
function countEqualChanges({operation}: Planned, parts: LoadedRun['parts']): number {
  const confirmed = parts.filter(({part}) => part.state === 'confirmed')
  const isTraced = writeOperation(operation).probe.kind === 'adjustments'
  if (!isTraced || confirmed.some(({part}) => part.how === 'answer')) return 0
  return confirmed.reduce((sum, {part, set}) => sum + (part.how === 'probe' ? set.places.length : 0), 0)
}

/** The report of a plan whose sets came to these results. */
export function reportOfPlan(plan: Planned, folded: Folded): RunReport {
  return nameRows({...describePlan(plan), ...folded}, plan)
}

/** The report of a plan of which nothing was sent; `failure` says why, unless nothing was to be sent. */
export function reportUnsent(plan: Planned, failure?: CliFailure): RunReport {
  const results = plan.sets.map((set, place): SetResult => {
    return {set, answer: failure && place === 0 ? {fate: 'unsent', failure} : {fate: 'skipped'}}
  })
  return reportOfPlan(plan, foldResults(plan, results))
}

function describePlan(plan: Planned): Omit<RunReport, keyof Folded | 'runId'> {
  const {operation, file, layout, reading, warnings, notices, rows, sets, comparison, reads, moves, totals} = plan
  const rereads = mostLiveReads(operation, sets)
  const unchanged = comparison?.unchanged ?? placesOf(rows, (skip) => skip === 'unchanged').length
  const deletions = countDeletions(plan)
  return {
    operation,
    file,
    ...(reading && {input: reading}),
    layout,
    dryRun: false,
    warnings,
    notices,
    plan: {
      sets: sets.length,
      requests: sets.length + reads,
      rows: countToSend(plan),
      unchanged,
      ...(rereads > 0 && {rereads}),
      ...(deletions > 0 && {deletions}),
    },
    ...(comparison && {comparison}),
    ...(moves.length > 0 && {moves}),
    ...(totals.length > 0 && {totals}),
  }
}
