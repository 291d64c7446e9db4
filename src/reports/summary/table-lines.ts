import {Buffer} from 'node:buffer'
import type {CellTable} from '../../formats/read/exported-cells.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import type {CellsRow, RowFile} from '../../formats/read/row.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {newline, quote} from '../../values/byte-codes.js'
import {counted} from '../../values/counted.js'
import {JsonProblem, type JsonRecord, type JsonValue, parseJson} from '../../values/json.js'
import {type LineCells, oddCell, type SummaryLine, SummaryProblem} from './line-cells.js'
import {refuseOther} from './other-report.js'
import type {Summary} from './summarize.js'
import {batchField} from './summary-fields.js'
import {createLineReader, lineNames} from './summary-lines.js'

/** Reads what a summary needs of the rows of a table. */
export type TableReader = {
  /** Throws a `SummaryProblem` for a row that is not as its header says. */
  linesOf(row: CellsRow): Iterable<SummaryLine>
  /** The same of a record as bytes; undefined for a table whose records are not lines, or not as wide as its header. */
  cellsOf(table: CellTable): ((index: number) => LineCells) | undefined
}

/**
 * Rows of cells are lines, or batches whose line items stand in one cell as JSON. `isEscaped`: an apostrophe stands in front
 * of texts that look like formulas. Throws a `CliFailure` (invalid) that names the columns that are missing.
 */
export function createTableReader(
  {name, header}: RowFile,
  {fields, needed}: Summary,
  {isEscaped}: {isEscaped: boolean},
): TableReader {
  const names = header?.cells ?? []
  const columns = new Map(names.map((cell, place) => [cell.trim().toLowerCase(), place]))
  const placeOf = (field: string) => columns.get(field.toLowerCase())
  const list = placeOf(lineNames.list)
  const ofBatch = (all: readonly string[]) => all.filter((field) => !field.startsWith(`${lineNames.line}.`))
  const missing = (list === undefined ? needed : ofBatch(needed)).filter((field) => placeOf(field) === undefined)
  if (missing.length > 0) refuseOther(name, names)
  if (missing.length > 0) throw missingColumns(name, missing)
  const places = fields.map(placeOf)
  const textAt = ({cells}: CellsRow, place: number | undefined) => {
    const cell = place === undefined ? undefined : cells[place]
    return cell === undefined || !isEscaped ? cell : unescapeFormula(cell)
  }
  const readRecord = createLineReader(fields)
  const readRow = (row: CellsRow): Iterable<SummaryLine> => {
    const {length} = row.cells
    if (length !== names.length)
      throw new SummaryProblem(`${counted(length, 'cell')}, but the header names ${counted(names.length, 'column')}`)
    if (list === undefined) return [places.map((place) => textAt(row, place))]
    const batch = Object.fromEntries(ofBatch(fields).map((field) => [field, textAt(row, placeOf(field)) ?? null]))
    return readRecord({...batch, [lineNames.list]: parseItems(row.cells[list] ?? '')} as JsonRecord)
  }
  const fill = createFill(places, isEscaped ? apostrophe : undefined)

  return {
    linesOf: readRow,
    cellsOf(table) {
      if (list !== undefined || table.width !== names.length) return undefined
      return fill(table, (index) => table.rows(index, index + 1).flatMap((row) => [...readRow(row)])[0] ?? [])
    },
  }
}

const apostrophe = 0x27

/** Finds the cells of records in their bytes; those that begin with `mark`, and texts with quotes or line ends, are odd. */
function createFill(columns: readonly (number | undefined)[], mark: number | undefined) {
  const places = Int32Array.from(columns, (column) => column ?? oddCell)
  const [starts, ends] = [new Int32Array(places.length).fill(oddCell), new Int32Array(places.length)]

  const line: LineCells = {bytes: Buffer.alloc(0), starts, ends, values: () => []}

  return (table: CellTable, valuesOf: (index: number) => SummaryLine) => {
    const {bytes, ends: all} = table
    let current = 0
    line.bytes = bytes
    line.values = () => valuesOf(current)

    return (index: number): LineCells => {
      const first = table.cellsOf(index)
      current = index
      for (let field = 0; field < places.length; field++) {
        const column = places[field] as number
        if (column < 0) continue
        let start = column === 0 ? table.startOf(index) : (all[first + column - 1] as number) + 1
        let end = all[first + column] as number
        if (bytes[start] === quote && start < end) {
          start++
          end--
          if (!isPlain(bytes, start, end)) start = oddCell
        }

        starts[field] = bytes[start] === mark ? oddCell : start
        ends[field] = end
      }

      return line
    }
  }
}

/** Whether a cell in quotes has none within, and is on one line. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === quote || bytes[at] === newline) return false
  return true
}

function parseItems(text: string): JsonValue {
  try {
    return text === '' ? null : parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    throw new SummaryProblem(`no JSON in ${lineNames.list}`)
  }
}

function missingColumns(file: string, missing: readonly string[]) {
  const isNone = missing.includes(batchField) && missing.length > 3
  return inputFailure(
    'MISSING_COLUMN',
    `${isNone ? 'no export of the transaction report: ' : ''}it has no column ${missing.join(', no column ')}`,
    {file},
    ['Export the report again without --columns, or with these columns.'],
  )
}
