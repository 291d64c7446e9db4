type Decimal = {
  readonly sign: -1 | 0 | 1
  /** Significant digits without zeros at either end. */
  readonly digits: string
  /** Place of the first digit: 0.5 has 0, 5 has 1, 50 has 2. */
  readonly magnitude: bigint
}

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,30}))?$/
const zero: Decimal = {sign: 0, digits: '', magnitude: 0n}

/** Whether a text is a decimal number: `-5`, `10.10`, `1e400`; `1,5` and `0x10` are not. */
export function isDecimal(text: string): boolean {
  return pattern.test(text)
}

/** Orders two decimal numbers by value, of any size and without rounding: negative, 0 or positive. */
export function compareDecimals(one: string, other: string): number {
  if (isShort(one) && isShort(other)) return Number(one) - Number(other) || 0 // and never -0
  const left = toDecimal(one)
  const right = toDecimal(other)
  if (left.sign !== right.sign) return left.sign - right.sign
  const order = compareSizes(left, right)
  return order === 0 ? 0 : left.sign * order
}

const shortPattern = /^-?\d+(?:\.\d+)?$/

/** Whether JavaScript numbers keep the order of these digits, and are equal only for equal values. */
function isShort(text: string): boolean {
  return text.length <= 15 && shortPattern.test(text)
}

/**
 * A decimal number as a whole number of units of 10^-scale: `10.10` at scale 4 is 101000n. Undefined when digits would
 * be lost, or when it takes more than `precision` digits.
 */
export function toUnscaled(text: string, scale: number, precision: number): bigint | undefined {
  if (!isDecimal(text)) return undefined
  const {sign, digits, magnitude} = toDecimal(text)
  const places = magnitude + BigInt(scale)
  if (places > BigInt(precision) || places < BigInt(digits.length)) return undefined
  return BigInt(sign) * BigInt(digits.padEnd(Number(places), '0'))
}

/** Digits from the first to the last that is not zero: `0.0120` has 2. */
export function significantDigits(text: string): number {
  return toDecimal(text).digits.length
}

/** Whether a JavaScript number can have exactly this decimal value. */
export function survivesDouble(text: string): boolean {
  const value = Number(text)
  return Number.isFinite(value) && isDecimal(text) && compareDecimals(String(value), text) === 0
}

function compareSizes(left: Decimal, right: Decimal): number {
  if (left.magnitude !== right.magnitude) return left.magnitude < right.magnitude ? -1 : 1
  if (left.digits === right.digits) return 0
  return left.digits < right.digits ? -1 : 1
}

/** The parts of a decimal number; zero for a text that is none. */
export function toDecimal(text: string): Decimal {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = pattern.exec(text) ?? []
  const digits = (integer + fraction).replace(/^0+/, '')
  if (digits === '') return zero
  const leadingZeros = integer.length + fraction.length - digits.length
  const magnitude = BigInt(exponent) + BigInt(integer.length - leadingZeros)
  return {sign: sign === '-' ? -1 : 1, digits: withoutTrailingZeros(digits), magnitude}
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
