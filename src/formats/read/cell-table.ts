import type {Buffer} from 'node:buffer'
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

  rows(from = 0, to = this.length): CellsRow[] {
    if (from === to) return []
    const [first, last] = [this.startOf(from), this.#endOf(to - 1)]
    const text = this.bytes.toString('utf8', first, last)
    const isAscii = text.length === last - first
    const rows: CellsRow[] = []
    for (let index = from, at = 0; index < to; index++) {
      const end = isAscii ? this.#endOf(index) - first : this.#isQuoted(index) ? -1 : text.indexOf('\n', at)
      const row = this.#toRow(index, end < 0 ? this.#textOf(index) : text.slice(at, end))
      at += row.size + 1
      rows.push(row)
    }

    return rows
  }

  row(index: number): CellsRow {
    return this.#toRow(index, this.#textOf(index))
  }

  #textOf(index: number): string {
    return this.bytes.toString('utf8', this.startOf(index), this.#endOf(index))
  }

  #toRow(index: number, text: string): CellsRow {
    const line = this.lineOf(index)
    const row: CellsRow = {kind: 'cells', line, size: text.length, cells: []}
    if (this.#first.number + index !== line) row.rowNumber = this.#first.number + index
    if (this.#isQuoted(index)) this.#fillQuoted(row, index, text)
    else row.cells = (text.endsWith('\r') ? text.slice(0, -1) : text).split(this.#found.delimiter)
    return row
  }

  #fillQuoted(row: CellsRow, index: number, text: string): void {
    const {bytes, ends} = this
    const first = this.startOf(index)
    const isAscii = text.length === this.#endOf(index) - first
    const cells: string[] = []
    const quoted: number[] = []
    let start = first
    for (let place = this.cellsOf(index); cells.length < this.width; place++) {
      const end = ends[place] as number
      const inner = bytes[start] === quote && end > start ? 1 : 0
      const [from, to] = [start + inner, end - inner]
      const cell = isAscii ? text.slice(from - first, to - first) : bytes.toString('utf8', from, to)
      if (inner === 1 && cell === '') quoted.push(cells.length)
      cells.push(inner === 1 && cell.includes('"') ? cell.replaceAll('""', '"') : cell)
      start = end + 1
    }

    row.cells = cells
    if (quoted.length > 0) row.quoted = quoted
  }

  #endOf(index: number): number {
    return this.#integer(index, 1)
  }

  #isQuoted(index: number): boolean {
    return this.#integer(index, 3) === 1
  }

  #integer(index: number, place: number): number {
    return this.#found.records[(this.#first.record + index) * integersPerRecord + place] as number
  }
}
