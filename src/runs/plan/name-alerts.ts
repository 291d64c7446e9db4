import {writeOperation} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {RefusedRow, RunReport} from '../report/report.js'
import {idOf} from './compare.js'
import type {Plan} from './plan.js'
import {keyOf} from './read-current.js'

/** A report whose rows are alerts and no lines of a file: each of them goes by its id. */
export function nameAlerts(report: RunReport, {operation, rows}: Plan): RunReport {
  const {noun} = writeOperation(operation).words
  const ids = new Map(rows.map((row) => [row.line, idOf(row)]))
  const nameOf = (line: number) => `${noun} ${keyOf(ids.get(line))}`

  return {
    ...report,
    outcomes: report.outcomes.map((outcome) => ({...outcome, id: ids.get(outcome.line) ?? null})),
    refusals: report.refusals.map(nameRefusal),
    entries: report.entries.map(nameEntry),
    notes: report.notes.map(({lines: [first, last], ...note}) => ({
      ...note,
      lines: [Number(keyOf(ids.get(first))), Number(keyOf(ids.get(last)))],
    })),
  }

  function nameRefusal({line, lines, ...refusal}: RefusedRow): RefusedRow {
    if (line !== undefined) return {...refusal, file: nameOf(line)}
    const [first, last] = lines ?? [0, 0]
    return {...refusal, file: first === last ? nameOf(first) : `${nameOf(first)} to ${keyOf(ids.get(last))}`}
  }

  function nameEntry({file: _file, line, column: _column, ...entry}: ErrorEntry): ErrorEntry {
    return line === undefined ? entry : {...entry, message: `${nameOf(line)}: ${entry.message}`}
  }
}
