import {exitCodeOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {type CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import type {RunReport} from '../../runs/report/report.js'
import type {Written} from './run-files.js'

/** A file that could not be written; the exit code says so only when nothing graver happened to the rows. */
export function addFailure(report: RunReport, {failures}: Written, failure: CliFailure): void {
  const {code} = exitCodeOf('storage')
  const changed = report.rows.applied > 0 ? 'some' : 'none'
  const hint = report.runId === undefined ? {} : {hint: hintOfResults(report.runId)}
  failures.push(failure)
  report.entries.push(...toEntries(failure).map((entry): ErrorEntry => ({...entry, ...hint, exit: code, changed})))
  if (report.exit === 'ok') report.exit = 'storage'
}

/** What a file or an output that could not be written would have said; to run again would send the rows again. */
export function hintOfResults(runId: string): string {
  return `Every row with its fate is kept: ${commandLine('runs results', [runId])}`
}
