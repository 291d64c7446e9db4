import {unescapeFormula} from '../write/dialect.js'
import {BlankLines} from './blank-lines.js'
import {toCsvFailure} from './csv-failure.js'
import type {CsvOptions} from './parse-csv.js'
import {type CellsRow, maximumRecordBytes} from './row.js'
import {RowSplitter} from './split-rows.js'

/**
 * Rows of a CSV text in stretches, the header among them; the line is the one a row starts on. A failure at one place does not take away the rows before it. From the first row on that is not written to the
 * letter of RFC 4180, and for a last row without a line end, the parser takes over.
 */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const {blanks = new BlankLines()} = options
  const splitter = new RowSplitter(options.delimiter, blanks)
  const chunks = text[Symbol.asyncIterator]()
  let rest = ''
  let isOdd = false
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const split = splitter.split(rest + next.value.toString())
      rest = split.rest
      isOdd = split.isOdd
      if (split.rows.length > 0) yield takeApostrophes(split.rows, options)
      if (isOdd) break
      const isHuge = rest.length > maximumRecordBytes || split.rows.some(({size}) => size > maximumRecordBytes)
      if (isHuge) throw toCsvFailure({code: 'HUGE_RECORD'}, options.file, splitter.line)
    }

    if (rest === '') return
    const {parseCsv} = await import('./parse-csv.js')
    yield* parseCsv(continueWith(rest, isOdd ? chunks : undefined), {...options, blanks}, splitter.line)
  } finally {
    await chunks.return?.()
  }
}

async function* continueWith(rest: string, chunks: AsyncIterator<Buffer> | undefined): AsyncGenerator<Buffer> {
  yield Buffer.from(rest)
  if (!chunks) return
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

function takeApostrophes(rows: CellsRow[], {dialect}: CsvOptions): CellsRow[] {
  return dialect === 'excel' ? rows.map((row) => ({...row, cells: row.cells.map(unescapeFormula)})) : rows
}
