import {CsvError, type InfoField, type InfoRecord, type Parser, parse} from 'csv-parse'
import {carriageReturn, newline} from '../../values/byte-codes.js'

import {toCsvFailure} from './csv-failure.js'
import type {CsvOptions} from './read-csv.js'
import {type CellsRow, countLineEnds, maximumRecordBytes} from './row.js'
import type {CsvPlace} from './scan-cells.js'

/** Longest text without a line end that waits for one, so that no formula is cut in two. */
const longestCarried = maximumRecordBytes / 2

/** Rows of a CSV text by csv-parse, blank lines among them. */
export async function* parseCsv(
  text: AsyncIterable<Buffer>,
  options: Pick<CsvOptions, 'file' | 'delimiter'>,
  first: CsvPlace,
): AsyncGenerator<CellsRow[]> {
  const reader = new CsvReader(options, first)
  let carried = Buffer.alloc(0)
  for await (const chunk of text) {
    const known = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk
    const end = endOfLines(known)
    carried = Buffer.from(known.subarray(end))
    if (end > 0) yield* reader.read(known.subarray(0, end), {isEnd: false})
  }

  yield* reader.read(carried, {isEnd: true})
}

/** Where the last complete line ends. */
function endOfLines(text: Buffer): number {
  const end = Math.max(text.lastIndexOf(newline), text.lastIndexOf(carriageReturn)) + 1
  return end === 0 && text.length > longestCarried ? text.length : end
}

/** Feeds complete lines to csv-parse, and formulas such as `="00123"`, which it refuses, as quoted cells. */
class CsvReader {
  readonly #options: Pick<CsvOptions, 'file' | 'delimiter'>
  #parser: Parser
  #line: number
  /** Number of the record, blank ones too. */
  #number: number
  #rows: CellsRow[] = []
  #quoted: number[] = []
  /** The text after the last complete record. */
  #rest: Buffer = Buffer.alloc(0)
  /** What the parser had read at the end of the last complete record. */
  #read = {bytes: 0, lines: 0}

  constructor(options: Pick<CsvOptions, 'file' | 'delimiter'>, {line, number}: CsvPlace) {
    this.#options = options
    this.#line = line
    this.#number = number
    this.#parser = this.#start()
  }

  async *read(text: Buffer, {isEnd}: {isEnd: boolean}): AsyncGenerator<CellsRow[]> {
    await this.#feed(text, isEnd)
    const quoted = this.#parser.errored && quoteFormulas(this.#rest, this.#parser.errored, this.#options.delimiter)
    if (quoted) {
      this.#rest = Buffer.alloc(0)
      this.#parser = this.#start()
      await this.#feed(quoted, isEnd)
    }

    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) yield rows
    if (this.#parser.errored) throw toCsvFailure(this.#parser.errored, this.#options.file, this.#line)
  }

  #start(): Parser {
    this.#read = {bytes: 0, lines: 0}
    this.#quoted = []
    const parser = parse({
      delimiter: this.#options.delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: maximumRecordBytes,
      cast: this.#onCell,
      on_record: this.#onRecord,
    })
    return parser.on('error', () => {})
  }

  async #feed(text: Buffer, isEnd: boolean): Promise<void> {
    const {bytes} = this.#read
    const known = Buffer.concat([this.#rest, text])
    this.#parser.write(known.subarray(this.#rest.length)) // it holds on to the bytes, and `text` may be written over
    if (isEnd && !this.#parser.errored) await endOf(this.#parser)
    this.#rest = known.subarray(this.#read.bytes - bytes)
  }

  readonly #onCell = (cell: string, {quoting, index}: InfoField): string => {
    if (quoting && cell === '') this.#quoted.push(index)
    return cell
  }

  /** Keeps the record here; nothing enters the queue of the stream, so that `write` never has to wait. */
  readonly #onRecord = (cells: string[], {bytes, lines}: InfoRecord): null => {
    const row: CellsRow = {kind: 'cells', line: this.#line, size: bytes - this.#read.bytes, cells}
    if (this.#number !== this.#line) row.rowNumber = this.#number
    if (this.#quoted.length > 0) row.quoted = this.#quoted
    this.#rows.push(row)
    this.#number++
    const isOneLine = lines - this.#read.lines === 1
    this.#line += isOneLine ? 1 : 1 + cells.reduce((sum, cell) => sum + countLineEnds(cell), 0) // csv-parse counts a CRLF in quotes twice
    this.#read = {bytes, lines}
    this.#quoted = []
    return null
  }
}

function endOf(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('error', () => resolve())
    parser.once('finish', () => resolve())
    parser.end()
  })
}

/** The text with its formulas in quotes, for an error at the quote of one; undefined when there is none to quote. */
function quoteFormulas(text: Buffer, error: Error, delimiter: string): Buffer | undefined {
  if (!(error instanceof CsvError) || error.code !== 'INVALID_OPENING_QUOTE') return undefined
  const ends = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}\\r\\n`
  const quotedOrFormula = new RegExp(`"[^"]*"?|(?<![^${ends}])="([^"${ends}]*)"(?![^${ends}])`, 'g')
  const before = text.toString()
  const after = before.replace(quotedOrFormula, (part, inner?: string) =>
    inner === undefined ? part : `"=""${inner}"""`,
  )
  return after === before ? undefined : Buffer.from(after)
}
