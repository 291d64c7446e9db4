import {basename, extname} from 'node:path'
import {allFieldsOf} from '../../contract/index.js'
import {type Column, columnsOf} from '../../formats/columns.js'
import {createFlatten, toCellText} from '../../formats/flatten.js'
import type {RowFile} from '../../formats/read/read-rows.js'
import type {Row} from '../../formats/read/row.js'
import {unknownColumns} from '../../formats/unknown-columns.js'
import type {SheetCell} from '../../formats/write/xlsx/xlsx-cells.js'
import {nullMark} from '../../validate/read-cell.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'

/** The rows of an input file as those of a sheet. */
export type SheetSource = {
  /** Names of the columns. */
  names: readonly string[]
  /** The cells of a row, which may be more or fewer than the columns. */
  toCells(row: Row): SheetCell[]
}

/** A table has its own columns; records have those of their fields, which are found by one more reading. */
export async function toSheetSource(input: RowFile, resource: string, readAgain: () => Promise<RowFile>) {
  if (input.header) return {source: tableSource(input.header.cells), input}
  const columns = await findRecordColumns(input, resource)
  return {source: recordSource(columns), input: await readAgain()}
}

function tableSource(names: readonly string[]): SheetSource {
  return {
    names,
    toCells(row) {
      if (row.kind !== 'cells') return []
      return row.cells.map((text, place) => (row.native?.has(place) ? {text, isNative: true} : {text}))
    },
  }
}

function recordSource(columns: readonly Column[]): SheetSource {
  const flatten = createFlatten(columns)
  return {
    names: columns.map(({path}) => path.join('.')),
    toCells: (row) => (row.kind === 'value' && isRecord(row.value) ? flatten(row.value).map(toRecordCell) : []),
  }
}

/** The name of the sheet that is read, or that a spreadsheet gives to the only sheet of a file. */
export function sheetNameOf({name, sheet}: RowFile): string {
  return sheet ?? basename(name, extname(name))
}

/** A value of JSON as a cell; null and absent values are empty. */
export function toSheetCell(value: JsonValue | undefined): SheetCell {
  if (isNumber(value)) return {text: numberText(value), isNative: true}
  return typeof value === 'boolean' ? {text: String(value), isNative: true} : {text: toCellText(value) ?? ''}
}

/** A field of a record; null is written as in every table. */
function toRecordCell(value: JsonValue | undefined): SheetCell {
  return value === null ? {text: nullMark} : toSheetCell(value)
}

/** The fields of the contract that a record has, in its order, then all others. */
async function findRecordColumns(input: RowFile, resource: string): Promise<Column[]> {
  const columns = columnsOf(allFieldsOf(resource))
  const used = new Set<number>()
  for await (const rows of input.rows) {
    const records = rows.flatMap((row): JsonRecord[] =>
      row.kind === 'value' && isRecord(row.value) ? [row.value] : [],
    )
    columns.push(...unknownColumns(records, columns))
    const flatten = createFlatten(columns)
    for (const record of records)
      for (const [place, value] of flatten(record).entries()) if (value !== undefined) used.add(place)
  }

  return columns.filter((_, place) => used.has(place))
}
