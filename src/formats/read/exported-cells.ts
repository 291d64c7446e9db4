import {Buffer} from 'node:buffer'
import {carriageReturn, newline, quote} from '../../values/byte-codes.js'
import {type CsvOptions, readCsv} from './read-csv.js'
import {type CellsRow, maximumRecordBytes} from './row.js'

/** Rows of a stretch of text, as places in its bytes or ready-made. */
export type CsvPart = CellTable | readonly CellsRow[]

/**
 * Cells of a file that this program exported, as places in its bytes: 200,000 lines of 44 columns take 0.5 s, with
 * csv-parse 4.6 s. From the first irregular record on, csv-parse reads the text. A stretch of the text is valid until
 * the second one after it is requested. Time O(bytes), memory of a stretch and the longest record.
 */
export async function* readExportedCells(
  text: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<CsvPart, void, void> {
  const scanner = new CellScanner(options)
  const chunks = text[Symbol.asyncIterator]()
  const join = createJoin()
  let rest: Buffer = Buffer.alloc(0)
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const scanned = scanner.scan(join(rest, next.value))
      rest = scanned.rest
      if (scanned.table.length > 0) yield scanned.table
      if (!scanned.isRegular) break
    }

    const first = {line: scanner.line, number: scanner.line, columns: scanner.columns}
    yield* readCsv(continueWith(rest, chunks), {...options, first})
  } finally {
    await chunks.return?.()
  }
}

