import {backslash, quote} from '../../values/byte-codes.js'
import type {Dialect} from '../write/dialect.js'
import type {CellWriter} from '../write/write-csv.js'
import type {PageOutput} from './page-output.js'
import * as token from './page-tokens.js'
import {endMask, kindShift} from './page-tokens.js'
import {valueOfToken} from './record-scan.js'

/** What the output looks at in texts, for the scanner. */
export function specialsOf({delimiter, escapesFormulas}: Dialect) {
  const formulaStarts = ["'", '=', '+', '-', '@', '\uff1d'].map((text) => Buffer.from(text)[0] as number)
  return {specialBytes: [delimiter.charCodeAt(0)], specialStarts: escapesFormulas ? formulaStarts : []}
}

/** Delimiters with which cells may be copied: of one byte that no number, `true` or `false` can hold. */
const copyable = /^[^\w+\-.\u0080-\uffff]$/

/** Cells are copied in words; the output needs room for one more than the cells. */
export const wordBytes = 4
/** The bytes that an escape of one letter stands for; 0 for `\u`. */
const escapes = new Uint8Array(128)
for (const [letter, text] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map((two) => [...two])) {
  escapes[(letter as string).charCodeAt(0)] = (text as string).charCodeAt(0)
}

/**
 * Writes cells from the tokens of one answer. What needs no more than quotes is copied, escapes of one letter are
 * undone; all else is decoded and handed to the reference. The output must have room: cells never take more than three
 * bytes and twice their source, and a word behind them.
 */
export class CellCopier {
  readonly delimiter: Buffer
  private readonly canCopy: boolean
  private readonly reference: CellWriter
  private readonly quotesSpecials: boolean
  /** Bytes that put a cell in quotes. */
  private readonly quoted = new Uint8Array(256)
  private body: Buffer = Buffer.alloc(0)
  private view = new DataView(this.body.buffer, 0, 0)

  constructor({delimiter, escapesFormulas}: Dialect, reference: CellWriter) {
    this.delimiter = Buffer.from(delimiter)
    this.canCopy = copyable.test(delimiter)
    this.reference = reference
    this.quotesSpecials = !escapesFormulas
    for (const text of ['"', '\r', '\n', delimiter]) this.quoted[text.charCodeAt(0)] = 1
  }

  /** The answer that tokens belong to from now on. */
  open(body: Buffer): void {
    if (body === this.body) return
    this.body = body
    this.view = new DataView(body.buffer, body.byteOffset, body.length)
  }

  separate(output: PageOutput): void {
    output.bytes.set(this.delimiter, output.at)
    output.at += this.delimiter.length
  }

  /** The cells of a row from one to another, with delimiters between them. An offset of -1 is an empty cell. */
  cells(
    output: PageOutput,
    offsets: Int32Array,
    start: number,
    stop: number,
    integers: Int32Array,
    first: number,
  ): void {
    if (!this.canCopy) {
      this.decoded(output, offsets, start, stop, integers, first)
      return
    }
    const {bytes: out, view: words} = output
    const {view} = this
    const delimiter = this.delimiter[0] as number
    /** Up to here words can be read. */
    const safe = view.byteLength - wordBytes
    let {at} = output
    for (let cell = start; cell < stop; cell++) {
      if (cell > start) out[at++] = delimiter
      const offset = offsets[cell] as number
      if (offset < 0) continue
      const packed = integers[first + offset + 1] as number
      const kind = packed >>> kindShift
      if (kind <= token.textToken) {
        const end = packed & endMask
        let from = integers[first + offset] as number
        const next = at + end - from
        if (end <= safe) {
          // What is copied beyond the end is written over by what follows.
          for (; from < end; from += wordBytes, at += wordBytes) words.setInt32(at, view.getInt32(from, true), true)
        } else for (; from < end; from++) out[at++] = view.getUint8(from)
        at = next
      } else if (kind !== token.nullToken) {
        output.at = at
        this.odd(output, integers, first + offset)
        at = output.at
      }
    }

    output.at = at
  }

  /** The same with a delimiter that a number may hold: every cell is a value first. */
  private decoded(...[output, offsets, start, stop, integers, first]: Parameters<CellCopier['cells']>): void {
    for (let cell = start; cell < stop; cell++) {
      if (cell > start) this.separate(output)
      const offset = offsets[cell] as number
      if (offset < 0) continue
      const value = valueOfToken(this.body, integers, first + offset)
      output.at += output.bytes.write(this.reference(value), output.at)
    }
  }

  private odd(output: PageOutput, integers: Int32Array, place: number): void {
    const {bytes: out} = output
    const {body} = this
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    const end = packed & endMask
    if (kind === token.emptyToken || (kind === token.specialToken && this.quotesSpecials)) {
      out[output.at++] = quote
      for (let at = from; at < end; at++) out[output.at++] = body[at] as number
      out[output.at++] = quote
      return
    }

    if (kind === token.escapedToken && this.quotesSpecials && this.unescape(output, from, end)) return
    output.at += out.write(this.reference(valueOfToken(body, integers, place)), output.at)
  }

  /** A text with escapes as a cell; false, and nothing written, when it has one that stands for a code. */
  private unescape(output: PageOutput, from: number, end: number): boolean {
    const {bytes: out} = output
    const {body, quoted} = this
    const start = output.at
    let needsQuotes = 0
    let to = start + 1
    for (let at = from; at < end; at++) {
      let byte = body[at] as number
      if (byte === backslash) {
        byte = escapes[body[++at] as number] as number
        if (byte === 0) return false
      }
      needsQuotes |= quoted[byte] as number
      if (byte === quote) out[to++] = quote
      out[to++] = byte
    }

    out[start] = quote
    out[to++] = quote
    output.at = to
    if (needsQuotes === 0) {
      out.copyWithin(start, start + 1, to - 1)
      output.at = to - 2
    }
    return true
  }
}
