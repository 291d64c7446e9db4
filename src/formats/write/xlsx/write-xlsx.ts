import {Buffer} from 'node:buffer'
import {nine, quote, zero} from '../../../values/byte-codes.js'
import {toLetters} from '../../../values/place.js'
import type {Column} from '../../columns.js'
import type {ByteTarget} from '../../files/atomic-file.js'
import {toCellText} from '../../flatten.js'
import {
  endMask,
  kindShift,
  nullToken,
  numberToken,
  PageOutput,
  type PageRows,
  type RowVisitor,
  type Run,
  TokenCells,
  textToken,
  toRuns,
} from '../../scan/page-renderer.js'
import type {FileTo, OpenRows, RowWriter, Sample} from '../file-writer.js'
import {toPlainMicroseconds} from '../plain-digits.js'
import {type Book, type BookOptions, maximumDigits, openBook, type RowNumber} from './xlsx-book.js'
import {
  createCellPrinter,
  emptyStyle,
  firstMoment,
  isSimple,
  styles,
  toNumberCell,
  toTextCell,
  toTimeCell,
} from './xlsx-cells.js'
import {measuredRows, toWidth} from './xlsx-parts.js'

export type XlsxOptions = BookOptions & {
  /** The first rows, by which columns get their widths. */
  sample?: Sample
}

/** The format of workbooks. */
export const xlsxRows =
  ({target, table}: FileTo): OpenRows =>
  (columns, sample) =>
    writeXlsx(target, columns, {name: table.name, sample})

/** Writes rows of a workbook. Time: linear in its cells; memory: one record printed, and a chunk of a sheet. */
export async function writeXlsx(
  target: ByteTarget,
  columns: readonly Column[],
  {sample, ...options}: XlsxOptions,
): Promise<RowWriter> {
  const texts = columns.map((): string[] => [])
  sample?.((place, value, row) => {
    if (row < measuredRows) texts[place]?.push(toCellText(value) ?? '')
  })
  const shapes = columns.map((column, place) => ({
    header: toTextCell(column.name, styles.header),
    width: toWidth(column.name, texts[place] ?? []),
    style: emptyStyle(column),
  }))
  const book = await openBook(target, shapes, options)

  return {visitor: (rows) => createXlsxVisitor(book, columns, rows), room: book.room, end: book.end, notes: book.notes}
}

/** Tokens of a record. */
type Source = {bytes: Buffer; integers: Int32Array; first: number; cells: Int32Array}

/**
 * Prints rows from tokens. The columns of a record are printed once and copied for each of its lines, with
 * another number of the row. Time: linear in the bytes of rows; memory: those of one record.
 */
export function createXlsxVisitor(book: Book, columns: readonly Column[], rows: PageRows): RowVisitor {
  const room = columns.length * cellRoom
  const printers = columns.map((column) => createTokenPrinter(column, room))
  const starts = columns.map((_, place) => Buffer.from(`<c r="${toLetters(place)}`))
  const runs = toRuns(rows)
  const heads = new PageOutput()
  const headEnds = runs.map(() => 0)
  const markEnds = runs.map(() => 0)
  /** Places of the number of the row in the heads. */
  const marks: number[] = []
  const printed: RowNumber = {bytes: new Uint8Array(maximumDigits), length: 0}
  let head: Source | undefined

  return {
    record({bytes, tokens}, first, cells) {
      head = {bytes, integers: tokens, first, cells}
      printed.length = 0
    },
    row({bytes, items}, first, cells) {
      const number = book.begin()
      const {output} = book
      if (head && printed.length !== number.length) printHead(head, number)
      output.ensure(room)
      for (let run = 0; run < runs.length; run++) {
        const {ofLine} = runs[run] as Run
        if (ofLine) printRun(output, number, {bytes, integers: items, first, cells}, run)
        else copyHead(output, number, run)
      }

      book.endRow()
    },
  }

  /** Numbers with as many digits take the same room. */
  function printHead(source: Source, number: RowNumber): void {
    heads.at = 0
    heads.ensure(room)
    marks.length = 0
    for (let run = 0; run < runs.length; run++) {
      if (!(runs[run] as Run).ofLine) printRun(heads, number, source, run, marks)
      headEnds[run] = heads.at
      markEnds[run] = marks.length
    }

    printed.bytes.set(number.bytes)
    printed.length = number.length
  }

  function printRun(output: PageOutput, number: RowNumber, source: Source, run: number, marked?: number[]): void {
    const {bytes, integers, first, cells} = source
    const {from, to, ofLine} = runs[run] as Run
    const places = ofLine ? rows.lineColumns : rows.recordColumns
    for (let cell = from; cell < to; cell++) {
      const offset = cells[cell] as number
      if (offset < 0 || (integers[first + offset + 1] as number) >>> kindShift === nullToken) continue
      const place = places[cell] as number
      put(output, starts[place] as Buffer, (starts[place] as Buffer).length)
      marked?.push(output.at)
      put(output, number.bytes, number.length)
      output.bytes[output.at++] = quote
      ;(printers[place] as TokenPrinter)(output, bytes, integers, first + offset)
    }
  }

  function copyHead(output: PageOutput, number: RowNumber, run: number): void {
    const from = run === 0 ? 0 : (headEnds[run - 1] as number)
    const moved = output.at - from
    output.ensure((headEnds[run] as number) - from + room)
    output.at += heads.bytes.copy(output.bytes, output.at, from, headEnds[run])
    let digit = 0
    while (digit < number.length && number.bytes[digit] === printed.bytes[digit]) digit++
    if (digit === number.length) return
    for (let mark = run === 0 ? 0 : (markEnds[run - 1] as number); mark < (markEnds[run] as number); mark++) {
      const at = (marks[mark] as number) + moved
      for (let changed = digit; changed < number.length; changed++)
        output.bytes[at + changed] = number.bytes[changed] as number
    }
  }
}

