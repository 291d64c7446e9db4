import {isNumber, type JsonValue, numberText} from '../values/json.js'

const largest = 2n ** 63n - 1n

/** A whole number as the store can look it up. One that no column can hold becomes 0, which names no record. */
export function toKey(value: JsonValue | undefined): number | bigint {
  if (!isNumber(value)) return 0
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : 0
  const exact = /^-?\d{1,19}$/.test(numberText(value)) ? BigInt(numberText(value)) : 0n
  return exact <= largest && exact >= -largest ? exact : 0
}
