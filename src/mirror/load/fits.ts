import type {MirrorKind} from '../../derive/mirror/types.js'
import {toMilliseconds} from '../../values/date-time.js'
import {isNumber, type JsonValue, numberText} from '../../values/json.js'

/** A time without offset, with as many digits as any database keeps. */
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/
const integer = /^-?\d{1,19}$/
const least = -(2n ** 63n)
const most = 2n ** 63n - 1n
/** Exponents and digits beyond this are no prices, and no database need keep them. */
const longest = 400

/** Whether a column of this kind holds a value, which is not null, without loss. */
export function fits(kind: MirrorKind, value: JsonValue): boolean {
  switch (kind) {
    case 'integer':
      return isNumber(value) && isInteger(numberText(value))
    case 'decimal':
      return isNumber(value) && isShort(numberText(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'utcTime':
    case 'localTime':
      return typeof value === 'string' && time.test(value) && toMilliseconds(value) !== undefined
    case 'text':
      return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
    case 'json':
      return true
  }
}

function isInteger(text: string): boolean {
  return integer.test(text) && (text.length < 19 || (BigInt(text) >= least && BigInt(text) <= most))
}

function isShort(text: string): boolean {
  const [, exponent = '0'] = /e([+-]?\d+)$/i.exec(text) ?? []
  return text.length <= longest && Math.abs(Number(exponent)) <= longest
}
