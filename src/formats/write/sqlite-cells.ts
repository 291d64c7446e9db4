import {survivesDouble, toUnscaled} from '../../values/decimal.js'
import {isNumber, type JsonNumber, type JsonValue, numberText} from '../../values/json.js'
import type {Column} from '../columns.js'
import {toCellText} from '../flatten.js'
import {rememberTexts} from './remember.js'

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
 * hold the value without loss. A decimal is a number when a double holds it exactly, and its digits as text when not.
 */
export function createSqliteCell(): (type: CellType, value: JsonValue) => SqliteCell | undefined {
  const toExactCell = rememberTexts((text): SqliteCell => {
    const integer = toUnscaled(text, 0, integerDigits)
    if (integer !== undefined && integer >= low && integer <= high) return integer
    return survivesDouble(text) ? Number(text) : text
  })

  return (type, value) => {
    if (type === 'TEXT') return toCellText(value)
    const cell = toAnyCell(value)
    return type === 'ANY' || typeof cell === 'bigint' ? cell : undefined
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
