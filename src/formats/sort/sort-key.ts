import {Buffer} from 'node:buffer'
import {compareDecimals, isDecimal, toDecimal} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import type {Column} from '../columns.js'
import {columnOf, createMatch, satisfies, toSortKeys} from '../conditions.js'
import {toCellText} from '../flatten.js'
import {valueAt} from '../record-path.js'

/** Kinds of values in their order. Descending, all but the last are inverted: null comes last in both directions. */
const numberKind = 0x10
const textKind = 0x20
const nullKind = 0xf0

/** A number beside its nearest double: below it, equal to it, above it. */
const [below, equal, above] = [0x40, 0x80, 0xc0]

/** Longest number without an exponent whose double has its order. */
const exactLength = 15
const doubleBytes = 8
const magnitudeBytes = 16
const magnitudeShift = 1n << 127n
const firstLength = 1 << 10
/** The first byte of UTF-8 that begins a character of two code units; all above it do, too. */
const firstOfTwoUnits = 0xf0

/**
 * Writes the values of the columns of `--sort` as bytes whose order is that of `compareValues`: numbers by value without
 * rounding, then texts by code unit; null and absent are last whatever the direction. No key is the start of another.
 */
export class SortKey {
  bytes: Buffer = Buffer.allocUnsafeSlow(firstLength)
  length = 0

  clear(): void {
    this.length = 0
  }

  value(value: JsonValue | undefined, descending: boolean): void {
    if (value === undefined || value === null) {
      this.#ensure(1)
      this.bytes[this.length++] = nullKind
    } else if (isNumber(value)) this.number(numberText(value), descending)
    else {
      const from = this.#begin(textKind)
      this.#units(toCellText(value) ?? '')
      this.#end(from, descending)
    }
  }

  /** A number by its digits. */
  number(text: string, descending: boolean): void {
    const from = this.#begin(numberKind)
    const digits = text.length <= exactLength || isDecimal(text) ? text : '0'
    const double = Number(digits) + 0 // there is one zero only
    this.bytes.writeDoubleBE(double, this.length)
    if (double < 0) this.#invert(this.length, this.length + doubleBytes)
    else this.bytes[this.length] = (this.bytes[this.length] as number) | 0x80
    this.length += doubleBytes
    const side = digits.length <= exactLength && !/[eE]/.test(digits) ? 0 : sideOf(digits, double)
    this.bytes[this.length++] = side === 0 ? equal : side < 0 ? below : above
    if (side !== 0) this.#digits(digits)
    this.#end(from, descending)
  }

  /** A text, in UTF-8. */
  text(source: Buffer, start: number, end: number, descending: boolean): void {
    if (!isPlain(source, start, end)) this.value(source.toString('utf8', start, end), descending)
    else {
      const from = this.#begin(textKind)
      this.#ensure(end - start + 1)
      this.length += source.copy(this.bytes, this.length, start, end)
      this.bytes[this.length++] = 0
      this.#end(from, descending)
    }
  }

  #begin(kind: number): number {
    this.#ensure(1 + doubleBytes + 1)
    this.bytes[this.length] = kind
    return this.length++
  }

  #end(from: number, descending: boolean): void {
    if (descending) this.#invert(from, this.length)
  }

  /**
   * Writes a text as UTF-8, but each half of a pair by itself, which keeps the order of code units; 0 ends it and is
   * escaped.
   */
  #units(text: string): void {
    this.#ensure(text.length * 3 + 1)
    const {bytes} = this
    let at = this.length
    for (let place = 0; place < text.length; place++) {
      const unit = text.charCodeAt(place)
      if (unit <= 1) {
        bytes[at++] = 1
        bytes[at++] = unit + 1
      } else if (unit < 0x80) bytes[at++] = unit
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6)
        bytes[at++] = 0x80 | (unit & 0x3f)
      } else {
        bytes[at++] = 0xe0 | (unit >> 12)
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[at++] = 0x80 | (unit & 0x3f)
      }
    }

    bytes[at++] = 0
    this.length = at
  }

  /** Writes all digits of a number that no double has exactly. */
  #digits(text: string): void {
    const {sign, digits, magnitude} = toDecimal(text)
    this.#ensure(magnitudeBytes + digits.length + 1)
    const from = this.length
    const shifted = (magnitude + magnitudeShift).toString(16).padStart(magnitudeBytes * 2, '0')
    this.length += this.bytes.write(shifted, this.length, 'hex')
    this.length += this.bytes.write(digits, this.length, 'latin1')
    this.bytes[this.length++] = 0
    if (sign < 0) this.#invert(from, this.length)
  }

  #invert(from: number, to: number): void {
    for (let at = from; at < to; at++) this.bytes[at] = ~(this.bytes[at] as number)
  }

  #ensure(room: number): void {
    if (this.length + room <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow((this.length + room) * 2)
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** The side of a double on which a number lies: negative below it, 0 for the same, positive above it. */
function sideOf(digits: string, double: number): number {
  if (!Number.isFinite(double)) return double
  return compareDecimals(digits, String(double))
}

/** Whether the bytes of a text have the order of its code units. */
function isPlain(source: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = source[at] as number
    if (byte <= 1 || byte >= firstOfTwoUnits) return false
  }

  return true
}

export type SelectOptions = {where: readonly string[]; sort?: string | undefined; limit?: number | undefined}

/**
 * The records that conditions and a limit let through, in order; `isCut` when the limit kept one back. For records that
 * are made here and few. Throws a `CliFailure` for a condition or order that cannot be read, or has an unknown name.
 */
export function selectRecords(
  records: readonly JsonRecord[],
  columns: readonly Column[],
  {where, sort, limit = Number.POSITIVE_INFINITY}: SelectOptions,
): {records: JsonRecord[]; isCut: boolean} {
  const keys = sort === undefined ? [] : toSortKeys(sort)
  const {conditions, names} = createMatch({where, sort: keys.map(({name}) => name)}, columns)
  for (const record of records) names?.see(record)
  names?.check()
  const by = keys.map(({name, descending}) => ({path: columnOf(name, columns).path, descending}))
  const key = new SortKey()
  const kept = records.filter((record) => satisfies(record, conditions))
  const found = kept.map((record) => {
    key.clear()
    for (const {path, descending} of by) key.value(valueAt(record, path), descending)
    return {record, key: Buffer.from(key.bytes.subarray(0, key.length))}
  })
  found.sort((one, other) => one.key.compare(other.key))
  return {records: found.slice(0, limit).map(({record}) => record), isCut: found.length > limit}
}
