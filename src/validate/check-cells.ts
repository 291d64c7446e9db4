import type {Field, Use} from '../contract/index.js'
import {zero} from '../values/byte-codes.js'
import {type JsonNumber, type JsonRecord, toNumber} from '../values/json.js'
import {halfCharacter} from './check-bounds.js'
import {putPath} from './field-names.js'
import type {Bounds} from './hints.js'
import type {LocaleWatch} from './locale-watch.js'
import type {Locale} from './locales.js'
import type {Column} from './match-header.js'
import type {Finding} from './problem.js'
import {type EmptyCells, nullMark, readCell} from './read-cell.js'
import type {RowReport} from './row-report.js'
import {findSpreadsheetDamage, mayBeDamaged} from './spreadsheet-damage.js'

export type CellsOptions = {
  columns: readonly Column[]
  /** Number of columns that the header names. */
  width: number
  use: Use
  empty: EmptyCells
  /** Fields whose damage is sent all the same. */
  allowsDamage?: ReadonlySet<string>
  /** Spelling of numbers, times and booleans; that of the contract where no locale was named. */
  locale?: Locale | undefined
  /** Looks for the locale of a file that names none. */
  watch?: LocaleWatch | undefined
}

/** The cells of one row; `quoted` are the places (0-based) of the empty ones that are written as two quotes. */
export type Cells = {
  cells: readonly string[]
  quoted?: readonly number[]
  /** Reasons why cells have no value, by their places: in a workbook, or as a finding of who replaced values. */
  unreadable?: ReadonlyMap<number, string | Finding>
  /** Places of the cells that a workbook has as number, date or boolean. */
  native?: ReadonlySet<number>
}

/**
 * The record of one row, typed by the contract. Adds all problems to the report; undefined for an empty row. An
 * empty cell that is written as two quotes is empty text in a text field, whatever empty cells mean.
 */
export function checkCells(row: Cells, options: CellsOptions, report: RowReport): JsonRecord | undefined {
  const {cells, quoted, unreadable} = row
  if (cells[0] === '' && quoted === undefined && unreadable === undefined && cells.every((cell) => cell === '')) {
    report.found({code: 'EMPTY_ROW', message: 'an empty row; it was left out', severity: 'warning'})
    return undefined
  }

  const record: JsonRecord = {}
  if (cells.length !== options.width) reportRagged(cells.length, options.width, report)
  else for (const column of options.columns) addCell(record, row, column, options, report)
  if (unreadable) reportUnnamed(unreadable, options.width, report)
  return record
}

/** Cells of a sheet beside its table. */
function reportUnnamed(unreadable: ReadonlyMap<number, string | Finding>, width: number, report: RowReport): void {
  for (const [place, why] of unreadable) {
    if (place < width) continue
    report.atCell(place + 1)
    report.found(toFinding(why, 'NAMELESS_COLUMN'))
  }
}

function addCell(record: JsonRecord, row: Cells, column: Column, options: CellsOptions, report: RowReport): void {
  const cell = row.cells[column.position - 1] ?? ''
  const isNative = row.native?.has(column.position - 1) === true
  const value = column.place && readPlainCell(cell, column.place.field, options.locale)
  const why = row.unreadable?.get(column.position - 1)
  if (column.place?.isUnsent) putUnsent(record, cell, column)
  else if (why !== undefined) reportUnreadable(why, column, report)
  else if (value === undefined || (isNative && typeof value === 'string')) {
    const isQuoted = row.quoted?.includes(column.position - 1) === true
    addUnusualCell(record, {cell, isQuoted, isNative}, column, options, report)
  } else {
    const kind = column.place?.field.kind
    if (isNative || kind === 'boolean' || kind === 'decimal') options.watch?.plain(kind)
    putPath(record, column.path, value)
  }
}

/** A cell that is never sent causes no problem, whatever a spreadsheet made of it. */
function putUnsent(record: JsonRecord, cell: string, {path}: Column): void {
  if (cell !== '' && cell !== nullMark) putPath(record, path, cell)
}

function reportUnreadable(why: string | Finding, {position, name}: Column, report: RowReport): void {
  report.atCell(position, name || undefined)
  report.found(toFinding(why, 'UNREADABLE_CELL'))
}

function toFinding(why: string | Finding, code: Finding['code']): Finding {
  return typeof why === 'string' ? {code, message: why} : why
}

