import type {Buffer} from 'node:buffer'
import {survivesDouble, toUnscaled} from '../../values/decimal.js'
import {isNumber, type JsonNumber, type JsonValue, numberText} from '../../values/json.js'
import {remember} from '../../values/remember.js'
import type {Column} from '../columns.js'
import {toCellText} from '../flatten.js'
import {endMask, kindShift, nullToken, numberToken, TokenCells} from '../scan/page-renderer.js'
import {toPlainInteger} from './plain-digits.js'

/** The types of a strict table that are used here. ANY keeps what it is given. */
export type CellType = 'INTEGER' | 'TEXT' | 'ANY'

export type SqliteCell = string | number | bigint | null

const integerDigits = 19
const low = -(2n ** 63n)
const high = 2n ** 63n - 1n

export function cellTypeOf({kind}: Column): CellType {
  if (kind === 'integer' || kind === 'boolean') return 'INTEGER'
  return kind === 'decimal' || kind === 'unknown' ? 'ANY' : 'TEXT'
}

/**
 * The function that makes the cell of a value other than null; its result is undefined when a column of the type cannot
 * store the value without loss. A decimal is a number when a double is exactly it, and its digits as text when not.
 */
export function createSqliteCell(): (type: CellType, value: JsonValue) => SqliteCell | undefined {
  const toExactCell = remember((text): SqliteCell => {
    const integer = toUnscaled(text, 0, integerDigits)
    if (integer !== undefined && integer >= low && integer <= high) return integer
    return survivesDouble(text) ? Number(text) : text
  })

  return (type, value) => {
    if (type === 'TEXT') return toCellText(value)
    const cell = toAnyCell(value)
    if (type === 'ANY') return cell
    return typeof cell === 'bigint' ? toInteger(cell) : undefined
  }

  function toAnyCell(value: JsonValue): SqliteCell | undefined {
    if (typeof value === 'boolean') return value ? 1n : 0n
    return isNumber(value) ? toNumberCell(value) : toCellText(value)
  }

  function toNumberCell(value: JsonNumber): SqliteCell {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
    return toExactCell(numberText(value))
  }
}

/** A number where it is exact: faster than a bigint, and stored as the same integer. */
function toInteger(whole: bigint): SqliteCell {
  const number = Number(whole)
  return Number.isSafeInteger(number) ? number : whole
}

/** Makes the cell of a token. */
export type TokenCell = (bytes: Buffer, integers: Int32Array, place: number) => SqliteCell

/** Makes cells of tokens as `make` does of values. Whole numbers, most of which come once, are read from the bytes. */
export function createTokenCell(type: CellType, make: (value: JsonValue) => SqliteCell): TokenCell {
  const known = new TokenCells(make)
  return (bytes, integers, place) => {
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    if (kind === nullToken) return null
    if (kind === numberToken && type === 'INTEGER') {
      const whole = toPlainInteger(bytes, integers[place] as number, packed & endMask)
      if (!Number.isNaN(whole)) return whole
    }

    return known.at(bytes, integers, place)
  }
}
