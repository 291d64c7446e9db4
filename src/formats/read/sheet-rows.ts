import {readCellText, type StoredCell} from './cell-text.js'
import {inputFailure} from './input-failure.js'
import {type Attributes, isTrue, readXml} from './read-xml.js'
import {type CellsRow, maximumRecordBytes} from './row.js'
import {TextCollector} from './texts.js'
import type {SheetPart, Workbook} from './workbook.js'
import {damaged} from './workbook-failure.js'

/** What a sheet hides, as far as it was read: row numbers, and ranges of columns (1-based). */
export type Hidden = {rows: number[]; columns: [number, number][]}

const mostColumns = 16_384
const mostRows = 1_048_576
const none: ReadonlySet<number> = new Set()

/** The rows of a sheet that hold a value, with as many cells as their last value needs; stretches may be empty. */
export async function* readSheet(
  workbook: Workbook,
  {path, name}: SheetPart,
  hidden: Hidden,
): AsyncGenerator<CellsRow[], void, void> {
  const {file, parts} = workbook
  const reader = new SheetReader(workbook, name, hidden)
  for await (const _stretch of readXml({parts, file, path}, reader)) {
    yield reader.takeRows()
  }
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
    if (!Number.isSafeInteger(line) || line <= this.#line)
      throw this.#wrong(`its row ${r} stands below row ${this.#line}`)
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

    if (place === 0 || Number(address.slice(at)) !== this.#line) {
      throw this.#wrong(`its cell ${address} stands in row ${this.#line}`)
    }
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
    if (place < this.#cells.length && (this.#cells[place] !== '' || this.#unreadable.has(place))) {
      throw this.#wrong(`its row ${this.#line} holds a cell twice`)
    }
    while (this.#cells.length < place) this.#cells.push('')
    this.#cells[place] = text
    this.#size += text.length
    if (this.#size > maximumRecordBytes) {
      throw inputFailure('HUGE_RECORD', 'the row holds more text than any record', this.#place())
    }
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

  /** Most rows of a sheet have their numbers in the same columns: they share one set. */
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
  return detached.length === cells.length ? detached : cells // a cell may hold the separator
}
