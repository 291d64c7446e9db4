import {Buffer} from 'node:buffer'
import {nine, zero} from './byte-codes.js'

/** An exact sum of decimal numbers: it shows as many decimals as the number with the most of them. */
export type DecimalSum = {
  /** False, and nothing is added, for a text that is no decimal number, or one that is far out of any use. */
  add(text: string): boolean
  addAmount(amount: Amount): void
  merge(other: Pick<DecimalSum, 'text'>): void
  /** Such as `15.10`; `0` before the first number. */
  readonly text: string
}

/** A decimal number as units of 10^-scale; a `number` has them exactly up to 15 digits. */
export type Amount = {readonly units: number | bigint; readonly scale: number}
/** An amount into which numbers are read one after the other, so that none needs an object of its own. */
export type SmallAmount = {units: number; scale: number}

const [minus, point] = [0x2d, 0x2e]
const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const largestExponent = 400
const longestDigits = 1_000
const mostSmallDigits = 15
const mostSmall = 10 ** mostSmallDigits

export function createDecimalSum(): DecimalSum {
  return new Sum()
}

/** The sums of numbers before and after changes, and the difference; a change from or to nothing counts on one side. */
export function sumChanges(changes: Iterable<readonly [before: string | undefined, after: string | undefined]>) {
  const [before, after, difference] = [createDecimalSum(), createDecimalSum(), createDecimalSum()]
  for (const [one, other] of changes) {
    if (one !== undefined) before.add(one)
    if (other !== undefined) after.add(other)
  }

  difference.merge(after)
  difference.merge({text: before.text.startsWith('-') ? before.text.slice(1) : `-${before.text}`})
  return {before: before.text, after: after.text, difference: difference.text}
}

/** Adds numbers as long as they are exact, which is several times faster, and keeps the rest as `bigint`. */
class Sum implements DecimalSum {
  #small = 0
  #large = 0n
  #places = 0

  add(text: string): boolean {
    const amount = readAmount(text)
    if (amount) this.addAmount(amount)
    return amount !== undefined
  }

  addAmount({units, scale}: Amount): void {
    if (typeof units === 'number' && scale <= this.#places) {
      const scaled = scale === this.#places ? units : units * 10 ** (this.#places - scale)
      if (Math.abs(scaled) <= mostSmall) {
        this.#small += scaled
        if (Math.abs(this.#small) > mostSmall) this.#settle()
        return
      }
    }

    this.#addLarge(BigInt(units), scale)
  }

  merge(other: Pick<DecimalSum, 'text'>): void {
    const amount = readAmount(other.text, Number.POSITIVE_INFINITY)
    if (amount) this.addAmount(amount)
  }

  get text(): string {
    this.#settle()
    return amountText(this.#large, this.#places)
  }

  #settle(): void {
    this.#large += BigInt(this.#small)
    this.#small = 0
  }

  #addLarge(units: bigint, scale: number): void {
    this.#settle()
    if (scale > this.#places) {
      this.#large *= 10n ** BigInt(scale - this.#places)
      this.#places = scale
    }

    this.#large += scale === this.#places ? units : units * 10n ** BigInt(this.#places - scale)
  }
}

/** The amount of a decimal number; undefined for any other text, or a number that is far out of any use. */
export function readAmount(text: string, mostDigits = longestDigits): Amount | undefined {
  const bytes = Buffer.from(text)
  const amount: SmallAmount = {units: 0, scale: 0}
  return readSmall(bytes, 0, bytes.length, amount) ? amount : readLarge(text, mostDigits)
}

/**
 * Reads digits with or without a point, as nearly all numbers are, into an amount; false for any other text, whose
 * amount is then anything.
 */
export function readSmall(bytes: Uint8Array, start: number, end: number, amount: SmallAmount): boolean {
  const first = bytes[start] === minus ? start + 1 : start
  if (end - first > mostSmallDigits + 1) return false
  let [units, pointAt] = [0, 0]
  for (let place = first; place < end; place++) {
    const code = bytes[place] as number
    if (code >= zero && code <= nine) units = units * 10 + (code - zero)
    else if (code === point && pointAt === 0 && place > first) pointAt = place
    else return false
  }

  const digits = end - first - (pointAt === 0 ? 0 : 1)
  if (digits > mostSmallDigits || digits <= 0 || pointAt === end - 1) return false
  amount.units = first === start ? units : -units
  amount.scale = pointAt === 0 ? 0 : end - 1 - pointAt
  return true
}

function readLarge(text: string, mostDigits: number): Amount | undefined {
  const [, sign = '', integer = '', fraction = '', power = '0'] = pattern.exec(text) ?? []
  const exponent = Number(power)
  if (integer === '' || integer.length + fraction.length > mostDigits || Math.abs(exponent) > largestExponent)
    return undefined
  const scale = fraction.length - exponent
  const units = BigInt(`${sign === '-' ? '-' : ''}${integer}${fraction}`) * 10n ** BigInt(Math.max(0, -scale))
  return {units, scale: Math.max(0, scale)}
}

/** Units of 10^-scale as a decimal number with that many decimals. */
export function amountText(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
