import type {FilterValues} from '../../client/types.js'
import {type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {type Reading, readingOf} from '../../formats/read/row.js'
import {mayBeHeld, type Problem} from '../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import type {CheckedRows} from '../check/check-file.js'
import type {FieldRule} from '../check/field-changes.js'
import {invalidInput} from '../check/invalid-input.js'
import type {NamedRows} from '../names/resolve-names.js'
import type {OnError} from '../send/on-error.js'
import {type CutOptions, cutSets, type PlannedRow, type PlannedSet, type RowList} from './cut-sets.js'
import type {FieldChange} from './diff.js'
import {mapRows} from './packed-rows.js'
import type {Move, SiteTotal} from './sites/site-types.js'

/** `name`: what people call the record, where it is known. `selection`: of a machine, the one that would change. */
export type RowChange = FieldChange & {line: number; id: JsonValue; name?: string; selection?: string}
export type MissingRow = {line: number; id: JsonValue}

/** What would become of the selections of a machine; those that stay are `unchanged`. */
export type MachineCounts = {id: JsonValue; name?: string; changed: number; created: number; unchanged: number}

/** What a plan would change in the records as they are now. */
export type Comparison = {
  changes: RowChange[]
  /** Rows whose record was not found. */
  missing: MissingRow[]
  /** Rows whose record is already as the row wants it. */
  unchanged: number
  /** Where the records are machines, and their selections change. */
  machines?: MachineCounts[]
}

export type PlanOptions = CutOptions & {
  /** What a row does not say is taken from the current record; the plan has no sets until that is done. */
  merges?: boolean | undefined
  /** Also send rows that change nothing. */
  sendUnchanged?: boolean | undefined
  /** How fields of the current records are changed, in every row. */
  changes?: readonly FieldRule[] | undefined
  /** The rows, once the records that they name were found. */
  named?: NamedRows | undefined
}

/** What a run would send: every row of the file passed its check. */
export type Plan = Readonly<Partial<Reading>> & {
  readonly operation: WriteId
  /** As messages name it. */
  readonly file: string
  /** How people find its rows. */
  readonly layout?: Layout
  readonly rows: RowList
  readonly sets: readonly PlannedSet[]
  /** Number of the column of each field, 1-based; of a CSV or TSV file. */
  readonly columns: ReadonlyMap<string, number>
  /** Problems that do not stop a row. */
  readonly warnings: readonly Problem[]
  /** Problems of values that are none where the record holds the value already. */
  readonly doubts?: readonly Problem[]
  /** Problems of rows that only their current records show. */
  readonly problems?: readonly Problem[]
  /** What was read as something that it does not literally say, in sentences. */
  readonly notices: readonly string[]
  /** What a person may want to know, and no warning. */
  readonly remarks?: readonly string[]
  /** What a row does not say comes from the current record. */
  readonly merges: boolean
  /** How fields of the current records are changed: a mark in a row stands for the value. */
  readonly changes?: readonly FieldRule[]
  /** Of a file: fields whose damage by a spreadsheet is meant; damage of others stops the run. */
  readonly allowsDamage?: ReadonlySet<string>
  /** What would change, where the current records were read. */
  readonly comparison?: Comparison
  /** Records that are moved from one place to another. */
  readonly moves?: readonly Move[]
  /** The sums of what changes, by site. */
  readonly totals?: readonly SiteTotal[]
  /** Requests that a run needs to read before it writes. */
  readonly reads: number
  /** When the current records were read that the rows hold, on the clock that never jumps. */
  readonly readAt?: number
  /** Records that rows named other than by id, as they were read for that, by the digits of their ids. */
  readonly current?: ReadonlyMap<string, JsonRecord>
  /** The records that are about to change, as they were read, by natural key; of creates see `Preimages`. */
  readonly preimages?: ReadonlyMap<string, JsonRecord>
  /** False when only a part of them was read. */
  readonly preimagesComplete?: boolean
  /** The dates that the records were searched by; records outside of them cannot be read again without. */
  readonly dates?: FilterValues
  /** The run that is undone; its lines are the lines of the rows. */
  readonly undoes?: string
  /** The plan file that is applied, and what the journal keeps of it. */
  readonly applies?: AppliedPlan
}

/** What to show about the rows of a plan. */
export type Known = Pick<Plan, 'warnings' | 'notices' | 'remarks'>

/** How the sets of a plan are sent. */
export type PlanSending = {
  setSize: number
  onError: OnError
  bisectBudget: number | null
  atomic: boolean
  canary: number | null
  /** Exactly what the file says is sent, and what it leaves out is set to null. */
  replace: boolean
}

/** What is known of a plan file while it is applied. */
export type AppliedPlan = {
  /** SHA-256 of the plan file in hex. */
  readonly digest: string
  /** SHA-256 of the input that it was made of, in hex. */
  readonly inputDigest?: string | undefined
  readonly encoding?: string | undefined
  /** Where the input lies, when it is there and unchanged. */
  readonly path?: string | undefined
  readonly options: PlanSending
}

/** The warnings and notices of a checked file. */
export function knownOf({checker}: CheckedRows): Known {
  const {notices, remarks} = checker
  return {warnings: checker.problems.filter(({severity}) => severity === 'warning'), notices, remarks}
}

/** Plans the rows of a checked file. Throws a `CliFailure` (invalid) whose entries are all problems of the file. */
export function planRows(operation: WriteId, checked: CheckedRows, options: PlanOptions): Plan {
  const {input, checker, broken} = checked
  const {merges = false, sendUnchanged = false, named, changes} = options
  const isError = ({severity}: Problem) => severity === 'error'
  const errors = checker.problems.filter(isError)
  const unnamed = named?.problems.filter(isError) ?? []
  const write = writeOperation(operation)
  const readsRecords = merges || (write.merge === 'partial' && write.preimage === 'records')
  const isDoubt = (error: Problem) => readsRecords && mayBeHeld(error, [...write.identity, ...(named?.keys ?? [])])
  if (broken || unnamed.length > 0 || !errors.every(isDoubt)) {
    throw invalidInput({operation, file: input.name, errors: [...errors, ...unnamed], rows: checker.count, broken})
  }

  const found = named?.rows ?? checker.rows.list
  const rows = merges || sendUnchanged ? found : skipEmptyUpdates(found, write)
  return {
    ...knownOf(checked),
    ...(errors.length > 0 && {doubts: errors}),
    operation,
    file: input.name,
    ...readingOf(input),
    rows,
    sets: merges ? [] : cutSets(rows, {...options, longestRecordBytes: checker.longestRecordBytes}),
    columns: named?.columns ?? checker.columns,
    layout: checker.layout,
    merges,
    ...(changes && changes.length > 0 && {changes}),
    allowsDamage: checker.allowsDamage,
    reads: named?.requests ?? 0,
    ...(named?.current && {current: named.current, readAt: named.readAt}),
  }
}

/** Rows that a plan would send. */
export function countToSend({sets}: Pick<Plan, 'sets'>): number {
  return sets.reduce((sum, {places}) => sum + places.length, 0)
}

/** An update that names a record and nothing else changes nothing. */
function skipEmptyUpdates(rows: RowList, {body, identity}: Write): RowList {
  if (body !== 'update') return rows
  const isEmpty = ({record}: PlannedRow) => Object.keys(record).every((name) => identity.includes(name))
  return mapRows(rows, (row) => (isEmpty(row) ? {...row, skip: 'unchanged'} : row))
}
