import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type ReadOptions, type RowFile, readRows} from '../../formats/read/read-rows.js'
import {type Reading, readingOf} from '../../formats/read/row.js'
import type {Problem} from '../../validate/problem.js'
import {placeIn} from '../../values/place.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import {createHeaderFit} from './header-fit.js'
import {RowChecker} from './row-checker.js'
import {type CheckOptions, findRowRules} from './row-rules.js'

export type CheckedFile = {
  file: string
  /** Encoding, delimiter and the like, as detected or given. */
  reading?: Reading | undefined
  /** Rows that were read. */
  rows: number
  /** Errors and warnings, the header first, then in the order of the rows. */
  problems: Problem[]
  /** Values read as something other than their literal text, in sentences. */
  notices: string[]
  /** Facts for the reader that are no warnings. */
  remarks: string[]
  /** Why the file could not be read to its end. */
  broken?: CliFailure
}

export type CheckedRows = {input: RowFile; checker: RowChecker; broken: CliFailure | undefined}

type FileOptions = ReadOptions &
  CheckOptions & {
    file: string
    signal?: AbortSignal | undefined
    /** Sees the problems of each row. */
    onRow?: ((problems: readonly Problem[]) => void) | undefined
  }

/** Checks a file as the write would. Throws a `CliFailure` (invalid) when it cannot be read at all. */
export async function checkFile(operation: WriteId, options: FileOptions): Promise<CheckedFile> {
  const merges = writeOperation(operation).merge === 'full-replace'
  const {input, checker, broken} = await checkRows(operation, {...options, merges, keepsRows: false})
  const {count, problems, notices, remarks} = checker
  return {file: input.name, reading: readingOf(input), rows: count, problems, notices, remarks, ...(broken && {broken})}
}

/** Reads a file and checks every row of it. Throws a `CliFailure` (invalid) when it cannot be read at all. */
export async function checkRows(operation: WriteId, options: FileOptions): Promise<CheckedRows> {
  const {merges = false, keepsRows = true} = options
  const toRules = () => findRowRules(operation, merges && keepsRows)
  const fitOf = createHeaderFit(writeOperation(operation), {...options, rules: toRules()})
  const input = await readRows(options.file, {...options, fitOf})
  const checker = new RowChecker(writeOperation(operation), input, {...options, rules: toRules()})
  const broken = await checkAll(input, checker, options)
  if (broken?.entries.length === 0) throw broken
  return {input, checker, broken}
}

/** Problems of rows that were checked as changes and turn out to be new records, which need more. */
export function checkNewRows(
  operation: WriteId,
  {input, checker}: CheckedRows,
  rows: readonly PlannedRow[],
): Problem[] {
  const {header: _, ...file} = input
  const asNew = new RowChecker(writeOperation(operation), file, {rules: findRowRules(operation, false)})
  for (const {line, record} of rows) asNew.check({kind: 'value', line, size: 0, value: record})
  const {layout, columns, problems} = checker
  const placeOf = ({code, line, columnName}: Problem) => `${code === 'MISSING_COLUMN' ? '' : line} ${columnName}`
  const wrong = new Set(problems.filter(({severity}) => severity === 'error').map(placeOf))
  return asNew.problems.flatMap(({column: _number, ...problem}): Problem[] => {
    const isMissing = problem.code === 'MISSING_VALUE'
    if (isMissing && (wrong.has(placeOf(problem)) || wrong.has(` ${problem.columnName}`))) return [] // said already, and why
    const column = columns.get(problem.columnName ?? '')
    const place = problem.line === undefined ? {} : placeIn({file: input.name, layout}, problem.line)
    const needed = isMissing && {message: 'required, because the row makes a new record'}
    return problem.severity === 'warning' ? [] : [{...problem, ...needed, ...place, ...(column && {column})}]
  })
}

/** Why the file could not be read to its end; the problems before that place are kept. */
async function checkAll(
  input: RowFile,
  checker: RowChecker,
  {signal, onRow}: Pick<FileOptions, 'signal' | 'onRow'>,
): Promise<CliFailure | undefined> {
  try {
    for await (const rows of input.rows) {
      signal?.throwIfAborted()
      for (const row of rows) {
        const problems = checker.check(row)
        onRow?.(problems)
      }
    }
  } catch (error) {
    if (error instanceof CliFailure && error.exit === 'invalid') return error
    throw error
  }

  return undefined
}
