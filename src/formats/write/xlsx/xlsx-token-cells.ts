import {Buffer} from 'node:buffer'
import {nine, zero} from '../../../values/byte-codes.js'
import type {Column} from '../../columns.js'
import {endMask, kindShift, numberToken, type PageOutput, TokenCells, textToken} from '../../scan/page-renderer.js'
import {toPlainMicroseconds} from '../plain-digits.js'
import {createCellPrinter, firstMoment, isSimple, toNumberCell, toTextCell, toTimeCell} from './xlsx-cells.js'

/** Most bytes of a text that is copied. */
const longestText = 128
/** Fewer digits than a number has that would be rounded, or shown as a power of ten. */
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
  let at = put(out, output.at, numberStart)
  for (let place = from; place < end; place++) {
    const byte = bytes[place] as number
    if ((byte < zero || byte > nine) && byte !== point && byte !== minus) return false
    out[at++] = byte
  }

  output.at = put(out, at, numberEnd)
  return true
}

function putText(output: PageOutput, bytes: Buffer, from: number, end: number): boolean {
  if (end - from > longestText || bytes[from] === space || bytes[end - 1] === space) return false
  const {bytes: out} = output
  let at = put(out, output.at, textStart)
  for (let place = from; place < end; place++) {
    const byte = bytes[place] as number
    if (simple[byte] === 0 && byte !== space) return false
    out[at++] = byte
  }

  output.at = put(out, at, textEnd)
  return true
}

function putTime(output: PageOutput, bytes: Buffer, from: number, end: number): boolean {
  const milliseconds = toPlainMicroseconds(bytes, from, end) / 1000
  if (!Number.isInteger(milliseconds) || milliseconds < firstMoment) return false
  output.at += output.bytes.write(toTimeCell(milliseconds), output.at, 'latin1')
  return true
}

function put(out: Buffer, start: number, part: Buffer): number {
  for (let at = 0; at < part.length; at++) out[start + at] = part[at] as number
  return start + part.length
}
