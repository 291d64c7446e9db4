import type {ExitName} from '../../contract/index.js'
import {countToSend} from '../plan/plan.js'
import {type LoadedRun, toResults} from '../resume/load-run.js'
import type {SetResult} from '../send/send-sets.js'
import {type Folded, foldResults} from './fold-results.js'
import type {RunReport} from './report.js'

/** What became of every row of a run so far, as its journal tells it: the same report that the run itself gives. */
export function reportOfRun(
  {facts, plan, parts}: LoadedRun,
  {results = toResults(parts), stoppedBy}: {results?: readonly SetResult[]; stoppedBy?: ExitName | undefined} = {},
): RunReport {
  const folded: Folded = foldResults(plan, results, {runId: facts.id, stoppedBy})
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
