import {zero} from '../../../values/byte-codes.js'

const point = 0x2e

/** The end of a decimal number without zeros that say nothing: `1.50` and `1.5` are one value. */
export function withoutZeros(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[end - 1] !== zero) return end
  let last = end
  while (last > from && bytes[last - 1] === zero) last--
  if (bytes[last - 1] === point) return last - 1
  for (let at = from; at < last; at++) if (bytes[at] === point) return hasExponent(bytes, at, last) ? end : last
  return end
}

function hasExponent(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (((bytes[at] as number) | 0x20) === 0x65) return true
  return false
}
