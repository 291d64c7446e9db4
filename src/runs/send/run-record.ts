import type {BulkReport} from '../report/report.js'
import type {SetJournal} from './run-journal.js'

/** The durable record of a run while it goes on. */
export type RunRecord = {
  /** Names the run from now on. */
  id: string
  sets: SetJournal
  /** To be called once, with what will be said to the user. Throws a `CliFailure` (storage) when it cannot be kept. */
  end(report: Pick<BulkReport, 'exit' | 'rows'>): void
}
