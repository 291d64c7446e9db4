import type {ErrorEntry} from '../../core/errors.js'
import type {Plan} from '../plan/plan.js'
import type {RefusedRow, RunReport} from './report.js'

/** A report whose rows are lines of an earlier run and of no file: each of them goes by the run and the line. */
export function nameRunLines(report: RunReport, {file}: Plan): RunReport {
  return {
    ...report,
    refusals: report.refusals.map(nameRefusal),
    entries: report.entries.map(nameEntry),
  }

  function nameRefusal({line, column: _column, lines, ...refusal}: RefusedRow): RefusedRow {
    const [first, last] = lines ?? [line ?? 0, line ?? 0]
    return {...refusal, file: first === last ? `${file} line ${first}` : `${file} lines ${first} to ${last}`}
  }

  function nameEntry({file: _file, line, column: _column, ...entry}: ErrorEntry): ErrorEntry {
    return line === undefined ? entry : {...entry, message: `${file} line ${line}: ${entry.message}`}
  }
}
