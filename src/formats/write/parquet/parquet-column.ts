import {Buffer} from 'node:buffer'
import type {JsonValue} from '../../../values/json.js'
import {DistinctBytes} from '../../distinct-bytes.js'
import {toCellText} from '../../flatten.js'
import {
  emptyToken,
  endMask,
  kindShift,
  nullToken,
  numberToken,
  specialToken,
  textToken,
  valueOfToken,
  wordToken,
} from '../../scan/page-renderer.js'
import {doesNotFit} from '../does-not-fit.js'
import {toPlainInteger, toPlainMicroseconds} from '../plain-digits.js'
import {decimalShape, type ParquetType, type ParquetValue} from './parquet-types.js'

export type PhysicalValues = BigInt64Array | Uint8Array[] | Int32Array
type Bound = bigint | boolean | Uint8Array

/** The code of null. */
export const none = -1

const letterZ = 0x5a

type Kind = {
  /** Kinds of tokens whose bytes stand for themselves; all others become a value first. */
  readonly plain: readonly number[]
  /** A whole number, or the microseconds of a time, read where it stands; NaN where that cannot be done. */
  read?(bytes: Buffer, from: number, end: number): number
  /** Bytes that a value takes where it stands in full; those of a text come on top. */
  readonly size: number
}

const kinds: Readonly<Record<ParquetType['kind'], Kind>> = {
  integer: {plain: [numberToken], read: toPlainInteger, size: 8},
  utcTime: {
    plain: [textToken],
    read: (bytes, from, end) => toPlainMicroseconds(bytes, from, bytes[end - 1] === letterZ ? end - 1 : end),
    size: 8,
  },
  localTime: {plain: [textToken], read: toPlainMicroseconds, size: 8},
  decimal: {plain: [numberToken], size: decimalShape.bytes},
  boolean: {plain: [wordToken], size: 1 / 8},
  text: {plain: [numberToken, wordToken, textToken, specialToken, emptyToken], size: 4},
}

/**
 * The values of a column in one group of rows: each spelling is read once and has a code; a row is a code. What can be
 * read from bytes is; all else becomes a value first, and its type has the last word.
 */
export class ParquetColumn {
  readonly name: string
  readonly type: ParquetType
  /** Of values that stand in full. */
  readonly encoding: 'PLAIN' | 'RLE'
  private readonly kind: Kind
  private readonly isPlain = new Uint8Array(8)
  private readonly isText: boolean
  private readonly codes = new DistinctBytes()
  /** By code; texts have none, because they are their bytes. */
  private cells: ParquetValue[] = []

  constructor(name: string, type: ParquetType) {
    this.name = name
    this.type = type
    this.kind = kinds[type.kind]
    this.encoding = type.kind === 'boolean' ? 'RLE' : 'PLAIN'
    this.isText = type.kind === 'text'
    for (const kind of this.kind.plain) this.isPlain[kind] = 1
  }

  /** The code of a token. Throws a `CliFailure` for a value that the column cannot hold. */
  token(bytes: Buffer, integers: Int32Array, place: number): number {
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    if (kind === nullToken) return none
    if (this.isPlain[kind] === 0) return this.value(valueOfToken(bytes, integers, place))
    const from = integers[place] as number
    const end = packed & endMask
    const code = this.codes.codeOf(bytes, from, end)
    if (!this.isText && this.cells[code] === undefined) {
      const whole = this.kind.read?.(bytes, from, end) ?? Number.NaN
      this.cells[code] = Number.isNaN(whole) ? this.toCell(valueOfToken(bytes, integers, place)) : BigInt(whole)
    }
    return code
  }

  /** Values of different spellings. */
  get count(): number {
    return this.codes.count
  }

  /** What texts take in memory. */
  get bytes(): number {
    return this.isText ? this.codes.total : 0
  }

  /** Bytes that a value takes where it stands in full. */
  size(code: number): number {
    return this.isText ? this.codes.size(code) + this.kind.size : this.kind.size
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    const {cells} = this
    switch (this.type.kind) {
      case 'text':
        return Array.from(codes, (code) => this.codes.value(code))
      case 'decimal':
        return Array.from(codes, (code) => cells[code] as Uint8Array)
      case 'boolean':
        return codes.map((code) => Number(cells[code]))
      default: {
        const values = new BigInt64Array(codes.length)
        for (let at = 0; at < codes.length; at++) values[at] = cells[codes[at] as number] as bigint
        return values
      }
    }
  }

  /** The least and the greatest value; undefined where there is none, or their bytes have another order. */
  bounds(): {min_value: Bound; max_value: Bound} | undefined {
    if (this.count === 0 || this.type.kind === 'decimal') return undefined
    let [least, greatest] = [0, 0]
    for (let code = 1; code < this.count; code++) {
      if (this.isBefore(code, least)) least = code
      else if (this.isBefore(greatest, code)) greatest = code
    }

    const boundOf = (code: number) => (this.isText ? this.codes.value(code).slice() : (this.cells[code] as Bound))
    return {min_value: boundOf(least), max_value: boundOf(greatest)}
  }

  /** Forgets everything, for the next group. */
  clear(): void {
    this.codes.clear()
    this.cells = []
  }

  private isBefore(one: number, other: number): boolean {
    if (this.isText) return this.codes.compare(one, other) < 0
    return (this.cells[one] as bigint) < (this.cells[other] as bigint)
  }

  private value(value: JsonValue): number {
    const cell = this.toCell(value)
    const bytes = Buffer.from(toCellText(value) ?? '')
    const code = this.codes.codeOf(bytes, 0, bytes.length)
    if (!this.isText) this.cells[code] = cell
    return code
  }

  private toCell(value: JsonValue): ParquetValue {
    const cell = this.type.toCell(value)
    if (cell !== undefined) return cell
    throw doesNotFit('parquet', this.name, value, `the column holds ${this.type.words}`)
  }
}
