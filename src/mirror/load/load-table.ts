import {allFieldsOf, readOperation} from '../../contract/index.js'
import type {MirrorColumn, MirrorKind, MirrorTable} from '../../derive/mirror/column-types.js'
import {lineNamesOf} from '../../formats/lines.js'
import {toMilliseconds} from '../../values/date-time.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'

/** A table as rows are put into it: its columns without `extra`, which is the last of a row, and `deleted_at`. */
export type LoadTable = {
  readonly name: string
  readonly columns: readonly MirrorColumn[]
  readonly key: readonly string[]
}

/** Lines of a record; the first two columns are the key of the record and the place of the line, from 1. */
export type LineTable = LoadTable & {readonly list: string; readonly line: string}

/** The tables that one read fills: one for its records, and perhaps one for the elements of their list. */
export type LoadTables = {readonly records: LoadTable; readonly lines?: LineTable}

/** Columns of a line table before those of the fields. */
export const columnsBeforeLine = 2

export function toLoadTables(tables: readonly MirrorTable[]): LoadTables {
  const [records, lines] = [tables.find(({list}) => list === undefined), tables.find(({list}) => list !== undefined)]
  if (!records) throw new Error('a read without a table')
  const names = lineNamesOf(allFieldsOf(readOperation(records.operation).resource))
  return {records: toLoadTable(records), ...(lines && names && {lines: {...toLoadTable(lines), ...names}})}
}

function toLoadTable({name, columns, key}: MirrorTable): LoadTable {
  return {name, key, columns: columns.filter((column) => column.name !== 'extra' && column.name !== 'deleted_at')}
}

/** The target of rows, cell by cell in the order of columns. */
export type RowTarget = {
  /** False when the column cannot store the value without loss: then the cell is empty. */
  token(column: number, bytes: Buffer, integers: Int32Array, at: number): boolean
  value(column: number, value: JsonValue): boolean
  empty(column: number): void
  /** Ends the row; `extra` is JSON of what has no column, or does not fit into it. */
  end(extra: string | null): void
}

/** A time without offset, with as many digits as any database keeps. */
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/
const integer = /^-?\d{1,19}$/
const least = -(2n ** 63n)
const most = 2n ** 63n - 1n
/** The most characters, and the largest exponent, of a number that a column stores: a price has fewer. */
const longest = 400

/** Whether a column of this kind can store a value, which is not null, without loss. */
export function fits(kind: MirrorKind, value: JsonValue): boolean {
  switch (kind) {
    case 'integer':
      return isNumber(value) && isInteger(numberText(value))
    case 'decimal':
      return isNumber(value) && isShort(numberText(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'utcTime':
    case 'localTime':
      return typeof value === 'string' && time.test(value) && toMilliseconds(value) !== undefined
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
    case 'json':
      return true
  }
}

function isInteger(text: string): boolean {
  return integer.test(text) && (text.length < 19 || (BigInt(text) >= least && BigInt(text) <= most))
}

function isShort(text: string): boolean {
  const [, exponent = '0'] = /e([+-]?\d+)$/i.exec(text) ?? []
  return text.length <= longest && Math.abs(Number(exponent)) <= longest
}