async function* continueWith(rest: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield rest
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

/** Places of the cells of a text. The arrays belong to a scanner, which overwrites them with the next text. */
type FoundCells = {
  readonly bytes: Buffer
  /** Bytes of the delimiter. */
  readonly gap: number
  /** For each record: where it begins, its line feed, and its line. */
  readonly records: Int32Array
  /** The end of each cell, its quotes included. */
  readonly ends: Int32Array
}

const integersPerRecord = 3

/**
 * Records with as many cells each, as places in the bytes of a text: rows are made of those that are asked for. Valid
 * until the next table is read.
 */
export class CellTable {
  readonly length: number
  readonly width: number
  readonly #found: FoundCells
  /** Place of the first record among all that were found. */
  readonly #first: number

  constructor(found: FoundCells, {first, length, width}: {first: number; length: number; width: number}) {
    this.length = length
    this.width = width
    this.#found = found
    this.#first = first
  }

  get bytes(): Buffer {
    return this.#found.bytes
  }

  /** Bytes of the delimiter. */
  get gap(): number {
    return this.#found.gap
  }

  /** The end of each cell, its quotes included; the next one of its record begins behind the delimiter. */
  get ends(): Int32Array {
    return this.#found.ends
  }

  /** The place in `ends` of the first cell of a record. */
  cellsOf(index: number): number {
    return (this.#first + index) * this.width
  }

  startOf(index: number): number {
    return this.#integer(index, 0)
  }

  lineOf(index: number): number {
    return this.#integer(index, 2)
  }

  slice(from: number): CellTable {
    return new CellTable(this.#found, {first: this.#first + from, length: this.length - from, width: this.width})
  }

  /** The place behind the line feed that ends a record. */
  endOf(index: number): number {
    return this.#integer(index, 1) + 1
  }

  /** The text of a cell; undefined for an empty one without quotes, which differs from an empty text. */
  textOf(index: number, column: number): string | undefined {
    const cell = this.cellsOf(index) + column
    const start = column === 0 ? this.startOf(index) : (this.ends[cell - 1] as number) + this.gap
    const end = this.ends[cell] as number
    if (start === end) return undefined
    if (this.bytes[start] !== quote) return this.bytes.toString('utf8', start, end)
    return this.bytes.toString('utf8', start + 1, end - 1).replaceAll('""', '"')
  }

  rows(from = 0, to = this.length): CellsRow[] {
    return Array.from({length: to - from}, (_, place) => {
      const index = from + place
      const cells = Array.from({length: this.width}, (_, column) => this.textOf(index, column) ?? '')
      const size = this.endOf(index) - 1 - this.startOf(index)
      return {kind: 'cells', line: this.lineOf(index), size, cells}
    })
  }

  #integer(index: number, place: number): number {
    return this.#found.records[(this.#first + index) * integersPerRecord + place] as number
  }
}

type ScannedCells = {
  readonly table: CellTable
  /** The text behind the last record of the table. */
  readonly rest: Buffer
  /** False when csv-parse has to judge what follows. */
  readonly isRegular: boolean
}

/** Classes of bytes that may end a cell; 0 is a byte within one. */
const [delimiterClass, lineClass, otherClass] = [1, 2, 3]
const [open, irregular] = [-1, -2]

/**
 * Finds the cells of regular records in bytes, looking at each byte once, without strings. Records have as many cells
 * as the first. O(bytes), memory O(bytes).
 */
export class CellScanner {
  /** Line of the next record. */
  line = 1
  /** Columns of the first record that is no blank line. */
  columns: number | undefined
  readonly #delimiter: Buffer
  readonly #blankIsNull: boolean
  readonly #classes = new Uint8Array(256)
  #records = new Int32Array(integersPerRecord)
  #ends = new Int32Array(1)
  #cells = 0
  #lineEnds = 0

  constructor({delimiter, blankIsNull = false}: Pick<CsvOptions, 'delimiter' | 'blankIsNull'>) {
    this.#delimiter = Buffer.from(delimiter)
    this.#blankIsNull = blankIsNull
    this.#classes[quote] = otherClass
    this.#classes[carriageReturn] = otherClass
    this.#classes[newline] = lineClass
    this.#classes[this.#delimiter[0] as number] = delimiterClass
  }

  /** The regular records at the start of a text. Overwrites the table of the text before. */
  scan(bytes: Buffer): ScannedCells {
    const limit = bytes.lastIndexOf(newline) + 1
    let [length, start, end] = [0, 0, 0]
    this.#cells = 0
    while (start < limit) {
      const cell = this.#cells
      end = this.#record(bytes, start, limit)
      if (end - start > maximumRecordBytes) end = irregular
      if (end < 0) break
      if (this.#isSkipped(cell, start)) this.#cells = cell
      else if (this.#cells - cell === this.columns) this.#keep(length++, start, end)
      else {
        end = irregular
        break
      }

      this.line += 1 + this.#lineEnds
      start = end + 1
    }

    const found = {bytes, gap: this.#delimiter.length, records: this.#records, ends: this.#ends}
    const rest = bytes.subarray(start)
    return {
      table: new CellTable(found, {first: 0, length, width: this.columns ?? 0}),
      rest,
      isRegular: end !== irregular && canWait(rest),
    }
  }

  /** Whether the record that begins there is a blank line; in a table of one column it may be a null. */
  #isSkipped(cell: number, start: number): boolean {
    const width = this.#cells - cell
    const isBlank = width === 1 && this.#ends[cell] === start
    if (!isBlank) this.columns ??= width
    return isBlank && !(this.#blankIsNull && this.columns === 1)
  }

  /** The line feed of the record that begins at `start`, its cells added; `open` when more text is needed, or `irregular`. */
  #record(bytes: Buffer, start: number, limit: number): number {
    const classes = this.#classes
    const gap = this.#delimiter.length
    let ends = this.#ends
    let cells = this.#cells
    let at = start
    this.#lineEnds = 0
    for (;;) {
      if (cells === ends.length) {
        ends = grow(ends)
        this.#ends = ends
      }

      if (bytes[at] === quote) {
        at = this.#closeOf(bytes, at + 1)
        if (at < 0 || at + 1 >= limit) return open
        at++
      } else {
        while (classes[bytes[at] as number] === 0) at++
        if (gap > 1) at = this.#skipOthers(bytes, at)
      }

      ends[cells++] = at
      if (bytes[at] === carriageReturn && bytes[at + 1] === newline) at++
      const byte = classes[bytes[at] as number]
      if (byte === lineClass) {
        this.#cells = cells
        return at
      }
      if (byte !== delimiterClass || (gap > 1 && this.#isOther(bytes, at))) return irregular
      at += gap
    }
  }

  /** The end of a cell, past characters that share only their first byte with the delimiter. */
  #skipOthers(bytes: Buffer, start: number): number {
    let at = start
    while (this.#classes[bytes[at] as number] === 0 || this.#isOther(bytes, at)) at++
    return at
  }

  /** Whether a character begins with the first byte of the delimiter and is another one. */
  #isOther(bytes: Buffer, at: number): boolean {
    const begins = this.#classes[bytes[at] as number] === delimiterClass
    return begins && this.#delimiter.some((byte, place) => bytes[at + place] !== byte)
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

  #keep(record: number, start: number, end: number): void {
    const place = record * integersPerRecord
    if (place + integersPerRecord > this.#records.length) this.#records = grow(this.#records)
    this.#records[place] = start
    this.#records[place + 1] = end
    this.#records[place + 2] = this.line
  }
}

/** Whether more text may make a regular record of an unfinished one. */
function canWait(rest: Buffer): boolean {
  return rest.length <= maximumRecordBytes && (rest.includes(quote) || !rest.subarray(0, -1).includes(carriageReturn))
}

function grow(integers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(integers.length * 2)
  larger.set(integers)
  return larger
}

/**
 * Joins the rest of a stretch with the next one, in memory that the next call overwrites. Time: linear in bytes;
 * memory: twice the longest.
 */
export function createJoin(): (rest: Buffer, next: Buffer) => Buffer {
  let memory: Buffer = Buffer.alloc(0)
  return (rest, next) => {
    if (rest.length === 0) return next
    const length = rest.length + next.length
    if (length > memory.length) memory = Buffer.allocUnsafeSlow(length * 2)
    rest.copy(memory) // it may be in the same memory, further behind
    next.copy(memory, rest.length)
    return memory.subarray(0, length)
  }
}
