import {nine, zero} from '../../values/byte-codes.js'
import {isRealDate} from '../../values/date-time.js'

/** Digits that every JavaScript number keeps. */
const mostDigits = 15
const minus = 0x2d
const dash = 0x2d
const colon = 0x3a
const point = 0x2e
const bigT = 0x54
const microsecondsPerDay = 86_400_000_000

/** Whole number of at most 15 digits, read from its bytes; NaN where a parser has to read it. */
export function toPlainInteger(bytes: Uint8Array, from: number, end: number): number {
  const first = bytes[from] === minus ? from + 1 : from
  if (end - first > mostDigits) return Number.NaN
  let whole = 0
  for (let at = first; at < end; at++) {
    const byte = bytes[at] as number
    if (byte < zero || byte > nine) return Number.NaN
    whole = whole * 10 + byte - zero
  }

  return first === from ? whole : -whole
}

/**
 * Microseconds since 1970 of `2024-07-30T18:07:05.477` with 0 to 6 digits behind the point, read from its bytes, for
 * years that a JavaScript number counts exactly; NaN where a parser has to read it.
 */
export function toPlainMicroseconds(bytes: Uint8Array, from: number, end: number): number {
  const length = end - from
  if (length < 19 || length === 20 || length > 26) return Number.NaN
  const isShape =
    bytes[from + 4] === dash &&
    bytes[from + 7] === dash &&
    bytes[from + 10] === bigT &&
    bytes[from + 13] === colon &&
    bytes[from + 16] === colon &&
    (length === 19 || bytes[from + 19] === point)
  if (!isShape) return Number.NaN
  const year = pair(bytes, from) * 100 + pair(bytes, from + 2)
  const month = pair(bytes, from + 5)
  const date = pair(bytes, from + 8)
  const hours = pair(bytes, from + 11)
  const minutes = pair(bytes, from + 14)
  const seconds = pair(bytes, from + 17)
  const isTime = year >= 1700 && year < 2200 && hours <= 23 && minutes <= 59 && seconds <= 59
  if (!(isTime && isRealDate(year, month, date))) return Number.NaN
  let fraction = 0
  for (let at = from + 20; at < from + 26; at++) {
    const digit = at < end ? (bytes[at] as number) - zero : 0
    if (digit < 0 || digit > 9) return Number.NaN
    fraction = fraction * 10 + digit
  }

  return (
    daysSince1970(year, month, date) * microsecondsPerDay +
    ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 +
    fraction
  )
}

/** The number for bytes that are not digits: out of every range, also when multiplied or added to. */
const noPair = 1_000_000

/** Two digits as a number. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - zero
  const ones = (bytes[at + 1] as number) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : noPair
}

/** Years count from March, so that the leap day is the last of its year. */
function daysSince1970(year: number, month: number, date: number): number {
  const shifted = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1
  return (
    shifted * 365 +
    Math.floor(shifted / 4) -
    Math.floor(shifted / 100) +
    Math.floor(shifted / 400) +
    dayOfYear -
    719_468
  )
}
