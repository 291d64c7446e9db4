import {quote} from '../../../values/byte-codes.js'
import {toLetters} from '../../../values/place.js'
import type {Column} from '../../columns.js'
import {kindShift, nullToken, PageOutput, type PageRows, type RowVisitor} from '../../scan/page-renderer.js'
import {type Book, maximumDigits, type RowNumber} from './xlsx-book.js'
import {cellRoom, createTokenPrinter, type TokenPrinter} from './xlsx-token-cells.js'

/** Columns side by side that come from the same object; places among those of the record or of the line. */
type Run = {readonly ofLine: boolean; readonly places: readonly number[]; readonly from: number; to: number}

/** Tokens of a record. */
type Source = {bytes: Buffer; integers: Int32Array; first: number; cells: Int32Array}

/**
 * Prints rows straight from tokens. The columns of a record are printed once and copied for each of its lines, with
 * another number of the row. Time: linear in the bytes of rows; memory: those of one record.
 */
export function createXlsxVisitor(book: Book, columns: readonly Column[], rows: PageRows): RowVisitor {
  const room = columns.length * cellRoom
  const printers = columns.map((column) => createTokenPrinter(column, room))
  const starts = columns.map((_, place) => Buffer.from(`<c r="${toLetters(place)}`))
  const runs = toRuns(columns.length, rows)
  const heads = new PageOutput()
  const headEnds = runs.map(() => 0)
  const markEnds = runs.map(() => 0)
  /** Where in the heads the number of the row stands. */
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
    const {from, to, places} = runs[run] as Run
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
      for (let changed = digit; changed < number.length; changed++) {
        output.bytes[at + changed] = number.bytes[changed] as number
      }
    }
  }
}

function put(output: PageOutput, part: Uint8Array, length: number): void {
  const {bytes, at} = output
  for (let place = 0; place < length; place++) bytes[at + place] = part[place] as number
  output.at = at + length
}

function toRuns(columns: number, {recordColumns, lineColumns}: PageRows): Run[] {
  const runs: Run[] = []
  let [ofRecords, ofLines] = [0, 0]
  for (let place = 0; place < columns; place++) {
    const ofLine = lineColumns[ofLines] === place
    const cell = ofLine ? ofLines++ : ofRecords++
    const last = runs.at(-1)
    if (last?.ofLine === ofLine) last.to++
    else runs.push({ofLine, places: ofLine ? lineColumns : recordColumns, from: cell, to: cell + 1})
  }

  return runs
}
