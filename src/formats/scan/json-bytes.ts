import type {Buffer} from 'node:buffer'
import {backslash, nine, quote, zero} from '../../values/byte-codes.js'
import {emptyToken, escapedToken, specialToken, textToken} from './page-tokens.js'

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine
}

/** The end of a number by the grammar of JSON; -1 when there is none. What follows it is for the caller to judge. */
export function endOfNumber(bytes: Buffer, start: number): number {
  const first = bytes[start] === 0x2d ? start + 1 : start
  let at = bytes[first] === zero ? first + 1 : endOfDigits(bytes, first)
  if (at >= 0 && bytes[at] === 0x2e) at = endOfDigits(bytes, at + 1)
  if (at < 0 || ((bytes[at] ?? 0) | 0x20) !== 0x65) return at
  const sign = bytes[at + 1]
  return endOfDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1)
}

/** The end of one or more digits; -1 when there is none. */
function endOfDigits(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at === start ? -1 : at
}

/** The end of `true`, `false` or `null`; -1 when none of them begins here. */
export function endOfWord(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x6e) return isWord(bytes, at, nullBytes) ? at + 4 : -1
  if (bytes[at] === 0x74) return isWord(bytes, at, trueBytes) ? at + 4 : -1
  return isWord(bytes, at, falseBytes) ? at + 5 : -1
}

const nullBytes = [...'null'].map((letter) => letter.charCodeAt(0))
const trueBytes = [...'true'].map((letter) => letter.charCodeAt(0))
const falseBytes = [...'false'].map((letter) => letter.charCodeAt(0))

function isWord(bytes: Buffer, start: number, word: readonly number[]): boolean {
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false
  return true
}

/**
 * The end of an escape that begins with a backslash at `at`: negative when printing the text again would write it in
 * another way (`\/`, `\u00e9`), 0 when it is none.
 */
function endOfEscape(bytes: Buffer, at: number): number {
  switch (bytes[at + 1]) {
    case quote:
    case backslash:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2
    case 0x2f:
      return -(at + 2)
    case 0x75:
      return /^[\da-f]{4}$/i.test(bytes.toString('latin1', at + 2, at + 6)) ? -(at + 6) : 0
    default:
      return 0
  }
}

/** The closing quote of a name; -1 when the name contains an escape or what no text may contain, or does not end. */
export function endOfName(bytes: Buffer, start: number): number {
  for (let at = start; ; at++) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === undefined || byte < 0x20 || byte === backslash) return -1
  }
}

/** Classes of the bytes of a text. */
const plain = 0
const special = 1
const ending = 2
const escaping = 3
const forbidden = 4

export type ScannerOptions = {
  /** Bytes inside a text that the output has to look at. */
  specialBytes?: readonly number[]
  /** Bytes that the output has to look at where a text begins with them. */
  specialStarts?: readonly number[]
}

/** Scans texts with a table of the classes of bytes: those that end a text, and those that the output must know of. */
export class TextScanner {
  /** The kind of token of the text that was scanned last. */
  kind = textToken
  /** Whether printing the texts since it was set to true would give the same bytes. */
  isCompact = true
  private readonly classes = new Uint8Array(256).fill(forbidden, 0, 0x20)
  private readonly starts = new Uint8Array(256)

  constructor({specialBytes = [], specialStarts = []}: ScannerOptions) {
    for (const byte of specialBytes) if (this.classes[byte] === plain) this.classes[byte] = special
    for (const byte of specialStarts) this.starts[byte] = 1
    this.classes[quote] = ending
    this.classes[backslash] = escaping
  }

  /** The closing quote of a text that begins at `start`; -1 when it is none by the grammar of JSON. */
  end(bytes: Buffer, start: number): number {
    const {classes} = this
    let kind = this.starts[bytes[start] as number] === 1 ? specialToken : textToken
    for (let at = start; ; ) {
      const found = classes[bytes[at] as number]
      if (found === plain) at++
      else if (found === ending) {
        this.kind = at === start ? emptyToken : kind
        return at
      } else if (found === special) {
        if (kind === textToken) kind = specialToken
        at++
      } else if (found === escaping) {
        kind = escapedToken
        const end = endOfEscape(bytes, at)
        if (end < 0) this.isCompact = false
        if (end === 0) return -1
        at = Math.abs(end)
      } else return -1
    }
  }
}
