import type {Buffer} from 'node:buffer'
import {CsvError, type Parser, parse} from 'csv-parse'
import {parse as parseSync} from 'csv-parse/sync'
import type {CliFailure} from '../../core/errors.js'
import {quote} from '../../values/byte-codes.js'
import {thousands} from '../../values/counted.js'
import type {DialectName} from '../names.js'
import {unescapeFormula} from '../write/dialect.js'
import {type InputCode, inputFailure, type Place} from './input-failure.js'
import {type CellsRow, countLineEnds, maximumRecordBytes} from './row.js'

export type CsvOptions = {
  file: string
  delimiter: string
  /** `excel`: the apostrophe in front of texts that were escaped as formulas is removed. */
  dialect?: DialectName | undefined
  /** An empty line is the null of a table of one column, as exports write it; otherwise it is skipped. */
  blankIsNull?: boolean | undefined
  /** Place of the first record; line 1 and row 1 unless given. */
  first?: CsvPlace | undefined
}

/** The line of a record, its number as a spreadsheet counts it, and the columns of the table where they are known. */
export type CsvPlace = {line: number; number: number; columns?: number | undefined}

/**
 * Rows of a CSV text by csv-parse, the header among them. Rows before an unreadable place are yielded before it throws.
 * Time O(bytes), memory of a chunk and the longest record.
 */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const reader = new CsvReader(options)
  for await (const chunk of text) yield* reader.read(chunk)
  yield* reader.end()
}

/** Options of csv-parse for every CSV text. Quotes within cells are passed on, and checked here. */
const parserOptions = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: maximumRecordBytes,
}

/** Bytes that are parsed before their rows are passed on: more of them make garbage collection, and a check, slower. */
const bytesAtOnce = 8_192

class CsvReader {
  readonly #options: CsvOptions
  readonly #parser: Parser
  readonly #isSkipped: (row: CellsRow) => boolean
  /** Place of the next record. */
  readonly #place: CsvPlace
  /** The text of the records that are not read yet, and the place in it where the next one begins. */
  #text = ''
  #at = 0

  constructor(options: CsvOptions) {
    const {delimiter, first = {line: 1, number: 1}, blankIsNull = false} = options
    this.#options = options
    this.#place = {...first}
    this.#isSkipped = createBlankTest(blankIsNull, first.columns)
    this.#parser = parse({...parserOptions, delimiter}).on('error', () => {})
  }

  /** A chunk has complete characters. */
  *read(chunk: Buffer): Generator<CellsRow[]> {
    this.#text = this.#text.slice(this.#at) + chunk.toString()
    this.#at = 0
    for (let start = 0; start < chunk.length; start += bytesAtOnce) {
      this.#parser.write(chunk.subarray(start, start + bytesAtOnce))
      yield* this.#takeRows()
    }
  }

  *end(): Generator<CellsRow[]> {
    this.#parser.end()
    yield* this.#takeRows()
  }

  *#takeRows(): Generator<CellsRow[]> {
    const rows: CellsRow[] = []
    try {
      for (let cells = this.#next(); cells !== null; cells = this.#next()) {
        const row = this.#toRow(cells)
        if (!this.#isSkipped(row)) rows.push(row)
      }
      const {errored} = this.#parser
      if (errored) throw toCsvFailure(errored, this.#options.file, this.#place.line)
    } finally {
      if (rows.length > 0) yield rows
    }
  }

  #next(): string[] | null {
    return this.#parser.read()
  }

