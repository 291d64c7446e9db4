import {type ReportId, reportIds, reportOperation, transactionReport} from '../../contract/index.js'
import {inputFailure} from '../../formats/read/input-failure.js'

/** Throws a `CliFailure` (invalid) for a file of another report, which the field of its dates gives away. */
export function refuseOther(file: string, names: readonly string[]): void {
  const isHere = (field: string) => names.some((name) => name.trim().toLowerCase() === field.toLowerCase())
  const report = reportIds.find((id) => id !== transactionReport && isHere(reportOperation(id).range.on))
  if (report) throw otherReport(file, report)
}

export function otherReport(file: string, report: ReportId) {
  const {name} = reportOperation(report).report
  return inputFailure('MISSING_COLUMN', `it holds the ${name}; only transactions can be summarized`, {file}, [
    'Name an export of reports transactions.',
  ])
}
