import {toUnscaled} from '../../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import {createFlatten, toCellText} from '../../flatten.js'
import {isUtcColumn, toMicroseconds} from '../../time-cell.js'

export type ParquetValue = string | boolean | bigint | Uint8Array

/** What a Parquet column holds, and how a value becomes one of its cells. */
export type ParquetType = {
  readonly kind: 'integer' | 'decimal' | 'boolean' | 'utcTime' | 'localTime' | 'text'
  /** For people: `a time`. */
  readonly words: string
  /** The cell of a value other than null; undefined when the column cannot hold it without loss. */
  toCell(value: JsonValue): ParquetValue | undefined
}

/** What every decimal column is: room for 20 digits before the point and 18 behind, the same in every file. */
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
  switch (column.kind) {
    case 'integer':
      return integer
    case 'decimal':
      return decimal
    case 'boolean':
      return boolean
    case 'dateTime':
      return isUtcColumn(column) ? utcTime : localTime
    default:
      return text
  }
}

/** The types of columns: a column in which a held value does not fit its type is text, with a notice. */
export function settleTypes(
  columns: readonly Column[],
  held: readonly JsonRecord[],
): {types: ParquetType[]; misfits: Map<number, JsonValue>} {
  const types = columns.map(parquetTypeOf)
  const misfits = new Map<number, JsonValue>()
  const flatten = createFlatten(columns)
  for (const record of held) {
    for (const [place, value] of flatten(record).entries()) {
      if (value === undefined || value === null || misfits.has(place)) continue
      if (types[place]?.toCell(value) === undefined) misfits.set(place, value)
    }
  }

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
