import {type Folded, foldResults} from './fold-results.js'
import {type LoadedRun, toResults} from './load-run.js'
import type {RunReport} from './run-plan.js'
import {countToSend} from './run-plan.js'

/** What became of every row of a run so far, as its journal tells it: the same report that the run itself gives. */
export function reportOfRun({facts, plan, parts}: LoadedRun): RunReport {
  const folded: Folded = foldResults(plan, toResults(parts), {runId: facts.id})
  const {operation, file, format, delimiter, rows, sets, reads} = plan
  return {
    runId: facts.id,
    operation,
    file,
    ...(format && {input: {format, ...(delimiter !== undefined && {delimiter})}}),
    dryRun: false,
    ...folded,
    warnings: [],
    notices: [],
    plan: {
      sets: sets.length,
      requests: sets.length + reads,
      rows: countToSend(plan),
      unchanged: rows.filter(({skip}) => skip === 'unchanged').length,
    },
  }
}
