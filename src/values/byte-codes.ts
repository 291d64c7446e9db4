import type {Buffer} from 'node:buffer'

/** The bytes that JSON and separated values are made of. */
export const newline = 0x0a
export const carriageReturn = 0x0d
export const quote = 0x22
export const comma = 0x2c
export const zero = 0x30
export const nine = 0x39
export const colon = 0x3a
export const openBracket = 0x5b
export const backslash = 0x5c
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d

/** A blank of JSON. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === carriageReturn || byte === 0x09
}

/** The place of the first byte from `start` on that is no blank. */
export function skipBlanks(bytes: Buffer, start: number): number {
  let at = start
  while (isBlank(bytes[at])) at++
  return at
}
