import {Buffer} from 'node:buffer'
import {toUnscaled} from '../../../values/decimal.js'
import {isNumber, type JsonValue, numberText} from '../../../values/json.js'
import type {Column} from '../../columns.js'
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
import {isUtcColumn, toMicroseconds} from '../../time-cell.js'
import {doesNotFit} from '../does-not-fit.js'
import type {Sample} from '../file-writer.js'
import {toPlainInteger, toPlainMicroseconds} from '../plain-digits.js'

export type ParquetValue = string | boolean | bigint | Uint8Array

/** The type of a Parquet column, and the way a value becomes one of its cells. */
export type ParquetType = {
  readonly kind: 'integer' | 'decimal' | 'boolean' | 'utcTime' | 'localTime' | 'text'
  /** For people: `a time`. */
  readonly words: string
  /** The cell of a value other than null; undefined when the column cannot store it without loss. */
  toCell(value: JsonValue): ParquetValue | undefined
}

/** The shape of every decimal column: room for 20 digits before the point and 18 behind, the same in every file. */
export const decimalShape = {precision: 38, scale: 18, bytes: 16} as const

const largestInteger = {precision: 19, low: -(2n ** 63n), high: 2n ** 63n - 1n}

const text: ParquetType = {kind: 'text', words: 'text', toCell: (value) => toCellText(value)}
const integer: ParquetType = {kind: 'integer', words: 'a whole number of 64 bits', toCell: toInteger}
const decimal: ParquetType = {
  kind: 'decimal',
  words: 'a decimal number of 20 digits before the point and 18 behind',
  toCell: (value) => (isNumber(value) ? toDecimalBytes(numberText(value)) : undefined),
}
const boolean: ParquetType = {
  kind: 'boolean',
  words: 'true or false',
  toCell: (value) => (typeof value === 'boolean' ? value : undefined),
}
const utcTime: ParquetType = {
  kind: 'utcTime',
  words: 'a time in microseconds',
  toCell: (value) => toMicroseconds(value, true),
}
const localTime: ParquetType = {
  kind: 'localTime',
  words: 'a time in microseconds without offset',
  toCell: (value) => toMicroseconds(value, false),
}

/** The type of a column by the kind of its field; lists, objects and unknown fields are text. */
function parquetTypeOf(column: Column): ParquetType {
  if (column.kind === 'dateTime') return isUtcColumn(column) ? utcTime : localTime
  const types: Partial<Record<Column['kind'], ParquetType>> = {integer, decimal, boolean}
  return types[column.kind] ?? text
}

/** The types of columns: a column in which a value of the sample does not fit its type is text, with a notice. */
export function settleTypes(
  columns: readonly Column[],
  sample: Sample,
): {types: ParquetType[]; misfits: Map<number, JsonValue>} {
  const types = columns.map(parquetTypeOf)
  const misfits = new Map<number, JsonValue>()
  sample((place, value) => {
    if (!misfits.has(place) && types[place]?.toCell(value) === undefined) misfits.set(place, value)
  })
  return {types: types.map((type, place) => (misfits.has(place) ? text : type)), misfits}
}

function toInteger(value: JsonValue): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (!isNumber(value)) return undefined
  const whole = toUnscaled(numberText(value), 0, largestInteger.precision)
  return whole !== undefined && whole >= largestInteger.low && whole <= largestInteger.high ? whole : undefined
}

/** Two's complement, most significant byte first, as the format wants it. */
function toDecimalBytes(digits: string): Uint8Array | undefined {
  const {precision, scale, bytes} = decimalShape
  const unscaled = toUnscaled(digits, scale, precision)
  if (unscaled === undefined) return undefined
  const hexadecimal = BigInt.asUintN(bytes * 8, unscaled)
    .toString(16)
    .padStart(bytes * 2, '0')
  return Uint8Array.from(Buffer.from(hexadecimal, 'hex'))
}

export type PhysicalValues = BigInt64Array | Uint8Array[] | Int32Array
type Bound = bigint | boolean | Uint8Array

/** The code of null: rows without a value. */
export const none = -1

const letterZ = 0x5a

type Kind = {
  /** Kinds of tokens whose bytes are used unchanged; all others become a value first. */
  readonly plain: readonly number[]
  /** A whole number, or the microseconds of a time, read from the bytes; NaN where that cannot be done. */
  read?(bytes: Buffer, from: number, end: number): number
  /** Bytes that a value takes where it is written in full; those of a text come on top. */
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
 * The values of a column in one group of rows: each spelling is converted once and has a code; a row is a code. Plain
 * spellings are converted from their bytes, all others by way of a JSON value and the column's type.
 */
export class ParquetColumn {
  readonly name: string
  readonly type: ParquetType
  /** Encoding of values that are written in full. */
  readonly encoding: 'PLAIN' | 'RLE'
  private readonly kind: Kind
  private readonly isPlain = new Uint8Array(8)
  private readonly isText: boolean
  private readonly codes = new DistinctBytes()
  /** Cells by code; texts have none, because their bytes are the cell. */
  private cells: ParquetValue[] = []

  constructor(name: string, type: ParquetType) {
    this.name = name
    this.type = type
    this.kind = kinds[type.kind]
    this.encoding = type.kind === 'boolean' ? 'RLE' : 'PLAIN'
    this.isText = type.kind === 'text'
    for (const kind of this.kind.plain) this.isPlain[kind] = 1
  }

  /** The code of a token. Throws a `CliFailure` for a value that the column cannot store. */
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

  /** Bytes that texts take in memory. */
  get bytes(): number {
    return this.isText ? this.codes.total : 0
  }

  /** Bytes that a value takes where it is written in full. */
  size(code: number): number {
    return this.isText ? this.codes.size(code) + this.kind.size : this.kind.size
  }

  valuesOf(codes: Int32Array): PhysicalValues {
    const {cells} = this
    if (this.type.kind === 'text') return Array.from(codes, (code) => this.codes.value(code))
    if (this.type.kind === 'decimal') return Array.from(codes, (code) => cells[code] as Uint8Array)
    if (this.type.kind === 'boolean') return codes.map((code) => Number(cells[code]))
    const values = new BigInt64Array(codes.length)
    for (let at = 0; at < codes.length; at++) values[at] = cells[codes[at] as number] as bigint
    return values
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
    throw doesNotFit('parquet', this.name, value, `the column stores ${this.type.words}`)
  }
}
