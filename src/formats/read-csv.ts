import {Parser} from 'csv-parse'

import {toCsvFailure} from './csv-failure.js'
import {unescapeFormula} from './dialect.js'
import type {DialectName} from './names.js'
import {QuoteMarker, quotedEmpty, quoteMark} from './quote-marks.js'
import {type CellsRow, maximumRecordBytes} from './row.js'

export type CsvOptions = {file: string; delimiter: string; dialect?: DialectName | undefined}

/**
 * Rows of a CSV text in stretches, the header among them. Blank lines are passed over; the line is the one a row starts
 * on. A failure at one place does not take away the rows before it.
 */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const {file, delimiter, dialect} = options
  const parser = createParser(delimiter)
  const marker = new QuoteMarker(delimiter)
  const lines = new LineCounter()
  const take = () => takeRows(parser, lines, {hasMarks: marker.hasMarked, isEscaped: dialect === 'excel'})
  let pendingBytes = 0
  for await (const chunk of text) {
    lines.read(chunk)
    parser.write(marker.mark(chunk))
    const rows = take()
    if (rows.length > 0) yield rows
    pendingBytes = rows.length > 0 ? 0 : pendingBytes + chunk.length
    const isHuge = pendingBytes > maximumRecordBytes || rows.some(({size}) => size > maximumRecordBytes)
    if (isHuge || parser.errored) throw toCsvFailure(parser.errored ?? {code: 'HUGE_RECORD'}, file, lines.line)
  }

  parser.write(marker.end())
  await endOf(parser)
  const rows = take()
  if (rows.length > 0) yield rows
  if (parser.errored) throw toCsvFailure(parser.errored, file, lines.line)
}

/** Keeps its records instead of queueing them one by one as a stream would; they outlive a failure of the parser. */
class Collector extends Parser {
  #records: string[][] = []

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null)
    this.#records.push(record)
    return true
  }

  takeRecords(): string[][] {
    const taken = this.#records
    this.#records = []
    return taken
  }
}

function createParser(delimiter: string): Collector {
  const parser = new Collector({delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true})
  parser.on('error', () => {})
  return parser
}

type Taking = {hasMarks: boolean; isEscaped: boolean}

/** What the parser has whole. */
function takeRows(parser: Collector, lines: LineCounter, {hasMarks, isEscaped}: Taking): CellsRow[] {
  const all = parser.takeRecords()
  const count = lines.createCount(all.length)
  const rows: CellsRow[] = []
  for (const cells of all) {
    const line = count(cells)
    const quoted = hasMarks ? takeMarks(cells) : []
    const isBlank = cells.length === 1 && cells[0] === '' && quoted.length === 0
    if (isBlank) continue
    const texts = isEscaped ? cells.map(unescapeFormula) : cells
    const row = {kind: 'cells', line, size: sizeOf(cells), cells: texts} as const
    rows.push(quoted.length > 0 ? {...row, quoted} : row)
  }

  return rows
}

/** Puts the quotes back that were marked; gives back where the cells stand that are written as two quotes. */
function takeMarks(cells: string[]): number[] {
  const places: number[] = []
  cells.forEach((cell, place) => {
    if (!cell.includes(quoteMark)) return
    cells[place] = cell === quotedEmpty ? '' : cell.replaceAll(quoteMark, '"')
    if (cell === quotedEmpty) places.push(place)
  })
  return places
}

function sizeOf(cells: readonly string[]): number {
  let size = 0
  for (const cell of cells) size += cell.length
  return size
}

/** Knows the line that the next row starts on. */
class LineCounter {
  line = 1
  #seen = 0
  #hasReturns = false

  read(chunk: Buffer): void {
    this.#hasReturns ||= chunk.includes(carriageReturn)
    if (!this.#hasReturns) this.#seen += countByte(chunk, newline)
  }

  /** How to find the line of each of so many rows: by counting them, or by looking for line ends in their cells. */
  createCount(rows: number): (cells: readonly string[]) => number {
    const oneLineEach = !this.#hasReturns && this.line + rows === this.#seen + 1
    return (cells) => {
      const {line} = this
      this.line += oneLineEach ? 1 : 1 + countLineEnds(cells)
      return line
    }
  }
}

const newline = 0x0a
const carriageReturn = 0x0d

function countByte(chunk: Buffer, byte: number): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) count++
  return count
}

function countLineEnds(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += cell.split(/\r\n|\n|\r/).length - 1
  }

  return count
}

function endOf(parser: Collector): Promise<void> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve())
    parser.once('finish', () => resolve())
    parser.end()
  })
}
