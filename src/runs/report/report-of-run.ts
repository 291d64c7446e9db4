import {type ExitName, writeOperation} from '../../contract/index.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import {type Span, spanText} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {type LoadedRun, toResults} from '../journal/load-run.js'
import {placesOf} from '../rows/cut-sets.js'
import {type Batch, countToSend, type Planned, type SetResult} from '../rows/phases.js'
import {countDeletions, countNew, idOf, mostLiveReads} from '../rows/row-content.js'
import {type Folded, foldResults} from './fold-results.js'
import type {RefusedRow, RunReport, SetNote} from './report.js'

/** The outcome of every row of a run so far, from its journal: the same report that the run itself gives. */
export function reportOfRun(
  {facts, plan, parts}: LoadedRun,
  {results = toResults(parts), stoppedBy}: {results?: readonly SetResult[]; stoppedBy?: ExitName | undefined} = {},
): RunReport {
  const equalChanges = countEqualChanges(plan, parts)
  return {
    runId: facts.id,
    ...describePlan(plan),
    ...foldResults(plan, results, {runId: facts.id, stoppedBy}),
    ...(equalChanges > 0 && {equalChanges}),
  }
}

/** Rows that an equal change proves, and nothing tells whose it is: no set of the run was answered. */
function countEqualChanges({operation}: Planned, parts: LoadedRun['parts']): number {
  const confirmed = parts.filter(({part}) => part.state === 'confirmed')
  const isTraced = writeOperation(operation).probe.kind === 'adjustments'
  if (!isTraced || confirmed.some(({part}) => part.how === 'answer')) return 0
  return confirmed.reduce((sum, {part, set}) => sum + (part.how === 'probe' ? set.places.length : 0), 0)
}

/** The report of a plan whose sets came to these results. */
export function reportOfPlan(plan: Planned, folded: Folded): RunReport {
  return nameRows({...describePlan(plan), ...folded}, plan)
}

/** The report of a plan of which nothing was sent; `failure` says why, unless nothing was to be sent. */
export function reportUnsent(plan: Planned, failure?: CliFailure): RunReport {
  const results = plan.sets.map((set, place): SetResult => {
    return {set, answer: failure && place === 0 ? {fate: 'unsent', failure} : {fate: 'skipped'}}
  })
  return reportOfPlan(plan, foldResults(plan, results))
}

function describePlan(plan: Planned): Omit<RunReport, keyof Folded | 'runId'> {
  const {operation, file, layout, reading, warnings, notices, rows, sets, comparison, reads, moves, totals} = plan
  const rereads = mostLiveReads(operation, sets)
  const unchanged = comparison?.unchanged ?? placesOf(rows, (skip) => skip === 'unchanged').length
  const [deletions, created] = [countDeletions(plan), countNew(plan)]
  return {
    operation,
    file,
    ...(reading && {input: reading}),
    layout,
    dryRun: false,
    warnings,
    notices,
    plan: {
      sets: sets.length,
      requests: sets.length + reads,
      rows: countToSend(plan),
      unchanged,
      ...(rereads > 0 && {rereads}),
      ...(deletions > 0 && {deletions}),
      ...(created > 0 && {created}),
    },
    ...(comparison && {comparison}),
    ...(moves.length > 0 && {moves}),
    ...(totals.length > 0 && {totals}),
  }
}

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
  const isNumbered = [...ids.values()].every((id) => typeof id === 'number')
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