type UnusualCell = {cell: string; isQuoted: boolean; isNative: boolean}

function addUnusualCell(
  record: JsonRecord,
  unusual: UnusualCell,
  {position, kind, name, place, path, meant}: Column,
  options: CellsOptions,
  report: RowReport,
): void {
  const {cell} = unusual
  report.atCell(position, name || undefined, cell)
  if (meant) readField(unusual, meant, options, report)
  if (place) {
    const value = readField(unusual, place, options, report)
    if (value !== undefined) putPath(record, path, value)
  } else if (cell !== '') {
    if (!cell.isWellFormed()) report.found(halfCharacter(cell))
    else if (kind === 'unknown') putPath(record, path, cell)
    else report.found({code: 'NAMELESS_COLUMN', message: 'a value in a column without a name'})
  }
}

type Place = NonNullable<Column['place']>

function readField(unusual: UnusualCell, {name, field}: Place, options: CellsOptions, report: RowReport) {
  const {cell, isQuoted, isNative} = unusual
  const known = report.problems.length
  const damage = findSpreadsheetDamage(cell, name, field, isNative)
  if (damage) {
    const isAllowed = options.allowsDamage?.has(name) === true
    report.found(isAllowed ? {...damage, severity: 'warning'} : damage)
    if (!isAllowed && damage.severity !== 'warning') return undefined
  }

  const before = report.problems.length
  const isEmptyText = isQuoted && field.kind === 'text'
  const spelling = isNative ? 'native' : options.locale
  const value = readCell(cell, field, isEmptyText ? 'string' : options.empty, report, spelling)
  if (isNative) options.watch?.plain(field.kind)
  else options.watch?.look(cell.trim(), name, field, report.problems[before])
  const isMissing = (value === undefined || value === '') && report.problems.length === before
  if (isMissing && field.required?.includes(options.use)) {
    report.found({code: 'MISSING_VALUE', message: 'required, but the cell is empty'})
  } else if (isEmptyText && options.empty !== 'string') {
    report.readAs('empty text', {isUsual: true})
  }

  if (before > known && report.problems.length > before) report.problems.splice(known, 1) // the error says it
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

const safeDigits = 15
const shortDecimal = /^(?:0|[1-9]\d{0,8})\.\d\d?$/

/**
 * The value of a cell that is written in the plainest way, as almost all are; undefined for every other cell, which
 * then needs a closer look. This is the short way of `readCell`: it may refuse to answer, but never answers otherwise.
 */
export function readPlainCell(cell: string, field: Field, locale?: Locale): string | JsonNumber | boolean | undefined {
  if (field.kind === 'integer') return readShortInteger(cell, field)
  if (field.kind === 'decimal') return locale === undefined ? readShortDecimal(cell, field) : undefined
  if (field.kind === 'boolean') return cell === 'true' ? true : cell === 'false' ? false : undefined
  if (field.kind === 'choice') return field.of?.find((word) => word === cell)
  if (field.kind === 'text') return field.zone === undefined && isPlainText(cell, field.maxLength) ? cell : undefined
  return undefined
}

/** Digits without a sign and without leading zeros, few enough for a JavaScript number. */
function readShortInteger(cell: string, bounds: Bounds): number | undefined {
  const {length} = cell
  if (length === 0 || length > safeDigits || (length > 1 && cell.charCodeAt(0) === zero)) return undefined
  let value = 0
  for (let at = 0; at < length; at++) {
    const digit = cell.charCodeAt(at) - zero
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }

  return isInside(value, bounds) ? value : undefined
}

/** Digits with one or two decimals: three may be thousands, of which a locale is known. */
function readShortDecimal(cell: string, bounds: Bounds): JsonNumber | undefined {
  return shortDecimal.test(cell) && isInside(Number(cell), bounds) ? toNumber(cell) : undefined
}

function isInside(value: number, {min, above, except}: Bounds): boolean {
  if ((min !== undefined && value < min) || (above !== undefined && value <= above)) return false
  return !except?.includes(value)
}

function isPlainText(cell: string, maxLength: number | undefined): boolean {
  if (cell === '' || cell.startsWith('\\')) return false
  return (maxLength === undefined || cell.length <= maxLength) && !mayBeDamaged(cell)
}
