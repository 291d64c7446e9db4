import type {DialectName} from '../names.js'
import {unescapeFormula} from '../write/dialect.js'
import {type CellsRow, countLineEnds, maximumRecordBytes} from './row.js'

export type CsvOptions = {
  file: string
  delimiter: string
  /** `excel`: the apostrophe in front of texts that were escaped as formulas is removed. */
  dialect?: DialectName | undefined
  /** An empty line is the null of a table of one column, as exports write it; otherwise it is skipped. */
  blankIsNull?: boolean | undefined
}

/** Where a text begins: its line, and the number of its first record as a spreadsheet counts it. */
export type CsvPlace = {line: number; number: number}

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
 * Regular records are split here, because csv-parse takes several times as long; from the first other one on, such as one
 * with a stray quote, csv-parse reads the text.
 */
async function* readEveryLine(text: AsyncIterable<Buffer>, options: CsvOptions): AsyncGenerator<CellsRow[]> {
  const chunks = text[Symbol.asyncIterator]()
  let [rest, isRegular] = ['', true]
  let place: CsvPlace = {line: 1, number: 1}
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const split = splitRecords(rest + next.value.toString(), place, options.delimiter)
      rest = split.rest
      isRegular = split.isRegular
      place = split.place
      if (split.rows.length > 0) yield split.rows
      if (!isRegular) break
    }

    if (rest === '') return
    const {parseCsv} = await import('./parse-csv.js')
    yield* parseCsv(continueWith(rest, isRegular ? undefined : chunks), options, place)
  } finally {
    await chunks.return?.()
  }
}

async function* continueWith(rest: string, chunks: AsyncIterator<Buffer> | undefined): AsyncGenerator<Buffer> {
  yield Buffer.from(rest)
  if (!chunks) return
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

type Split = {rows: CellsRow[]; rest: string; isRegular: boolean /** Where `rest` begins. */; place: CsvPlace}

/** The regular records at the start of a text, and what follows them. */
function splitRecords(text: string, {line, number}: CsvPlace, delimiter: string): Split {
  const rows: CellsRow[] = []
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const record = splitRecord(text, {start, end}, delimiter)
    if (record === 'open') break
    if (record === 'odd' || record.end - start > maximumRecordBytes)
      return {rows, rest: text.slice(start), isRegular: false, place: {line, number}}
    const {cells, quoted, lineEnds = 0} = record
    const row: CellsRow = {kind: 'cells', line, size: record.end - start, cells}
    if (number !== line) row.rowNumber = number
    if (quoted && quoted.length > 0) row.quoted = quoted
    rows.push(row)
    number++
    line += 1 + lineEnds
    start = record.end + 1
  }

  const rest = text.slice(start)
  const isQuoted = rest.includes('"')
  const isRegular = rest.length <= maximumRecordBytes && (isQuoted || !rest.slice(0, -1).includes('\r'))
  return {rows, rest, isRegular, place: {line, number}}
}

type Found = {
  cells: string[]
  quoted?: number[]
  /** Inside its cells. */
  lineEnds?: number
  /** Where its line feed is. */
  end: number
}
type Line = {start: number; end: number}

/** The record that begins on a line; `open` when more text is needed, `odd` when csv-parse has to judge. */
function splitRecord(text: string, {start, end}: Line, delimiter: string): Found | 'open' | 'odd' {
  const line = text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end)
  if (line.includes('"')) return splitQuoted(text, {start, end}, delimiter)
  return line.includes('\r') ? 'odd' : {cells: line.split(delimiter), end}
}

/** A record with quoted cells, which may hold delimiters, doubled quotes and line ends. */
function splitQuoted(text: string, {start, end}: Line, delimiter: string): Found | 'open' | 'odd' {
  const cells: string[] = []
  const quoted: number[] = []
  let [lineEnd, lineEnds] = [end, 0]
  for (let at = start; ; at++) {
    if (text[at] === '"') {
      const {close, isDoubled} = findClose(text, at + 1)
      if (close === -1 || close + 1 === text.length) return 'open' // a second quote may follow
      const cell = text.slice(at + 1, close)
      if (cell === '') quoted.push(cells.length)
      lineEnds += countLineEnds(cell)
      cells.push(isDoubled ? cell.replaceAll('""', '"') : cell)
      at = close + 1
      if (at > lineEnd) lineEnd = text.indexOf('\n', at)
      if (lineEnd === -1) return 'open'
      if (text[at] === '\r' && at + 1 === lineEnd) at = lineEnd
    } else {
      const next = text.indexOf(delimiter, at)
      const isLast = next === -1 || next > lineEnd
      const cell = text.slice(at, isLast ? lineEnd : next)
      const plain = isLast && cell.endsWith('\r') ? cell.slice(0, -1) : cell
      if (plain.includes('"') || plain.includes('\r')) return 'odd'
      cells.push(plain)
      at = isLast ? lineEnd : next
    }

    if (at === lineEnd) return {cells, quoted, lineEnds, end: lineEnd}
    if (text[at] !== delimiter) return 'odd'
  }
}

function findClose(text: string, from: number): {close: number; isDoubled: boolean} {
  let isDoubled = false
  let close = text.indexOf('"', from)
  while (close !== -1 && text[close + 1] === '"') {
    isDoubled = true
    close = text.indexOf('"', close + 2)
  }

  return {close, isDoubled}
}
