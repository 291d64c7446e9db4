import type {Buffer} from 'node:buffer'
import {carriageReturn, newline, quote} from '../../values/byte-codes.js'

/** The row does not end in these bytes. */
export const open = -1
/** The row is one that csv-parse has to judge. */
const odd = -2

/**
 * Where the row of separated values that begins at `start` ends, behind its line feed: `open`, or `odd`, where it cannot
 * be told. The delimiter is a byte that is no quote. Looks at each byte once.
 */
export function endOfRow(bytes: Buffer, start: number, delimiter: number): number {
  const {length} = bytes
  for (let at = start; at < length; at++) {
    const byte = bytes[at] as number
    if (byte > quote) continue
    if (byte === newline) return at + 1
    if (byte === carriageReturn) {
      if (at + 1 === length) return open
      if (bytes[at + 1] !== newline) return odd
    } else if (byte === quote) {
      if (at > start && bytes[at - 1] !== delimiter) return odd
      at = closingQuote(bytes, at + 1)
      if (at < 0) return open
      const next = bytes[at + 1]
      if (next !== delimiter && next !== newline && next !== carriageReturn) return odd
    }
  }

  return open
}

/** The quote that ends a cell; -1 while a second quote may follow it. */
function closingQuote(bytes: Buffer, start: number): number {
  const last = bytes.length - 1
  for (let at = start; at < last; at++) {
    if (bytes[at] !== quote) continue
    if (bytes[at + 1] !== quote) return at
    at++
  }

  return -1
}
