import type {Buffer} from 'node:buffer'
import {backslash, quote} from '../../values/byte-codes.js'
import {emptyToken, endOfEscape, escapedToken, specialToken, textToken} from './page-tokens.js'

/** Classes of the bytes of a text. */
const plain = 0
const special = 1
const ending = 2
const escaping = 3
const forbidden = 4

export type ScannerOptions = {
  /** Bytes inside a text that the output has to look at. */
  specialBytes?: readonly number[]
  /** Bytes that do so only where a text begins with them. */
  specialStarts?: readonly number[]
}

/** Scans texts, one look at a table for each byte: the table knows what ends a text and what the output minds. */
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
