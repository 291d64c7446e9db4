import type {DialectName} from '../names.js'
import {unescapeFormula} from '../write/dialect.js'
import {CellTable} from './cell-table.js'
import {createJoin} from './join-bytes.js'
import type {CellsRow} from './row.js'
import {CellScanner, type CsvPlace} from './scan-cells.js'

export type CsvOptions = {
  file: string
  delimiter: string
  /** `excel`: the apostrophe in front of texts that were escaped as formulas is removed. */
  dialect?: DialectName | undefined
  /** An empty line is the null of a table of one column, as exports write it; otherwise it is skipped. */
  blankIsNull?: boolean | undefined
  /** The number of the first row as a spreadsheet counts it; 1 unless given. */
  firstNumber?: number | undefined
}

/** Rows of a stretch of text, as places in its bytes or ready-made. */
export type CsvPart = CellTable | readonly CellsRow[]

/** Rows of a CSV text in stretches, the header among them; rows before a place that cannot be read come first. */
export async function* readCsv(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  for await (const parts of readCsvParts(text, options)) yield toRows(parts)
}

/** The same, and rows are made only of what is asked for. */
export async function* readCsvParts(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CsvPart[]> {
  const skipsBlank = createBlankTest(options.blankIsNull === true)
  const toKept = (part: CsvPart): CsvPart => {
    if (part instanceof CellTable && part.width > 1 && options.dialect !== 'excel') {
      skipsBlank(part.row(0))
      return part
    }

    const rows = toRows([part]).filter((row) => !skipsBlank(row))
    if (options.dialect === 'excel') for (const row of rows) row.cells = row.cells.map(unescapeFormula)
    return rows
  }

  for await (const parts of readEveryLine(text, options)) {
    const kept = parts.map(toKept).filter(({length}) => length > 0)
    if (kept.length > 0) yield kept
  }
}

function toRows(parts: readonly CsvPart[]): CellsRow[] {
  return parts.flatMap((part) => (part instanceof CellTable ? part.rows() : part))
}

/** The first row on that line or below it, and what follows it in its stretch. */
export async function takeHeader(stretches: AsyncGenerator<CsvPart[]>, line: number) {
  for (let next = await stretches.next(); !next.done; next = await stretches.next()) {
    for (const [place, part] of next.value.entries()) {
      const index = findLine(part, line)
      if (index === -1) continue
      const header = 'row' in part ? part.row(index) : part[index]
      return {header, rest: [part.slice(index + 1), ...next.value.slice(place + 1)]}
    }
  }

  return {header: undefined, rest: []}
}

/** The first row of a part that begins on a line or below it; -1 when there is none. */
function findLine(part: CsvPart, line: number): number {
  if (!('lineOf' in part)) return part.findIndex((row) => row.line >= line)
  for (let index = 0; index < part.length; index++) if (part.lineOf(index) >= line) return index
  return -1
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
 * Regular records are found here, because csv-parse takes several times as long; from the first other one on, such as one
 * with a stray quote, csv-parse reads the text. Time O(bytes), memory of a chunk and the longest record.
 */
async function* readEveryLine(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CsvPart[]> {
  const scanner = new CellScanner(options.delimiter)
  const chunks = text[Symbol.asyncIterator]()
  const join = createJoin()
  let [rest, isRegular]: [Buffer, boolean] = [Buffer.alloc(0), true]
  let place: CsvPlace = {line: 1, number: options.firstNumber ?? 1}
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const split = scanner.scan(join(rest, next.value), place)
      rest = split.rest
      isRegular = split.isRegular
      place = split.place
      if (split.tables.length > 0) yield [...split.tables]
      if (!isRegular) break
    }

    if (rest.length === 0) return
    const {parseCsv} = await import('./parse-csv.js')
    for await (const rows of parseCsv(continueWith(rest, isRegular ? undefined : chunks), options, place)) yield [rows]
  } finally {
    await chunks.return?.()
  }
}

async function* continueWith(rest: Buffer, chunks: AsyncIterator<Buffer> | undefined): AsyncGenerator<Buffer> {
  yield rest
  if (!chunks) return
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}
