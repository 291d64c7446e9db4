import {isNumber, type JsonValue, numberText} from '../../values/json.js'

const largest = 2n ** 63n - 1n
const smallest = -(2n ** 63n)

/** An integer as the store can look it up. One that no column can store becomes 0, which names no record. */
export function toKey(value: JsonValue | undefined): number | bigint {
  const key = findKey(value)
  if (key === undefined) return 0
  return Number.isSafeInteger(Number(key)) ? Number(key) : key
}

/** A value as an integer; undefined when it is not one, or does not fit a column. */
export function findKey(value: JsonValue | undefined): bigint | undefined {
  if (!isNumber(value) || !/^-?\d{1,19}$/.test(numberText(value))) return undefined
  const key = BigInt(numberText(value))
  return key >= smallest && key <= largest ? key : undefined
}

export function textOf(value: JsonValue | undefined): string {
  return isNumber(value) ? numberText(value) : String(value)
}
