import {writeOperation} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {isNumber} from '../../values/json.js'
import {type Span, spanText} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {Batch} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'
import type {RefusedRow, RunReport, SetNote} from './report.js'

/** A report whose rows go by names that a person knows: lines of the file, ids of records, or lines of an undone run. */
export function nameRows(report: RunReport, plan: Batch): RunReport {
  if (plan.reading) return report
  return plan.origin.kind === 'undo' ? nameRunLines(report, plan) : nameRecords(report, plan)
}

function nameRecords(report: RunReport, {operation, rows}: Batch): RunReport {
  const write = writeOperation(operation)
  const {noun} = write.words
  const ids = new Map(rows.map((row) => [row.line, idOf(row, write)]))
  const nameOf = (line: number) => `${noun} ${idText(ids.get(line))}`
  const isNumbered = [...ids.values()].every(isNumber)
  const nameNote = ({lines, ...note}: SetNote): SetNote => {
    const [first, last] = [idText(ids.get(lines[0])), idText(ids.get(lines[1]))]
    return isNumbered ? {...note, lines: [Number(first), Number(last)]} : {...note, lines, names: [first, last]}
  }
  const nameRefusal = ({line, lines, ...refusal}: RefusedRow): RefusedRow => {
    if (line !== undefined) return {...refusal, file: nameOf(line)}
    const [first, last] = lines ?? [0, 0]
    return {...refusal, file: first === last ? nameOf(first) : `${nameOf(first)} to ${idText(ids.get(last))}`}
  }
  return {
    ...report,
    outcomes: report.outcomes.map((outcome) => ({...outcome, id: ids.get(outcome.line) ?? null})),
    refusals: report.refusals.map(nameRefusal),
    entries: report.entries.map((entry) => nameEntry(entry, nameOf)),
    notes: report.notes.map(nameNote),
  }
}

function nameRunLines(report: RunReport, plan: Batch): RunReport {
  const nameOf = (...span: Span) => `${plan.file} ${spanText(plan, span)}`
  const nameRefusal = ({sheet: _sheet, line = 0, row: _row, column: _column, lines, ...refusal}: RefusedRow) => {
    const [first, last] = lines ?? [line, line]
    return {...refusal, file: nameOf(first, last)}
  }
  return {
    ...report,
    refusals: report.refusals.map(nameRefusal),
    entries: report.entries.map((entry) => nameEntry(entry, (line) => nameOf(line, line))),
  }
}

function nameEntry(placed: ErrorEntry, nameOf: (line: number) => string) {
  const {file: _file, sheet: _sheet, line, row: _row, column: _column, ...entry} = placed
  return line === undefined ? entry : {...entry, message: `${nameOf(line)}: ${entry.message}`}
}
