import type {Journal} from '../../state/journal.js'
import {type LoadedRun, loadRun} from '../load-run.js'
import {reportOfRun} from '../report-of-run.js'
import type {ReconcileOptions, ReconcileReport} from './report.js'

/**
 * Finds out what became of every set in doubt, and finishes those that may be sent again. Everything it learns is
 * durable at once. Never throws for what the service or the network does; throws a `CliFailure` (storage) when the
 * journal cannot keep what was learned.
 */
export async function reconcileRun(
  journal: Journal,
  _loaded: LoadedRun,
  _options: ReconcileOptions,
): Promise<ReconcileReport> {
  const now = loadRun(journal)
  const report = reportOfRun(now)
  return {sets: [], solved: report.rows.inDoubt === 0, stopped: false, loaded: now, report, exit: report.exit}
}
