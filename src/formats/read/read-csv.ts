import type {DialectName} from '../names.js'
import {unescapeFormula} from '../write/dialect.js'
import {type CellsRow, maximumRecordBytes} from './row.js'

export type CsvOptions = {
  file: string
  delimiter: string
  /** `excel`: the apostrophe in front of texts that were escaped as formulas is removed. */
  dialect?: DialectName | undefined
  /** An empty line is the null of a table of one column, as exports write it; otherwise it is skipped. */
  blankIsNull?: boolean | undefined
}

/** Rows of a CSV text in stretches, the header among them; rows before a place that cannot be read come first. */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const skipsBlank = createBlankTest(options.blankIsNull === true)
  for await (const stretch of readEveryLine(text, options)) {
    const rows = stretch.filter((row) => !skipsBlank(row))
    if (options.dialect === 'excel') for (const row of rows) row.cells = row.cells.map(unescapeFormula)
    if (rows.length > 0) yield rows
  }
}

/** Whether a row is a blank line to skip; the first other row tells how many columns there are. */
function createBlankTest(isNull: boolean): (row: CellsRow) => boolean {
  let columns: number | undefined
  return ({cells, quoted}) => {
    const isBlank = cells.length === 1 && cells[0] === '' && quoted === undefined
    if (!isBlank) columns ??= cells.length
    return isBlank && !(isNull && columns === 1)
  }
}

/**
 * Plain lines are split here, because csv-parse alone takes 1.6 times the time of its own loop for an import of 100,000
 * rows, and this 1.1 times; from the first other line on csv-parse reads the text.
 */
async function* readEveryLine(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const chunks = text[Symbol.asyncIterator]()
  let [rest, line, isPlain] = ['', 1, true]
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const split = splitLines(rest + next.value.toString(), line, options.delimiter)
      rest = split.rest
      isPlain = split.isPlain
      line += split.rows.length
      if (split.rows.length > 0) yield split.rows
      if (!isPlain) break
    }

    if (rest === '') return
    const {parseCsv} = await import('./parse-csv.js')
    yield* parseCsv(continueWith(rest, isPlain ? undefined : chunks), options, line)
  } finally {
    await chunks.return?.()
  }
}

async function* continueWith(rest: string, chunks: AsyncIterator<Buffer> | undefined): AsyncGenerator<Buffer> {
  yield Buffer.from(rest)
  if (!chunks) return
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

type Split = {rows: CellsRow[]; rest: string; isPlain: boolean}

/** The plain lines at the start of a text, and what follows them. */
function splitLines(text: string, firstLine: number, delimiter: string): Split {
  const rows: CellsRow[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const row = text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end)
    const cells = splitLine(row, delimiter)
    if (!cells) return {rows, rest: text.slice(start), isPlain: false}
    rows.push({kind: 'cells', line: firstLine + rows.length, size: row.length, cells})
    start = end + 1
  }

  const rest = text.slice(start)
  return {rows, rest, isPlain: rest.length <= maximumRecordBytes && !rest.slice(0, -1).includes('\r')}
}

/** The cells of a line; undefined when it holds a doubled, open or stray quote or a lone carriage return, or is huge. */
function splitLine(line: string, delimiter: string): string[] | undefined {
  if (line.length > maximumRecordBytes || line.includes('\r')) return undefined
  if (!line.includes('"')) return line.split(delimiter)
  const cells: string[] = []
  for (let start = 0; start <= line.length; ) {
    const isQuoted = line[start] === '"'
    const close = isQuoted ? line.indexOf('"', start + 1) : start
    const end = isQuoted ? close + 1 : toEnd(line.indexOf(delimiter, start), line)
    const cell = isQuoted ? line.slice(start + 1, close) : line.slice(start, end)
    const isClosed = close > start + 1 && (end === line.length || line[end] === delimiter)
    if (isQuoted ? !isClosed : cell.includes('"')) return undefined
    cells.push(cell)
    start = end + 1
  }

  return cells
}

function toEnd(at: number, line: string): number {
  return at === -1 ? line.length : at
}