function put(output: PageOutput, part: Uint8Array, length: number): void {
  const {bytes, at} = output
  for (let place = 0; place < length; place++) bytes[at + place] = part[place] as number
  output.at = at + length
}

/** Most bytes of a text that is copied. */
const longestText = 128
/** Most bytes of a number that is copied: longer ones may be rounded, or shown as a power of ten. */
const longestNumber = 11
/** Room for a cell that is copied. */
export const cellRoom = 256

const [textStart, textEnd] = endsOf(toTextCell('|'))
const [numberStart, numberEnd] = endsOf(toNumberCell('|'))
const point = 0x2e
const minus = 0x2d
const space = 0x20
const simple = Uint8Array.from({length: 256}, (_, byte) => (byte < 0x80 && isSimple(String.fromCharCode(byte)) ? 1 : 0))

/** Prints the cells of one column. */
export type TokenPrinter = (output: PageOutput, bytes: Buffer, integers: Int32Array, place: number) => void

/**
 * The bytes of what `createCellPrinter` prints of values other than null. Short texts of simple letters and short numbers
 * are copied and times are counted; all else is printed from its value. The output has room for a copied cell, and `rest`
 * bytes of room when a longer one was added.
 */
export function createTokenPrinter(column: Column, rest: number): TokenPrinter {
  const print = createCellPrinter(column)
  const others = new TokenCells((value) => Buffer.from(print(value)))
  const isTime = column.kind === 'dateTime'

  return (output, bytes, integers, place) => {
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    const end = packed & endMask
    if (kind === numberToken && putNumber(output, bytes, from, end)) return
    if (kind === textToken && (isTime ? putTime(output, bytes, from, end) : putText(output, bytes, from, end))) return
    const cell = others.at(bytes, integers, place)
    output.ensure(cell.length + rest)
    output.bytes.set(cell, output.at)
    output.at += cell.length
  }
}

/** The parts around what is copied. */
function endsOf(cell: string): [Buffer, Buffer] {
  const [start = '', end = ''] = cell.split('|')
  return [Buffer.from(start), Buffer.from(end)]
}

function putNumber(output: PageOutput, bytes: Buffer, from: number, end: number): boolean {
  if (end - from > longestNumber) return false
  const {bytes: out} = output
  let at = putPart(out, output.at, numberStart)
  for (let place = from; place < end; place++) {
    const byte = bytes[place] as number
    if ((byte < zero || byte > nine) && byte !== point && byte !== minus) return false
    out[at++] = byte
  }

  output.at = putPart(out, at, numberEnd)
  return true
}

function putText(output: PageOutput, bytes: Buffer, from: number, end: number): boolean {
  if (end - from > longestText || bytes[from] === space || bytes[end - 1] === space) return false
  const {bytes: out} = output
  let at = putPart(out, output.at, textStart)
  for (let place = from; place < end; place++) {
    const byte = bytes[place] as number
    if (simple[byte] === 0 && byte !== space) return false
    out[at++] = byte
  }

  output.at = putPart(out, at, textEnd)
  return true
}

function putTime(output: PageOutput, bytes: Buffer, from: number, end: number): boolean {
  const milliseconds = toPlainMicroseconds(bytes, from, end) / 1000
  if (!Number.isInteger(milliseconds) || milliseconds < firstMoment) return false
  output.at += output.bytes.write(toTimeCell(milliseconds), output.at, 'latin1')
  return true
}

function putPart(out: Buffer, start: number, part: Buffer): number {
  for (let at = 0; at < part.length; at++) out[start + at] = part[at] as number
  return start + part.length
}