  /** Finds the cells of a record in the text. Throws a `CliFailure` (invalid) at quotes that CSV does not allow. */
  #toRow(cells: string[]): CellsRow {
    const {line, number} = this.#place
    const row: CellsRow & {quoted?: number[]} = {kind: 'cells', line, size: 0, cells}
    if (number !== line) row.rowNumber = number
    let at = this.#at
    for (let place = 0; place < cells.length; place++) {
      const cell = cells[place] as string
      if (this.#text.charCodeAt(at) === quote) at += this.#readQuoted(row, place, at)
      else if (cell.includes('"') && !formula.test(cell)) throw this.#failure(problems.opening, row, place)
      else at += cell.length
      at++ // the delimiter, or a line end
    }

    if (this.#text[at - 1] === '\r' && this.#text[at] === '\n') at++
    row.size = at - this.#at
    this.#at = at
    this.#place.number++
    this.#place.line++
    if (this.#options.dialect === 'excel') row.cells = cells.map(unescapeFormula)
    return row
  }

  /** The length of a cell in quotes, whose line ends are counted. */
  #readQuoted(row: CellsRow & {quoted?: number[]}, place: number, at: number): number {
    const cell = row.cells[place] as string
    const written = `"${cell.replaceAll('"', '""')}"`
    if (!this.#text.startsWith(written, at)) throw this.#failure(problems.closing, row, place)
    if (cell === '') {
      row.quoted ??= []
      row.quoted.push(place)
    }

    this.#place.line += countLineEnds(cell)
    return written.length
  }

  #failure(problem: CsvProblem, {line}: CellsRow, place: number): CliFailure {
    return toFailure(problem, {file: this.#options.file, line, column: place + 1})
  }
}

/** Whether a row is a blank line to skip; the first other row tells how many columns there are. */
function createBlankTest(isNull: boolean, columns?: number): (row: CellsRow) => boolean {
  return ({cells, quoted}) => {
    const isBlank = cells.length === 1 && cells[0] === '' && quoted === undefined
    if (!isBlank) columns ??= cells.length
    return isBlank && !(isNull && columns === 1)
  }
}

/** A value that a spreadsheet is to keep as text, such as `="00123"`. */
const formula = /^="[^"]*"$/

type CsvProblem = {code: InputCode; message: string; hint?: string}

const problems = {
  opening: {
    code: 'STRAY_QUOTE',
    message: 'a quote is inside a cell that is not quoted',
    hint: 'Put the cell in quotes, and write the quote inside it twice: "5"" pipe"',
  },
  closing: {
    code: 'STRAY_QUOTE',
    message: 'text follows a closing quote',
    hint: 'Write a quote inside a quoted cell twice: "5"" pipe"',
  },
} as const satisfies Record<string, CsvProblem>

/** The problems of a file, by the codes of the errors of csv-parse. */
const problemOfCode: Readonly<Record<string, CsvProblem>> = {
  CSV_QUOTE_NOT_CLOSED: {
    code: 'UNCLOSED_QUOTE',
    message: 'a quote is opened in this row and never closed',
    hint: 'Close the quote, and write a quote inside a quoted cell twice.',
  },
  CSV_MAX_RECORD_SIZE: {
    code: 'HUGE_RECORD',
    message: `the row is longer than ${thousands(maximumRecordBytes)} bytes`,
    hint: 'Look for a quote that is opened and never closed, or shorten the longest cell.',
  },
}

function toCsvFailure(error: Error, file: string, line: number): Error {
  if (!(error instanceof CsvError)) return error
  const {code, column} = error
  const problem = problemOfCode[code] ?? {code: 'NOT_CSV', message: 'not CSV'}
  return toFailure(problem, typeof column === 'number' ? {file, line, column: column + 1} : {file, line})
}

function toFailure({code, message, hint}: CsvProblem, place: Place): CliFailure {
  return inputFailure(code, `${message}; the rest of the file was not read`, place, hint ? [hint] : [])
}

export const foundDelimiters = [',', ';', '\t', '|']
const sampledRecords = 20

/**
 * The delimiter of a CSV file by its first records: the one that gives every record as many cells as the header, else
 * the one that gives the header most. `delimiter_auto` of csv-parse also takes letters, and fails on any but ASCII.
 */
export function sniffDelimiter(head: string): string {
  const ranked = foundDelimiters
    .map((delimiter) => ({delimiter, widths: widthsOf(head, delimiter)}))
    .map(({delimiter, widths: [count = 1, ...others]}) => ({
      delimiter,
      count,
      isSteady: others.every((other) => other === count),
    }))
    .filter(({count}) => count > 1)
    .sort((one, other) => Number(other.isSteady) - Number(one.isSteady) || other.count - one.count)

  return ranked[0]?.delimiter ?? ','
}

/** Numbers of cells of the first records, up to one that cannot be read. */
function widthsOf(head: string, delimiter: string): number[] {
  const widths: number[] = []
  const options = {delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, to: sampledRecords}
  try {
    parseSync(completeLines(head), {...options, on_record: (record: string[]) => void widths.push(record.length)})
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }

  return widths
}

function completeLines(head: string): string {
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1 || head.length)
}
