import type {FilterValues} from '../../client/types.js'
import {type Write, type WriteId, writeOperation} from '../../contract/index.js'
import type {ReadOptions} from '../../formats/read/read-rows.js'
import type {InputFormat} from '../../formats/read/row.js'
import type {UnknownColumns} from '../../validate/match-header.js'
import type {Problem} from '../../validate/problem.js'
import type {EmptyCells} from '../../validate/read-cell.js'
import type {JsonRecord} from '../../values/json.js'
import {checkRows} from '../check/check-file.js'
import {invalidInput} from '../check/invalid-input.js'
import type {Comparison} from './compare.js'
import {cutSets, type PlannedRow, type PlannedSet} from './cut-sets.js'

export type PlanOptions = ReadOptions & {
  /** Path, or `-` for standard input. */
  file: string
  setSize: number
  /** All rows in one set, or none. */
  atomic?: boolean | undefined
  /** So many of the first rows are sent first, and the run goes on only when they were applied. */
  canary?: number | undefined
  /** Field names by the column names of the file. */
  map?: Readonly<Record<string, string>> | undefined
  unknownColumns?: UnknownColumns | undefined
  empty?: EmptyCells | undefined
  /** What a row does not say is taken from the current record; the plan has no sets until that is done. */
  merges?: boolean | undefined
  /** Columns whose damage by a spreadsheet was confirmed by eye. */
  allowDamage?: readonly string[] | undefined
  /** Also send rows that change nothing. */
  sendUnchanged?: boolean | undefined
  signal?: AbortSignal | undefined
  inform?: ((known: Known) => void) | undefined
}

/** What a run would send: every row of the file passed its check. */
export type Plan = {
  operation: WriteId
  /** As messages name it. */
  file: string
  /** Of a file; a plan may also be made of records that were found. */
  format?: InputFormat
  /** Of a CSV or TSV file. */
  delimiter?: string
  rows: PlannedRow[]
  sets: PlannedSet[]
  /** Number of the column of each field, 1-based; of a CSV or TSV file. */
  columns: ReadonlyMap<string, number>
  /** Problems that do not stop a row. */
  warnings: Problem[]
  /** What was read as something that it does not literally say, in sentences. */
  notices: string[]
  /** What a person may want to know, and no warning. */
  remarks?: string[]
  /** What a row does not say comes from the current record. */
  merges: boolean
  /** Of a file: fields whose damage by a spreadsheet is meant; damage of others stops the run. */
  allowsDamage?: ReadonlySet<string>
  /** What would change, where the current records were read. */
  comparison?: Comparison
  /** Requests that a run needs to read before it writes. */
  reads: number
  /** The records that are about to change, as they were read, by natural key; of creates see `Preimages`. */
  preimages?: ReadonlyMap<string, JsonRecord>
  /** False when only a part of them was read. */
  preimagesWhole?: boolean
  /** The dates that the records were searched by; records outside of them cannot be read again without. */
  dates?: FilterValues
  /** The run that is taken back; its lines are the lines of the rows. */
  undoes?: string
  /** The plan file that is applied, and what the journal keeps of it. */
  applies?: AppliedPlan
}

/** What a person is told of the rows of a plan. */
export type Known = Pick<Plan, 'warnings' | 'notices' | 'remarks'>

/** What is known of a plan file while it is applied. */
export type AppliedPlan = {
  /** SHA-256 of the plan file in hex. */
  digest: string
  /** SHA-256 of the input that it was made of, in hex. */
  inputDigest?: string | undefined
  encoding?: string | undefined
  /** Where the input lies, when it is there and unchanged. */
  path?: string | undefined
  options: JsonRecord
}

/**
 * Reads and checks a whole file before anything is sent. Throws a `CliFailure` (invalid) whose entries are all its
 * problems, or why it cannot be read.
 */
export async function planFile(operation: WriteId, options: PlanOptions): Promise<Plan> {
  const {input, checker, broken} = await checkRows(operation, options)
  const {problems, longestRecordBytes} = checker
  const errors = problems.filter(({severity}) => severity === 'error')
  const warnings = problems.filter(({severity}) => severity === 'warning')
  const {notices, remarks} = checker
  if (broken || errors.length > 0) {
    options.inform?.({warnings, notices, remarks})
    throw invalidInput({operation, file: input.name, errors, rows: checker.count, broken})
  }

  const {merges = false, sendUnchanged = false} = options
  const rows = merges || sendUnchanged ? checker.rows : skipEmptyUpdates(checker.rows, writeOperation(operation))
  return {
    operation,
    file: input.name,
    format: input.format,
    ...(input.delimiter !== undefined && {delimiter: input.delimiter}),
    rows,
    sets: merges ? [] : cutRows(rows, options, longestRecordBytes),
    columns: checker.columns,
    warnings,
    notices,
    remarks,
    merges,
    allowsDamage: checker.allowsDamage,
    reads: 0,
  }
}

/** The sets of rows by the options of a plan. */
export function cutRows(
  rows: PlannedRow[],
  {setSize, atomic = false, canary}: Pick<PlanOptions, 'setSize' | 'atomic' | 'canary'>,
  longestRecordBytes = Number.POSITIVE_INFINITY,
): PlannedSet[] {
  return cutSets(rows, {setSize, atomic, canary, longestRecordBytes})
}

/** Rows that a plan would send. */
export function countToSend({sets}: Pick<Plan, 'sets'>): number {
  return sets.reduce((sum, {places}) => sum + places.length, 0)
}

/** An update that names a record and nothing else changes nothing. */
function skipEmptyUpdates(rows: PlannedRow[], {body, identity}: Write): PlannedRow[] {
  if (body !== 'update') return rows
  const isEmpty = ({record}: PlannedRow) => Object.keys(record).every((name) => identity.includes(name))
  return rows.map((row) => (isEmpty(row) ? {...row, skip: 'unchanged'} : row))
}
