import {extname} from 'node:path'
import {inputFailure} from '../../formats/read/input-failure.js'
import {readRows} from '../../formats/read/read-rows.js'
import {readAllText} from '../../formats/read/read-text.js'
import type {CellsRow} from '../../formats/read/row.js'
import {nullMark} from '../../validate/read-cell.js'
import {isRecord, JsonProblem, type JsonRecord, parseJson, printJson} from '../../values/json.js'
import {textOf} from '../rows/pointers.js'

/** What a cell becomes, and where the file of `--map-values` says so. */
export type MappedValue = {
  line: number
  row?: number | undefined
  from: string
  to: string
  /** Empty text, and not an empty cell. */
  isEmptyText: boolean
}

/** The pairs of one file of `--map-values`, for one field or column, as they stand there. */
export type ValueMap = {field: string; file: string; sheet?: string | undefined; pairs: readonly MappedValue[]}

/** Reads the pairs of a file: a table of two columns, or a JSON object. Throws a `CliFailure` (invalid) for any other. */
export async function readValueMap(field: string, path: string): Promise<ValueMap> {
  if (extname(path).toLowerCase() === '.json') return {field, file: path, pairs: toPairs(await readObject(path))}
  const {name, sheet, header, rows} = await readRows(path)
  if (!header) throw noTable(path)
  const found: CellsRow[] = [{kind: 'cells', size: 0, ...header}]
  for await (const stretch of rows) found.push(...stretch.filter((row) => row.kind === 'cells'))
  const [first, ...rest] = found
  const isHeader = first?.cells[0]?.trim().toLowerCase() === 'from' && first.cells[1]?.trim().toLowerCase() === 'to'
  const pairs = (isHeader ? rest : found).filter(({cells}) => cells.some((cell) => cell.trim() !== ''))
  return {field, file: name, sheet, pairs: pairs.map((row) => toPair(row, name))}
}

function toPair({line, rowNumber, cells, quoted = [], unreadable}: CellsRow, file: string): MappedValue {
  const [from = '', to = '', ...more] = cells
  const why = unreadable?.get(0) ?? unreadable?.get(1)
  if (why !== undefined) throw inputFailure('UNREADABLE_CELL', why, {file, line})
  if (cells.length < 2 || more.some((cell) => cell.trim() !== '')) {
    const message = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but a file of --map-values has two columns: from and to`
    throw inputFailure('RAGGED_ROW', message, {file, line})
  }

  return {line, row: rowNumber, from: from.trim(), to: to.trim(), isEmptyText: quoted.includes(1)}
}

async function readObject(path: string): Promise<JsonRecord> {
  try {
    const value = parseJson(await readAllText(path))
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw noTable(path)
}

function toPairs(record: JsonRecord): MappedValue[] {
  return Object.entries(record).map(([from, value]) => {
    const to = value === null ? nullMark : (textOf(value) ?? printJson(value))
    return {line: 1, from: from.trim(), to, isEmptyText: value === ''}
  })
}

function noTable(file: string) {
  return inputFailure('NOT_CSV', 'neither a table of two columns nor a JSON object', {file}, [
    'Write two columns with the header from,to, or one JSON object: {"Net 30 days": "Net30"}.',
  ])
}
