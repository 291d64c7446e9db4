import {defined} from '../../values/defined.js'
import type {JsonValue} from '../../values/json.js'
import type {InputFormat} from '../names.js'

/** One record of an input file, with the line it starts on (1-based) and its length in characters. */
export type Row = CellsRow | ValueRow | BrokenRow

/** A row of a CSV or TSV file; the cells are in the order of the header and untyped. */
export type CellsRow = {
  kind: 'cells'
  line: number
  size: number
  cells: readonly string[]
  /** The row as a spreadsheet counts it, where that is not the line: cells before it have line ends. */
  rowNumber?: number
  /** Places (0-based, ascending) of the empty cells that are written as two quotes; absent when there is none. */
  quoted?: readonly number[]
  /** Places of the cells that a workbook has as number, date or boolean: they are spelled as the contract does. */
  native?: ReadonlySet<number>
  /** Reasons why cells of a workbook have no value, by place: "this cell is …". Some are beyond the header. */
  unreadable?: ReadonlyMap<number, string>
}

/** An element of a JSON array or a line of an NDJSON file, digits kept. */
export type ValueRow = {kind: 'value'; line: number; size: number; value: JsonValue}

/** A row that cannot be read, while those after it can; `why` finishes the sentence "this row is …". */
export type BrokenRow = {kind: 'broken'; line: number; size: number; why: string}

export type Header = Pick<CellsRow, 'line' | 'rowNumber' | 'cells'>

/** The options that a file was read with, so that it can be read like that again. */
export type Reading = {
  format: InputFormat
  /** Delimiter of a CSV or TSV file. */
  delimiter?: string
  /** Sheet of a workbook. */
  sheet?: string
  /** Line of the header, where it is not the first with a value. */
  headerRow?: number
}

/** The options of reading, picked from a larger object; undefined when no file was read. */
export function readingOf(known: Partial<Reading>): Reading | undefined {
  const {format, delimiter, sheet, headerRow} = known
  if (format === undefined) return undefined
  return {format, ...defined({delimiter, sheet, headerRow})}
}

/** An input file whose head has been read. */
export type RowFile = Reading & {
  /** As messages name it: the path as it was given, or `stdin`. */
  name: string
  /** Header of a table: a CSV or TSV file, or a sheet. */
  header?: Header
  /** True of a workbook, and of a CSV or TSV file with a byte order mark, which tells spreadsheets its encoding. */
  hasMark?: boolean
  /** Sentences for people about how it was read; complete when all rows were read. */
  notices?: readonly string[]
  /**
   * The rows below the header, in stretches; to be read once. Throws a `CliFailure` (invalid) at an unreadable place.
   */
  rows: AsyncGenerator<readonly Row[], void, void>
}

/** How many of the names in a row are columns that the file is read for. */
export type HeaderFit = 'all' | 'most' | 'some' | 'none'

/** A header below more rows than these is not looked for. */
export const rowsOfHead = 30

export function isSure(fit: HeaderFit): boolean {
  return fit === 'all' || fit === 'most'
}

/** Longest record of an input file, in bytes; anything longer counts as an unclosed quote or no table at all. */
export const maximumRecordBytes = 1_048_576

/** Line ends inside a text: LF, CRLF or a lone CR. */
export function countLineEnds(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0
  return text.split(/\r\n|\n|\r/).length - 1
}
