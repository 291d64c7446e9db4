import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import type {Column} from '../columns.js'
import {type Condition, satisfies} from '../conditions.js'
import {createFlatten, type Lost} from '../flatten.js'
import {type LineNames, toLines} from '../lines.js'
import {PageOutput} from '../page-output.js'
import type {ScannedPage} from './page-elements.js'
import * as token from './page-tokens.js'

/** Receives the places of the cells of rows. `cells` is the same array for all objects of one shape. */
export type RowVisitor = {
  /**
   * Once per record, before its rows: `cells[i]` is the offset from `first` in `page.tokens` of the token of column
   * `recordColumns[i]`; -1 is an empty cell.
   */
  record(page: ScannedPage, first: number, cells: Int32Array): void
  /**
   * One row: `cells[i]` is the offset from `first` in `page.items` of column `lineColumns[i]`; `line` is its place
   * among all rows of the record. A record without lines has one row with all -1.
   */
  row(page: ScannedPage, first: number, cells: Int32Array, line: number): void
}

export type PrintedRowsOptions = {
  columns: readonly Column[]
  /** Places in `columns` of those that come from the record itself, and of those that come from its lines. */
  recordColumns: readonly number[]
  lineColumns: readonly number[]
  lines: LineNames | undefined
  conditions: readonly Condition[]
  countsLost: boolean
}

/** The rows of a record: itself, or one for each element of its list. */
export function rowsOf(record: JsonRecord, lines: LineNames | undefined): JsonRecord[] {
  return lines ? [...toLines(record, lines)] : [record]
}

/**
 * Visits the rows of a record that has no plan. Its cells are printed as tokens of a page of their own, so that
 * visitors need no second way. Time and memory: linear in the bytes of its rows.
 */
export function createPrintedRows(options: PrintedRowsOptions) {
  const {columns, recordColumns, lineColumns, lines, conditions, countsLost} = options
  const flatten = createFlatten(columns)
  const recordCells = offsetsOf(recordColumns)
  const lineCells = offsetsOf(lineColumns)

  return (record: JsonRecord, visitor: RowVisitor, lost: Lost, most?: number): number => {
    const all = rowsOf(record, lines).map((row, line) => ({row, line}))
    const asked = all.filter(({row}) => satisfies(row, conditions)).slice(0, most)
    const rows = asked.map(({row}) => flatten(row, countsLost ? lost : undefined))
    const [first] = rows
    if (!first) return 0
    const output = new PageOutput()
    const tokens = recordColumns.flatMap((place) => toToken(output, first[place]))
    const items = rows.flatMap((cells) => [noShape, ...lineColumns.flatMap((place) => toToken(output, cells[place]))])
    const page = toPage(output.written(), Int32Array.from(tokens), Int32Array.from(items))
    const size = 1 + lineColumns.length * tokenLength
    visitor.record(page, 0, present(recordCells, page.tokens, 0))
    for (const [row, {line}] of asked.entries()) {
      const at = 1 + row * size
      visitor.row(page, at, present(lineCells, page.items, at), line)
    }
    return rows.length
  }
}

/** Stands for the shape of a line, which no reader needs. */
const noShape = -1
/** Integers of a token, so that each has room for the bounds of a list. */
const tokenLength = 4
const absent = [0, -1, 0, 0]

/** Prints a value; an absent one has no kind. */
function toToken(output: PageOutput, value: JsonValue | undefined): readonly number[] {
  if (value === undefined) return absent
  const kind = kindOf(value)
  const start = output.at
  if (value !== null) output.text(isNumber(value) ? numberText(value) : printJson(value))
  const quotes = typeof value === 'string' ? 1 : 0
  const [from, end] = kind === token.listToken ? [0, 0] : [start + quotes, output.at - quotes]
  return [from, end | (kind << token.kindShift), start, output.at]
}

function kindOf(value: JsonValue): number {
  if (value === null) return token.nullToken
  if (typeof value === 'string') return value === '' ? token.emptyToken : token.escapedToken
  if (typeof value === 'boolean') return token.wordToken
  return isRecord(value) || Array.isArray(value) ? token.listToken : token.numberToken
}

function offsetsOf(places: readonly number[]): Int32Array {
  return Int32Array.from(places, (_, at) => at * tokenLength)
}

/** The offsets of the tokens from `first`; -1 for those that are absent. */
function present(offsets: Int32Array, integers: Int32Array, first: number): Int32Array {
  return offsets.map((offset) => (integers[first + offset + 1] === -1 ? -1 : offset))
}

function toPage(bytes: Buffer, tokens: Int32Array, items: Int32Array): ScannedPage {
  const records = Int32Array.from([0, bytes.length, noShape, 0])
  const unparsed = () => {
    throw new TypeError('cells that were printed are no record')
  }
  return {bytes, records, tokens, items, count: 1, allObjects: true, parse: unparsed, release: () => undefined}
}
