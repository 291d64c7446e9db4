import {allFieldsOf, readOperation} from '../../contract/index.js'
import type {MirrorColumn, MirrorTable} from '../../derive/mirror/types.js'
import {lineNamesOf} from '../../formats/lines.js'
import type {JsonValue} from '../../values/json.js'

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

/** Where rows go, cell by cell in the order of columns. */
export type RowTarget = {
  /** False when the column cannot hold the value without loss: then the cell is empty. */
  token(column: number, bytes: Buffer, integers: Int32Array, at: number): boolean
  value(column: number, value: JsonValue): boolean
  empty(column: number): void
  /** Ends the row; `extra` is JSON of what has no column, or does not fit into it. */
  end(extra: string | null): void
}
