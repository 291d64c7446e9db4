import {type Buffer, isAscii} from 'node:buffer'
import {quote} from '../../values/byte-codes.js'
import type {CellsRow} from './row.js'

/** Integers for each record: where it begins, its line feed, its line, and 1 when one of its cells is in quotes. */
export const integersPerRecord = 4

/** Where the cells of a text are; the integers are those of a scanner, which the next text fills anew. */
export type FoundCells = {
  readonly bytes: Buffer
  readonly delimiter: string
  records: Int32Array
  /** Where each cell ends, its quotes included. */
  ends: Int32Array
  /** The text as a string with a place for each byte, once it was asked for; null when it has none. */
  text?: string | null
}

/** The first record of a table: its place among the records, of its first cell among the ends, and its number. */
export type FirstRecord = {readonly record: number; readonly cell: number; readonly number: number}

/**
 * Records side by side with as many cells each, as places in the bytes of a text: rows are made of those that are asked
 * for. Valid until the next table is read.
 */
export class CellTable {
  readonly length: number
  readonly width: number
  readonly #found: FoundCells
  readonly #first: FirstRecord

  constructor(found: FoundCells, first: FirstRecord, {length, width}: {length: number; width: number}) {
    this.length = length
    this.width = width
    this.#found = found
    this.#first = first
  }

  get bytes(): Buffer {
    return this.#found.bytes
  }

  /** Where each cell ends, its quotes included; the next one of its record begins behind the delimiter. */
  get ends(): Int32Array {
    return this.#found.ends
  }

  /** The place in `ends` of the first cell of a record. */
  cellsOf(index: number): number {
    return this.#first.cell + index * this.width
  }

  startOf(index: number): number {
    return this.#integer(index, 0)
  }

  lineOf(index: number): number {
    return this.#integer(index, 2)
  }

  slice(from: number): CellTable {
    const {record, cell, number} = this.#first
    const first = {record: record + from, cell: cell + from * this.width, number: number + from}
    return new CellTable(this.#found, first, {length: this.length - from, width: this.width})
  }

  rows(): CellsRow[] {
    const {bytes} = this
    if (this.#found.text === undefined) this.#found.text = isAscii(bytes) ? bytes.toString('latin1') : null
    return Array.from({length: this.length}, (_, index) => this.row(index))
  }

  row(index: number): CellsRow {
    const {bytes} = this
    const [start, end] = [this.startOf(index), this.#integer(index, 1)]
    const text = this.#found.text?.slice(start, end) ?? bytes.toString('utf8', start, end)
    const row: CellsRow = {kind: 'cells', line: this.lineOf(index), size: text.length, cells: []}
    if (this.#first.number + index !== row.line) row.rowNumber = this.#first.number + index
    if (this.#integer(index, 3) === 1) this.#fillQuoted(row, index)
    else row.cells = (text.endsWith('\r') ? text.slice(0, -1) : text).split(this.#found.delimiter)
    return row
  }

  #fillQuoted(row: CellsRow, index: number): void {
    const {bytes, ends} = this
    const cells: string[] = []
    const quoted: number[] = []
    let start = this.startOf(index)
    for (let place = this.cellsOf(index); cells.length < this.width; place++) {
      const end = ends[place] as number
      const isQuoted = bytes[start] === quote && end > start
      const text = isQuoted ? bytes.toString('utf8', start + 1, end - 1) : bytes.toString('utf8', start, end)
      if (isQuoted && text === '') quoted.push(cells.length)
      cells.push(isQuoted ? text.replaceAll('""', '"') : text)
      start = end + 1
    }

    row.cells = cells
    if (quoted.length > 0) row.quoted = quoted
  }

  #integer(index: number, place: number): number {
    return this.#found.records[(this.#first.record + index) * integersPerRecord + place] as number
  }
}
