import {exitCodeOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, type ErrorGroup} from '../../core/errors.js'
import {
  type Finding,
  groupProblems,
  type Problem,
  problemText,
  sortProblems,
  tellFinding,
} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {defined} from '../../values/defined.js'
import {type LaidOut, lineText, placeIn} from '../../values/place.js'
import type {Batch} from '../rows/phases.js'

export type Invalid = {
  /** Whose fields are to be looked up. */
  operation?: string
  file: string
  errors: readonly Problem[]
  /** Rows that were read. */
  rows: number
  /** Why the file could not be read to its end. */
  broken?: CliFailure | undefined
  /** Part that was sent; nothing unless given. */
  sent?: string | undefined
}

/** The failure for rows with problems: each of them is an entry. */
export function invalidRows(
  {operation, file, rows}: Pick<Batch, 'operation' | 'file' | 'rows'>,
  errors: readonly Problem[],
  sent?: string,
): CliFailure {
  return invalidInput({operation, file, errors, rows: rows.length, sent})
}

/** The failure for a file with problems, or that could not be read to its end. */
export function invalidInput({operation, file, errors, rows, broken, sent = 'nothing was sent'}: Invalid): CliFailure {
  const entries = [...sortProblems(errors).map(toEntry), ...(broken?.entries ?? [])]
  return new CliFailure(`${file}: ${counted(entries.length, 'problem')} in ${counted(rows, 'row')}; ${sent}.`, {
    code: 'INVALID_INPUT',
    exit: 'invalid',
    entries,
    groups: [...toGroups(errors), ...(broken?.groups ?? [])],
    hints: [
      ...(broken?.hints ?? []),
      ...(operation === undefined
        ? []
        : [`See the values of each field: ${commandLine('contract show', [operation])}`]),
    ],
  })
}

/** Where a problem of a row is: `write`: what to write instead, where its message says so already. */
type Where = {line: number; field: string} & {[Name in 'cell' | 'write']?: Problem[Name] | undefined}

/** A problem of a row in one of its fields. */
export function problemAt(
  plan: LaidOut & {readonly columns: ReadonlyMap<string, number>},
  {line, field, ...given}: Where,
  finding: Finding,
): Problem {
  const {code, kind, severity = 'error'} = finding
  return {
    ...{...placeIn(plan, line), columnName: field, severity, code, message: tellFinding(finding)},
    ...defined({column: plan.columns.get(field), kind, ...given}),
  }
}

type RowPlace = {line: number; rowNumber?: number; column?: number}

/** The failure for a row that can be read, but cannot be written correctly to a copy. */
export function unfixable(
  code: Problem['code'],
  message: string,
  {name: file, sheet}: {name: string; sheet?: string | undefined},
  {line, rowNumber: row, column}: RowPlace,
): CliFailure {
  const place = {file, line, ...(sheet && {sheet}), ...(row && {row}), ...(column && {column})}
  return new CliFailure(`${file}: ${lineText(place)} cannot be fixed automatically; no copy was written`, {
    code,
    exit: 'invalid',
    entries: [toEntry({...place, severity: 'error', code, message})],
  })
}

/** Whether a failure is for what is in a file, and not for the file itself. */
export function isForItsRows(error: unknown): error is CliFailure {
  return error instanceof CliFailure && error.entries.length > 0
}

/** Problems as people are shown them: one entry for each kind and column. */
export function toGroups(problems: readonly Problem[]): ErrorGroup[] {
  return groupProblems(problems).map(({first, count, message}) => ({...toEntry(first), message, count}))
}

/** A problem as an entry of the envelope. */
export function toEntry(problem: Problem): ErrorEntry {
  const {file, sheet, line, row, column, code} = problem
  return {
    code,
    message: problemText(problem),
    exit: exitCodeOf('invalid').code,
    file,
    ...defined({sheet, line, row, column}),
    changed: 'none',
    retry: 'after-fix',
  }
}
