import {millisecondsPerDay} from '../../values/date-time.js'
import {isDecimal} from '../../values/decimal.js'
import {inputFailure} from './input-failure.js'
import {type CellsRow, maximumRecordBytes} from './row.js'
import type {NumberKind, SheetPart, Workbook} from './workbook.js'
import {fromXmlText, TextCollector} from './workbook.js'
import {type Attributes, damaged, isTrue, readXml} from './workbook-parts.js'

/** Hidden parts of a sheet, as far as it was read: row numbers, and ranges of columns (1-based). */
export type Hidden = {rows: number[]; columns: [number, number][]}

const mostColumns = 16_384
const mostRows = 1_048_576
const none: ReadonlySet<number> = new Set()

/** The rows of a sheet that have a value, with as many cells as their last value needs; stretches may be empty. */
export async function* readSheet(
  workbook: Workbook,
  {path, name}: SheetPart,
  hidden: Hidden,
): AsyncGenerator<CellsRow[], void, void> {
  const {file, parts} = workbook
  const reader = new SheetReader(workbook, name, hidden)
  for await (const _stretch of readXml({parts, file, path}, reader)) yield reader.takeRows()
}

class SheetReader {
  readonly #workbook: Workbook
  readonly #sheet: string
  readonly #hidden: Hidden
  readonly #text = new TextCollector()
  #rows: CellsRow[] = []
  #line = 0
  #isHidden = false
  #nextPlace = 0
  #cells: string[] = []
  #native: number[] = []
  #unreadable = new Map<number, string>()
  #size = 0
  #cell: StoredCell | undefined
  #value: string | undefined
  #lastNative = none

  constructor(workbook: Workbook, sheet: string, hidden: Hidden) {
    this.#workbook = workbook
    this.#sheet = sheet
    this.#hidden = hidden
  }

