import type {Buffer} from 'node:buffer'
import {carriageReturn, newline, quote} from '../../values/byte-codes.js'
import {CellTable, type FirstRecord, type FoundCells, integersPerRecord} from './cell-table.js'
import {maximumRecordBytes} from './row.js'

/** Where a text begins: its line, and the number of its first record as a spreadsheet counts it. */
export type CsvPlace = {line: number; number: number}

export type ScannedCells = {
  readonly tables: readonly CellTable[]
  /** What follows the last record of the tables. */
  readonly rest: Buffer
  /** False when csv-parse has to judge what follows. */
  readonly isRegular: boolean
  /** Where `rest` begins. */
  readonly place: CsvPlace
}

/** What a byte ends; 0 is a byte within a cell. */
const [delimiterClass, lineClass, otherClass] = [1, 2, 3]
const [open, odd] = [-1, -2]
const lastAscii = 0x7f

/** Finds the cells of regular records in bytes, looking at each byte once, without strings. O(bytes), memory O(bytes). */
export class CellScanner {
  readonly #delimiter: string
  readonly #classes = new Uint8Array(256)
  #records = new Int32Array(integersPerRecord)
  #ends = new Int32Array(1)
  #cells = 0
  #lineEnds = 0
  #isQuoted = false

  constructor(delimiter: string) {
    this.#delimiter = delimiter
    this.#classes[quote] = otherClass
    this.#classes[carriageReturn] = otherClass
    this.#classes[newline] = lineClass
    this.#classes[delimiter.charCodeAt(0)] = delimiterClass
  }

  /** The regular records at the start of a text. Overwrites the tables of the text before. */
  scan(bytes: Buffer, {line, number}: CsvPlace): ScannedCells {
    const limit = this.#delimiter.charCodeAt(0) > lastAscii ? 0 : bytes.lastIndexOf(newline) + 1
    const found: FoundCells = {bytes, delimiter: this.#delimiter, records: this.#records, ends: this.#ends}
    const tables: CellTable[] = []
    let first: FirstRecord = {record: 0, cell: 0, number}
    let [records, width, start, end] = [0, 0, 0, 0]
    this.#cells = 0
    const close = () => {
      if (records > first.record) tables.push(new CellTable(found, first, {length: records - first.record, width}))
    }

    while (start < limit) {
      const cell = this.#cells
      end = this.#record(bytes, start, limit)
      if (end - start > maximumRecordBytes) end = odd
      if (end < 0) break
      if (this.#cells - cell !== width) {
        close()
        first = {record: records, cell, number}
        width = this.#cells - cell
      }

      this.#keep(records++, start, end, line)
      number++
      line += 1 + this.#lineEnds
      start = end + 1
    }

    close()
    found.records = this.#records
    found.ends = this.#ends
    const rest = bytes.subarray(start)
    return {tables, rest, isRegular: end !== odd && this.#canWait(rest), place: {line, number}}
  }

  /** Whether more text may make a regular record of an unfinished one. */
  #canWait(rest: Buffer): boolean {
    if (this.#delimiter.charCodeAt(0) > lastAscii || rest.length > maximumRecordBytes) return false
    return rest.includes(quote) || !rest.subarray(0, -1).includes(carriageReturn)
  }

  /** The line feed of the record that begins at `start`, its cells added; `open` when more text is needed, or `odd`. */
  #record(bytes: Buffer, start: number, limit: number): number {
    const classes = this.#classes
    let ends = this.#ends
    let cells = this.#cells
    let at = start
    this.#lineEnds = 0
    this.#isQuoted = false
    for (;;) {
      if (cells === ends.length) ends = this.#growEnds()
      if (bytes[at] === quote) {
        at = this.#closeOf(bytes, at + 1)
        if (at < 0 || at + 1 >= limit) return open
        at++
        this.#isQuoted = true
      } else while (classes[bytes[at] as number] === 0) at++

      ends[cells++] = at
      if (bytes[at] === carriageReturn && bytes[at + 1] === newline) at++
      const byte = classes[bytes[at] as number]
      if (byte === lineClass) {
        this.#cells = cells
        return at
      }
      if (byte !== delimiterClass) return odd
      at++
    }
  }

  /** The quote that closes a cell; -1 when it is not there. Line ends within are counted. */
  #closeOf(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        if (bytes[at + 1] !== quote) return at
        at++
      } else if (byte === newline || (byte === carriageReturn && bytes[at + 1] !== newline)) this.#lineEnds++
    }

    return -1
  }

  #growEnds(): Int32Array<ArrayBuffer> {
    this.#ends = grow(this.#ends)
    return this.#ends
  }

  #keep(record: number, start: number, end: number, line: number): void {
    const place = record * integersPerRecord
    if (place + integersPerRecord > this.#records.length) this.#records = grow(this.#records)
    this.#records[place] = start
    this.#records[place + 1] = end
    this.#records[place + 2] = line
    this.#records[place + 3] = this.#isQuoted ? 1 : 0
  }
}

function grow(integers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(integers.length * 2)
  larger.set(integers)
  return larger
}
