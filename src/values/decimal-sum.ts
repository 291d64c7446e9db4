/** An exact sum of decimal numbers: it shows as many decimals as the number with the most of them. */
export type DecimalSum = {
  /** False, and nothing is added, for a text that is no decimal number, or one that is far out of any use. */
  add(text: string): boolean
  addAmount(amount: Amount): void
  merge(other: DecimalSum): void
  /** Such as `15.10`; `0` before the first number. */
  readonly text: string
}

/** A decimal number as units of 10^-scale; a `number` holds them exactly up to 15 digits. */
export type Amount = {readonly units: number | bigint; readonly scale: number}

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const largestExponent = 400
const longestDigits = 1_000
const mostSmallDigits = 15
const mostSmall = 10 ** mostSmallDigits

export function createDecimalSum(): DecimalSum {
  return new Sum()
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

  merge(other: DecimalSum): void {
    const amount = readAmount(other.text, Number.POSITIVE_INFINITY)
    if (amount) this.addAmount(amount)
  }

  get text(): string {
    this.#settle()
    return toText(this.#large, this.#places)
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

/** Undefined for a text that is no decimal number, or one that is far out of any use. */
export function readAmount(text: string, mostDigits = longestDigits): Amount | undefined {
  return readSmall(text) ?? readLarge(text, mostDigits)
}

const [zero, nine, minus, point] = [0x30, 0x39, 0x2d, 0x2e]

/** Digits with or without a point, as nearly all numbers are; undefined for any other text. */
function readSmall(text: string): Amount | undefined {
  const {length} = text
  if (length > mostSmallDigits + 2) return undefined
  const start = text.charCodeAt(0) === minus ? 1 : 0
  let [units, pointAt] = [0, 0]
  for (let place = start; place < length; place++) {
    const code = text.charCodeAt(place)
    if (code >= zero && code <= nine) units = units * 10 + (code - zero)
    else if (code === point && pointAt === 0 && place > start) pointAt = place
    else return undefined
  }

  const isShort = length - start - (pointAt === 0 ? 0 : 1) <= mostSmallDigits
  if (!isShort || length === start || pointAt === length - 1) return undefined
  return {units: start === 0 ? units : -units, scale: pointAt === 0 ? 0 : length - 1 - pointAt}
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

function toText(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
