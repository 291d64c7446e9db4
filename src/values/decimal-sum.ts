/** An exact sum of decimal numbers: it shows as many decimals as the number with the most of them. */
export type DecimalSum = {
  /** False, and nothing is added, for a text that is no decimal number, or one that is far out of any use. */
  add(text: string): boolean
  merge(other: DecimalSum): void
  /** Such as `15.10`; `0` before the first number. */
  readonly text: string
}

type Units = {readonly units: bigint; readonly scale: number}

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const largestExponent = 400
const longestDigits = 1_000

export function createDecimalSum(): DecimalSum {
  let total = 0n
  let places = 0
  const addUnits = ({units, scale}: Units) => {
    if (scale > places) {
      total *= 10n ** BigInt(scale - places)
      places = scale
    }

    total += scale === places ? units : units * 10n ** BigInt(places - scale)
  }

  return {
    add(text) {
      const read = readUnits(text, longestDigits)
      if (read) addUnits(read)
      return read !== undefined
    },
    merge(other) {
      const read = readUnits(other.text, Number.POSITIVE_INFINITY)
      if (read) addUnits(read)
    },
    get text() {
      return toText(total, places)
    },
  }
}

function readUnits(text: string, mostDigits: number): Units | undefined {
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
