import type {JsonValue} from '../../values/json.js'

/** One record of an input file, with the line it starts on (1-based) and its length in characters. */
export type Row = CellsRow | ValueRow | BrokenRow

/** A row of a CSV or TSV file; the cells stand in the order of the header and are untyped. */
export type CellsRow = {
  kind: 'cells'
  line: number
  size: number
  cells: readonly string[]
  /** The row as a spreadsheet counts it, where that is not the line: cells before it hold line ends. */
  rowNumber?: number
  /** Places (0-based, ascending) of the empty cells that are written as two quotes; absent when there is none. */
  quoted?: readonly number[]
}

/** An element of a JSON array or a line of an NDJSON file, digits kept. */
export type ValueRow = {kind: 'value'; line: number; size: number; value: JsonValue}

/** A row that cannot be read, while those after it can; `why` finishes the sentence "this row is …". */
export type BrokenRow = {kind: 'broken'; line: number; size: number; why: string}

export type InputFormat = 'csv' | 'tsv' | 'json' | 'ndjson'

export type Header = Pick<CellsRow, 'line' | 'rowNumber' | 'cells'>

/** Longest record of an input file, in bytes; anything longer is taken for an unclosed quote or no table at all. */
export const maximumRecordBytes = 1_048_576
