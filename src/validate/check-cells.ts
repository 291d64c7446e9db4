import type {Use} from '../contract/index.js'
import type {JsonRecord} from '../values/json.js'
import type {Column} from './match-header.js'
import {readPlainCell} from './plain-cell.js'
import {putPath} from './put-path.js'
import {type EmptyCells, readCell} from './read-cell.js'
import type {RowReport} from './row-report.js'
import {findSpreadsheetDamage} from './spreadsheet-damage.js'

export type CellsOptions = {
  columns: readonly Column[]
  /** Number of columns that the header names. */
  width: number
  use: Use
  empty: EmptyCells
}

/** The record of one row, typed by the contract. Tells the report all that is wrong; undefined for an empty row. */
export function checkCells(cells: readonly string[], options: CellsOptions, report: RowReport): JsonRecord | undefined {
  if (cells[0] === '' && cells.every((cell) => cell === '')) {
    report.found({code: 'EMPTY_ROW', message: 'an empty row; it was left out', severity: 'warning'})
    return undefined
  }

  const record: JsonRecord = {}
  if (cells.length !== options.width) reportRagged(cells.length, options.width, report)
  else for (const column of options.columns) addCell(record, cells[column.position - 1] ?? '', column, options, report)
  return record
}

function addCell(record: JsonRecord, cell: string, column: Column, options: CellsOptions, report: RowReport): void {
  const value = column.place && readPlainCell(cell, column.place.field)
  if (value !== undefined) putPath(record, column.path, value)
  else addUnusualCell(record, cell, column, options, report)
}

function addUnusualCell(record: JsonRecord, cell: string, column: Column, options: CellsOptions, report: RowReport) {
  const {position, kind, name, place, path} = column
  report.atCell(position, name || undefined, cell)
  if (place) {
    const value = readField(cell, place, options, report)
    if (value !== undefined) putPath(record, path, value)
  } else if (cell !== '') {
    if (kind === 'unknown') putPath(record, path, cell)
    else report.found({code: 'NAMELESS_COLUMN', message: 'a value in a column without a name'})
  }
}

type Place = NonNullable<Column['place']>

function readField(cell: string, {name, field}: Place, {use, empty}: CellsOptions, report: RowReport) {
  const damage = findSpreadsheetDamage(cell, name, field)
  if (damage) {
    report.found(damage)
    if (damage.severity !== 'warning') return undefined
  }

  const before = report.problems.length
  const value = readCell(cell, field, empty, report)
  const isMissing = value === undefined && report.problems.length === before && field.required?.includes(use)
  if (isMissing) report.found({code: 'MISSING_VALUE', message: 'required, but the cell is empty'})
  return value
}

function reportRagged(length: number, width: number, report: RowReport): void {
  const why = length > width ? 'an unquoted delimiter in a cell, perhaps' : 'a missing delimiter, perhaps'
  report.atCell(Math.min(length, width + 1))
  report.found({
    code: 'RAGGED_ROW',
    message: `${length} ${length === 1 ? 'cell' : 'cells'}, but the header names ${width} columns: ${why}`,
  })
}
