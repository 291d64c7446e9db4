import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  newline,
  openBrace,
  openBracket,
  quote,
} from '../../values/byte-codes.js'
import {inputFailure, refuseHuge} from './input-failure.js'

/** One element of the array, unparsed, in the parts in which it came; nothing but blanks where one is missing. */
export type Piece = {parts: Buffer[]; line: number}

/** Cuts a JSON array, chunk by chunk, at the commas between its elements. */
export class ArraySplitter {
  readonly #file: string
  #state: 'before' | 'inside' | 'after' = 'before'
  #line = 1
  #depth = 0
  #inText = false
  /** Whether a backslash was the last byte of a chunk. */
  #isEscaped = false
  #kept: Buffer[] = []
  /** Line of the first character of the element; 0 while only blanks were seen. */
  #startLine = 0
  #count = 0

  constructor(file: string) {
    this.#file = file
  }

  split(chunk: Buffer): Piece[] {
    const pieces: Piece[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inText || this.#depth > 0) at = this.#skipInside(chunk, at)
      const byte = chunk[at]
      if (byte === newline) this.#line++
      if (byte === undefined || byte <= 0x20) continue
      if (this.#state !== 'inside') {
        this.#enter(byte)
        start = at + 1
      } else if (this.#isCut(byte)) {
        const piece = this.#cut(chunk.subarray(start, at), byte)
        if (piece) pieces.push(piece)
        start = at + 1
      }
    }

    if (this.#state === 'inside') this.#keep(chunk.subarray(start))
    return pieces
  }

  end(): void {
    if (this.#state === 'after') return
    if (this.#state === 'inside') throw this.#failure('the array is never closed')
    throw inputFailure('EMPTY_FILE', 'empty: it must hold a JSON array of records', {file: this.#file})
  }

  /** Where the text or the objects end that are open here; nearly all bytes are looked at in its two loops alone. */
  #skipInside(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length && (this.#inText || this.#depth > 0)) {
      at = this.#inText ? this.#skipText(chunk, at) : this.#skipObjects(chunk, at)
    }

    return at
  }

  /** Behind the quote that ends a text, or the end of the chunk. */
  #skipText(chunk: Buffer, start: number): number {
    const {length} = chunk
    let at = this.#isEscaped ? start + 1 : start
    this.#isEscaped = false
    for (; at < length; at++) {
      const byte = chunk[at] as number
      if (byte > backslash) continue
      if (byte === newline) this.#line++
      else if (byte === quote) {
        this.#inText = false
        return at + 1
      } else if (byte === backslash) {
        at++
        this.#isEscaped = at === length
      }
    }

    return length
  }

  /** Behind the next quote, or the bracket that ends the element, or the end of the chunk. */
  #skipObjects(chunk: Buffer, start: number): number {
    const {length} = chunk
    let depth = this.#depth
    let at = start
    for (; at < length && depth > 0; at++) {
      const byte = chunk[at] as number
      if (byte === quote) {
        this.#inText = true
        at++
        break
      }
      if (byte === newline) this.#line++
      else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
    }

    this.#depth = depth
    return at
  }

  #enter(byte: number): void {
    if (this.#state === 'after') throw this.#failure('more text follows the end of the array')
    if (byte !== openBracket) throw this.#notAnArray(byte)
    this.#state = 'inside'
  }

  /** Whether the byte ends an element; keeps count of quotes and brackets. */
  #isCut(byte: number): boolean {
    const ends = this.#depth === 0 && (byte === comma || byte === closeBracket)
    if (!ends && this.#startLine === 0) this.#startLine = this.#line
    if (ends) return true
    if (byte === quote) this.#inText = true
    else if (byte === openBrace || byte === openBracket) this.#depth++
    else if (byte === closeBrace || byte === closeBracket) this.#depth--
    if (this.#depth < 0) throw this.#failure('a bracket is closed that was not opened')
    return false
  }

  #cut(rest: Buffer, byte: number): Piece | undefined {
    const isEnd = byte === closeBracket
    const isEmptyArray = isEnd && this.#startLine === 0 && this.#count === 0
    const piece = {parts: [...this.#kept, rest], line: this.#startLine || this.#line}
    if (isEnd) this.#state = 'after'
    this.#kept = []
    this.#startLine = 0
    this.#count++
    return isEmptyArray ? undefined : piece
  }

  #keep(rest: Buffer): void {
    this.#kept.push(Buffer.from(rest))
    refuseHuge(this.#kept, this.#startLine || this.#line, this.#file)
  }

  #notAnArray(byte: number) {
    if (byte !== openBrace) return this.#failure('not a JSON array of records')
    return this.#failure('a JSON object, where an array of records is needed', [
      'Write [ before the record and ] after it; for one record per line say: --input-format ndjson',
    ])
  }

  #failure(message: string, hints: string[] = []) {
    return inputFailure('NOT_JSON', message, {file: this.#file, line: this.#line}, hints)
  }
}
