import type {Changed} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {withEnding} from '../report/exit-of-run.js'
import type {RunReport} from '../report/report.js'
import type {SetJournal} from './run-journal.js'

/** The durable record of a run while it is sent. */
export type RunRecord = {
  /** Names the run from now on. */
  id: string
  sets: SetJournal
  /** To be called once, with what will be reported to the user. Throws a `CliFailure` (storage) when it cannot be kept. */
  end(report: Pick<RunReport, 'exit' | 'rows'>): void
}

/** Keeps how a run ended. A journal that cannot take it does not hide what became of the rows. */
export function endRecord(record: RunRecord, report: RunReport): RunReport {
  try {
    record.end(report)
    return report
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const changed: Changed = report.rows.applied > 0 ? 'some' : 'none'
    const entries = toEntries(error).map((entry): ErrorEntry => ({...entry, changed}))
    const notices = [...report.notices, `${error.message}: how the run ended was not recorded`]
    return withEnding({...report, entries: [...report.entries, ...entries], notices}, {isUnwritten: true})
  }
}