  takeRows(): CellsRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'c') this.#startCell(attributes)
    else if (name === 'v') this.#value = ''
    else if (name === 'row') this.#startRow(attributes)
    else if (name === 'col') this.#addColumns(attributes)
    else if (this.#cell && name === 'f') this.#cell.isFormula = true
    else if (this.#cell) this.#text.open(name, attributes)
  }

  text(text: string): void {
    if (this.#value !== undefined) this.#value += text
    else if (this.#cell) this.#text.add(text)
  }

  close(name: string): void {
    if (name === 'v') {
      if (this.#cell) this.#cell.value = this.#value
      this.#value = undefined
    } else if (name === 'c') this.#endCell()
    else if (name === 'row') this.#endRow()
    else if (this.#cell) this.#text.close(name)
  }

  #addColumns({min, max, hidden}: Attributes): void {
    if (isTrue(hidden)) this.#hidden.columns.push([Number(min), Number(max)])
  }

  #startRow({r, hidden}: Attributes): void {
    const line = r === undefined ? this.#line + 1 : Number(r)
    if (!Number.isSafeInteger(line) || line <= this.#line) throw this.#wrong(`its row ${r} is below row ${this.#line}`)
    if (line > mostRows) throw this.#wrong(`it has more than ${mostRows} rows`)
    this.#line = line
    this.#isHidden = isTrue(hidden)
    this.#nextPlace = 0
  }

  #startCell({r, t = 'n', s}: Attributes): void {
    const place = r === undefined ? this.#nextPlace : this.#toPlace(r)
    if (place >= mostColumns) throw this.#wrong(`it has more than ${mostColumns} columns`)
    this.#nextPlace = place + 1
    this.#cell = {place, type: t, style: s === undefined ? 0 : Number(s), value: undefined, isFormula: false}
    this.#text.start()
  }

  /** `C16` is place 2, in row 16. */
  #toPlace(address: string): number {
    let place = 0
    let at = 0
    for (; at < address.length; at++) {
      const letter = address.charCodeAt(at) - 64
      if (letter < 1 || letter > 26) break
      place = place * 26 + letter
    }

    if (place === 0 || Number(address.slice(at)) !== this.#line)
      throw this.#wrong(`its cell ${address} is in row ${this.#line}`)
    return place - 1
  }

  #endCell(): void {
    const cell = this.#cell
    this.#cell = undefined
    if (!cell) return
    const {place} = cell
    const found = readCellText(cell, this.#text, this.#workbook)
    if (found === undefined) return
    if ('why' in found) {
      this.#put(place, '')
      this.#unreadable.set(place, found.why)
    } else {
      if (cell.type === 'n' || cell.type === 'b' || cell.type === 'd') this.#native.push(place)
      this.#put(place, found.text)
    }
  }

  #put(place: number, text: string): void {
    if (place < this.#cells.length && (this.#cells[place] !== '' || this.#unreadable.has(place)))
      throw this.#wrong(`its row ${this.#line} has a cell twice`)
    while (this.#cells.length < place) this.#cells.push('')
    this.#cells[place] = text
    this.#size += text.length
    if (this.#size > maximumRecordBytes)
      throw inputFailure('HUGE_RECORD', 'the row has more text than any record', this.#place())
  }

  #endRow(): void {
    if (this.#cells.length === 0) return
    const cells = detach(this.#cells)
    const row: CellsRow = {kind: 'cells', line: this.#line, size: this.#size + cells.length, cells}
    if (this.#native.length > 0) row.native = this.#toNative()
    if (this.#unreadable.size > 0) {
      row.unreadable = this.#unreadable
      this.#unreadable = new Map()
    }

    if (this.#isHidden) this.#hidden.rows.push(this.#line)
    this.#rows.push(row)
    this.#cells = []
    this.#native = []
    this.#size = 0
  }

  /** Places of numbers in the row; rows with the same places share one set. */
  #toNative(): ReadonlySet<number> {
    const places = this.#native
    const isSame = places.length === this.#lastNative.size && places.every((place) => this.#lastNative.has(place))
    if (!isSame) this.#lastNative = new Set(places)
    return this.#lastNative
  }

  #wrong(why: string) {
    return damaged(this.#workbook.file, `in its sheet ${this.#sheet}, ${why}`)
  }

  #place() {
    return {file: this.#workbook.file, sheet: this.#sheet, line: this.#line}
  }
}

const between = '\0'

/** The cells of a row, cut from a text of their own: pieces of the sheet would keep all of it in memory. */
function detach(cells: string[]): string[] {
  const row = cells.join(between)
  const detached = row.isWellFormed() ? Buffer.from(row).toString().split(between) : cells
  return detached.length === cells.length ? detached : cells // a cell may contain the separator
}

/** A cell as the sheet stores it. */
type StoredCell = {
  /** Column, from 0. */
  place: number
  type: string
  style: number
  value: string | undefined
  isFormula: boolean
}

const saveAgain = 'open the workbook in a spreadsheet program, and save it'
const notCalculated = `a formula without a calculated value; ${saveAgain}`
const outdated =
  'a formula that the workbook demands to calculate again; open it in a spreadsheet program, calculate it (in LibreOffice: Ctrl+Shift+F9), and save it'

/** The text that a cell shows, or why that cannot be known; undefined for an empty cell. */
function readCellText(
  {type, style, value, isFormula}: StoredCell,
  inline: TextCollector,
  {texts, kinds, is1904, isStale}: Workbook,
): CellText | undefined {
  if (type === 'e') return {why: `an error of the spreadsheet: ${value ?? ''}`}
  if (isFormula && type !== 'str' && !value) return {why: notCalculated}
  if (isFormula && isStale) return {why: outdated}
  if (type === 'inlineStr') return toText(inline.take())
  if (type === 'str') return toText(fromXmlText(value ?? ''))
  if (!value) return undefined
  if (type === 's') return toSharedText(texts[Number(value)])
  if (type === 'b') return {text: isTrue(value) ? 'true' : 'false'}
  const kind = kinds[style] ?? 'number'
  if (type === 'd') return toIsoText(value, kind)
  if (kind === 'number') return toNumberText(value)
  if (kind === 'percent') return toPercentText(value)
  return kind.startsWith('0') ? toPaddedText(value, kind) : toMomentText(value, kind, {is1904})
}

function toSharedText(text: string | undefined): CellText | undefined {
  return text === undefined ? {why: 'a text that is missing in the workbook'} : toText(text)
}

function toText(text: string): CellText | undefined {
  return text === '' ? undefined : {text}
}

/** A cell as text, or why there is none: "this cell is …". */
type CellText = {text: string} | {why: string}

/** A spreadsheet shows and keeps this many digits; what follows is the noise of its arithmetic. */
const keptDigits = 15
const plain = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/
/** The smallest number with more digits before its point than a spreadsheet keeps. */
const firstUnproven = 1e15

/**
 * A stored number with the digits that a spreadsheet shows: 0.30000000000000004 is 0.3. One that may have lost digits is
 * written as spreadsheets write it into CSV (`1.23E+15`), so that it is recognized as damage.
 */
function toNumberText(stored: string): CellText {
  if (stored.length <= keptDigits && plain.test(stored)) return {text: stored === '-0' ? '0' : stored}
  const value = isDecimal(stored) ? Number(Number(stored).toPrecision(keptDigits)) : Number.NaN
  if (!Number.isFinite(value)) return {why: `no number: ${JSON.stringify(stored.slice(0, keptDigits * 2))}`}
  if (Math.abs(value) >= firstUnproven) return {text: value.toExponential().toUpperCase()}
  return {text: spellOut(value)}
}

/** A number in digits without an exponent, also where it is tiny. */
function spellOut(value: number): string {
  const text = String(value)
  const [, sign, first, rest = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return exponent === undefined ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`
}

/** A whole number with the zeros that its format shows: 123 in the format `00000` is 00123. */
function toPaddedText(stored: string, {length}: string): CellText {
  const found = toNumberText(stored)
  return 'text' in found && /^\d+$/.test(found.text) ? {text: found.text.padStart(length, '0')} : found
}

/** A share as its format shows it: 0.125 is 12.5%, which is what a person entered. */
function toPercentText(stored: string): CellText {
  const found = toNumberText(stored)
  if ('why' in found) return found
  const percent = toNumberText(String(Number(found.text) * 100))
  return 'text' in percent ? {text: `${percent.text}%`} : percent
}

/** Day 0 of the two systems, in milliseconds since 1970. */
const dayZero = {since1900: Date.UTC(1899, 11, 30), since1904: Date.UTC(1904, 0, 1)}
/** The first of March 1900; before it programs differ by a day, because 1900 had no 29 February. */
const firstCertainDay = 61
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A stored number as its format shows it: `2024-07-30`, `2024-07-30T18:07:05.123`, `18:07:05`, `37:30:00`. */
function toMomentText(stored: string, kind: NumberKind, {is1904}: {is1904: boolean}): CellText {
  const serial = isDecimal(stored) ? Number(stored) : Number.NaN
  if (!Number.isFinite(serial)) return toNumberText(stored)
  if (kind === 'duration' || (kind === 'time' && serial >= 0 && serial < 1)) return {text: toClock(serial)}
  if (serial < (is1904 ? 0 : firstCertainDay))
    return {why: 'a date before March 1900, which spreadsheet programs count differently; enter it as text'}

  const moment = Math.round(serial * millisecondsPerDay) + (is1904 ? dayZero.since1904 : dayZero.since1900)
  if (moment > lastMoment) return {why: 'a date after the year 9999'}
  const [day = '', time = ''] = new Date(moment).toISOString().split('T')
  if (kind === 'date' && moment % millisecondsPerDay === 0) return {text: day}
  return {text: `${day}T${time.replace(/(?:\.000)?Z$/, '')}`}
}

/** Hours, which may be more than a day has, minutes and seconds. */
function toClock(days: number): string {
  const milliseconds = Math.round(Math.abs(days) * millisecondsPerDay)
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  const fraction = milliseconds % 1000
  const sign = days < 0 ? '-' : ''
  return `${sign}${clock}${fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`}`
}

/** A date that is stored as text, as strict workbooks have it. */
function toIsoText(stored: string, kind: NumberKind): CellText {
  const text = stored.trim().replace(/Z$/i, '').replace(/\.0+$/, '')
  return {text: kind === 'date' ? text.replace(/T00:00:00$/, '') : text}
}
