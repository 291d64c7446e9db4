import {Parser} from 'csv-parse'
import type {DialectName} from '../names.js'
import {unescapeFormula} from '../write/dialect.js'
import {BlankLines} from './blank-lines.js'
import {toCsvFailure} from './csv-failure.js'
import {countLineEnds} from './line-ends.js'
import {QuoteMarker, quotedEmpty, quoteMark} from './quote-marks.js'
import {type CellsRow, maximumRecordBytes} from './row.js'

export type CsvOptions = {
  file: string
  delimiter: string
  dialect?: DialectName | undefined
  /** Lines without a letter are passed over unless it says otherwise. */
  blanks?: BlankLines
}

/**
 * Rows of a CSV text in stretches, read by the parser to the letter; `firstLine` is the line that the text begins on.
 * A failure at one place does not take away the rows before it.
 */
export async function* parseCsv(
  text: AsyncIterable<Buffer>,
  {file, delimiter, dialect, blanks = new BlankLines()}: CsvOptions,
  firstLine: number,
): AsyncGenerator<CellsRow[]> {
  const parser = createParser(delimiter)
  const marker = new QuoteMarker(delimiter)
  const place = {line: firstLine}
  const take = () => takeRows(parser, place, {hasMarks: marker.hasMarked, isEscaped: dialect === 'excel', blanks})
  let pendingBytes = 0
  for await (const chunk of text) {
    parser.write(marker.mark(chunk))
    const rows = take()
    if (rows.length > 0) yield rows
    pendingBytes = rows.length > 0 ? 0 : pendingBytes + chunk.length
    const isHuge = pendingBytes > maximumRecordBytes || rows.some(({size}) => size > maximumRecordBytes)
    if (isHuge || parser.errored) throw toCsvFailure(parser.errored ?? {code: 'HUGE_RECORD'}, file, place.line)
  }

  parser.write(marker.end())
  await endOf(parser)
  const rows = take()
  if (rows.length > 0) yield rows
  if (parser.errored) throw toCsvFailure(parser.errored, file, place.line)
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

type Taking = {hasMarks: boolean; isEscaped: boolean; blanks: BlankLines}

/** What the parser has whole; moves the place on to the line that the next row starts on. */
function takeRows(parser: Collector, place: {line: number}, {hasMarks, isEscaped, blanks}: Taking): CellsRow[] {
  const rows: CellsRow[] = []
  for (const cells of parser.takeRecords()) {
    const {line} = place
    place.line += 1 + cells.reduce((sum, cell) => sum + countLineEnds(cell), 0)
    const quoted = hasMarks ? takeMarks(cells) : []
    const texts = isEscaped ? cells.map(unescapeFormula) : cells
    const plain = {kind: 'cells', line, size: sizeOf(cells), cells: texts} as const
    const row = quoted.length > 0 ? {...plain, quoted} : plain
    if (!blanks.passesOver(row)) rows.push(row)
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

function endOf(parser: Collector): Promise<void> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve())
    parser.once('finish', () => resolve())
    parser.end()
  })
}
