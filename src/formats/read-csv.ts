import {type Parser, parse} from 'csv-parse'

import type {CliFailure} from '../errors.js'
import {inputFailure} from './input-failure.js'
import {type CellsRow, type Header, maximumRecordBytes} from './row.js'

export type CsvOptions = {file: string; delimiter: string; firstLine: number}

type Counter = {file: string; line: number}

/** Rows of a CSV text, the header not taken apart. Blank lines are passed over; the line is the one a row starts on. */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow> {
  const parser = createParser(options.delimiter)
  const counter = {file: options.file, line: options.firstLine}
  for await (const chunk of text) {
    parser.write(chunk)
    for (const row of takeRows(parser, counter)) yield row
    if (parser.errored) throw toFailure(parser.errored, counter)
  }

  await endOf(parser)
  for (const row of takeRows(parser, counter)) yield row
  if (parser.errored) throw toFailure(parser.errored, counter)
}

/** The header and the rows below it. Throws a `CliFailure` (invalid) when the file has no header. */
export async function readHeader(rows: AsyncGenerator<CellsRow>, file: string): Promise<Header> {
  const first = await rows.next()
  if (first.done) throw inputFailure('EMPTY_FILE', 'empty: its first line must name the columns', {file})
  return {line: first.value.line, cells: first.value.cells}
}

function createParser(delimiter: string): Parser {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maximumRecordBytes,
  })
  parser.on('error', () => {})
  return parser
}

/** What the parser has whole; a failure of the parser does not take the rows before it away. */
function takeRows(parser: Parser, counter: Counter): CellsRow[] {
  const rows: CellsRow[] = []
  for (let cells = parser.read() as string[] | null; cells !== null; cells = parser.read() as string[] | null) {
    const {line} = counter
    const isBlank = cells.length === 1 && cells[0] === ''
    counter.line += 1
    if (isBlank) continue
    let size = 0
    for (const cell of cells) {
      size += cell.length
      if (cell.includes('\n') || cell.includes('\r')) counter.line += countLineEnds(cell)
    }

    rows.push({kind: 'cells', line, size, cells})
  }

  return rows
}

function countLineEnds(cell: string): number {
  return cell.split(/\r\n|\n|\r/).length - 1
}

function endOf(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve())
    parser.once('readable', () => resolve())
    parser.once('end', () => resolve())
    parser.end()
  })
}

const words: Readonly<Record<string, {code: string; message: string; hint: string}>> = {
  CSV_QUOTE_NOT_CLOSED: {
    code: 'UNCLOSED_QUOTE',
    message: 'a quote is opened in this row and never closed; the rest of the file was not read',
    hint: 'Close the quote, and write a quote inside a quoted cell twice.',
  },
  INVALID_OPENING_QUOTE: {
    code: 'STRAY_QUOTE',
    message: 'a quote stands inside a cell that is not quoted; the rest of the file was not read',
    hint: 'Put the whole cell in quotes, and write the quote inside it twice: "5"" pipe"',
  },
  CSV_INVALID_CLOSING_QUOTE: {
    code: 'STRAY_QUOTE',
    message: 'text follows a closing quote; the rest of the file was not read',
    hint: 'Write a quote inside a quoted cell twice: "5"" pipe"',
  },
  CSV_MAX_RECORD_SIZE: {
    code: 'HUGE_RECORD',
    message: `the row is longer than ${maximumRecordBytes.toLocaleString('en')} bytes; the rest of the file was not read`,
    hint: 'Look for a quote that is opened and never closed.',
  },
}

function toFailure(error: Error, {file, line}: Counter): CliFailure {
  const {code = '', column} = error as {code?: string; column?: unknown}
  const {message, hint, ...known} = words[code] ?? {code: 'NOT_CSV', message: 'not CSV', hint: ''}
  const place = typeof column === 'number' ? {file, line, column: column + 1} : {file, line}
  return inputFailure(known.code, message, place, hint ? [hint] : [])
}
