import type {Fields} from '../../contract/index.js'
import {type Finding, type Problem, tellFinding} from '../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {type LaidOut, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import {isUnsentName, unsentName} from '../check/names.js'
import type {PlannedRow, RowList} from '../rows/cut-sets.js'
import {spellFields} from '../rows/merge.js'
import {createCellFinder, createFinder} from './find-by-key.js'

/** Rows while the records that they name are looked for. */
export type Naming = {
  /** Copies of the rows of the file, which are filled in. */
  readonly rows: readonly PlannedRow[]
  readonly problems: Problem[]
  requests: number
  /** How records are found by what rows say of them. */
  readonly toFinder: typeof createFinder
  /** Puts an id that was found where the row would have it. */
  fill(row: PlannedRow, field: string, id: JsonValue): void
  /** A problem of a row in the column of a name; `cell` is what names the record there. */
  report(row: PlannedRow, name: string, finding: Finding & {cell?: JsonValue | undefined}): void
}

export type NamingOptions = {
  input: LaidOut
  columns: ReadonlyMap<string, number>
  /** Fields that the write sends. */
  sent: ReadonlySet<string>
}

export function startNaming(rows: RowList, {input, columns, sent}: NamingOptions): Naming {
  const problems: Problem[] = []
  return {
    rows: rows.map((row) => ({...row, record: {...row.record}})),
    problems,
    requests: 0,
    toFinder: columns.size > 0 ? createCellFinder : createFinder,
    fill({record}, field, id) {
      record[sent.has(field) ? field : unsentName(field)] = id
    },
    report({line}, name, finding) {
      const column = columns.get(name)
      const {code, kind, write, cell} = finding
      problems.push({
        ...placeIn(input, line),
        ...(column !== undefined && {column}),
        columnName: name,
        severity: 'error',
        code,
        ...(kind !== undefined && {kind}),
        message: tellFinding(finding),
        ...(cell !== undefined && {cell: idText(cell)}),
        ...(write && {write}),
      })
    },
  }
}

/** What a row says of a field, sent or not. */
export function valueIn(record: JsonRecord, field: string): JsonValue | undefined {
  return record[field] ?? record[unsentName(field)]
}

/** An empty cell names nothing. */
export function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== ''
}

export function spellRecord(record: JsonRecord, fields: Fields): JsonRecord {
  return Object.fromEntries(spellFields(record, fields))
}

/** The row as it is sent, with the id that was found. */
export function toSentRecord(record: JsonRecord, target: string): JsonRecord {
  const {[target]: id = null, ...rest} = record
  const entries = Object.entries<JsonValue>(rest).filter(([name]) => !isUnsentName(name))
  return Object.fromEntries(id === null ? entries : [[target, id], ...entries])
}
