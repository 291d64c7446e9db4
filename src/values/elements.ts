import {isUtf8} from 'node:buffer'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isBlank,
  newline,
  openBrace,
  openBracket,
  quote,
  skipBlanks,
} from './byte-codes.js'
import {JsonProblem, type JsonValue, maximumDepth, parseJson} from './json.js'

/** The elements of a JSON array that was proven complete, still unparsed. */
export type Elements = {
  readonly count: number
  /** The array itself; empty once it was released. */
  readonly bytes: Buffer
  /** Whether every element begins as an object does. */
  readonly allObjects: boolean
  /** One element, parsed without loss of digits. Throws `JsonProblem` when it is not JSON inside. */
  parse(index: number): JsonValue
  /** Lets go of the bytes, which may be written over then; nothing can be parsed from then on. */
  release(): void
}

/** Elements with the places where each begins and ends, in bytes, one after the other. */
export type SplitElements = Elements & {readonly bounds: readonly number[]}

const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * Cuts the top-level JSON array of an answer into its elements, so that they can be parsed one by one. Before it
 * returns it has proven that the bytes are UTF-8, that the array is closed, that nothing but blanks follows it, and
 * that no element is missing or nested too deeply. A byte order mark may lead. Throws `JsonProblem` otherwise.
 */
export function splitElements(bytes: Buffer): SplitElements {
  if (!isUtf8(bytes)) throw new JsonProblem('not UTF-8')
  const bounds = findBounds(bytes)
  let kept = bytes
  return {
    count: bounds.length / 2,
    bounds,
    get bytes() {
      return kept
    },
    allObjects: everyElementIsObject(bytes, bounds),
    parse(index) {
      const [start, end] = bounds.slice(index * 2, index * 2 + 2)
      if (start === undefined || end === undefined || end > kept.length) throw new RangeError(`no element ${index}`)
      return parseJson(kept.toString('utf8', start, end))
    },
    release() {
      kept = nothing
    },
  }
}

const nothing = Buffer.alloc(0)

/** Start and end of each element, one after the other. */
function findBounds(bytes: Buffer): number[] {
  const scanner = new ElementScanner({deepest: maximumDepth - 1})
  const shift = byteOrderMark.every((byte, index) => bytes[index] === byte) ? 3 : 0
  const {bounds} = scanner.scan(bytes.subarray(shift))
  if (scanner.state === 'before') throw new JsonProblem('not a JSON array')
  for (let at = 0; at < bounds.length; at += 2) {
    const end = (bounds[at + 1] as number) + shift
    const start = skipBlanks(bytes, (bounds[at] as number) + shift)
    if (start >= end) throw new JsonProblem('an element is missing')
    bounds[at] = start
    bounds[at + 1] = end
  }

  if (scanner.state !== 'after') throw new JsonProblem('cut short')
  return bounds
}

/** Elements that end in a chunk: begin and end of each, blanks included, and the line of its first character. */
export type FoundElements = {bounds: number[]; lines: number[]}

export type ElementScannerOptions = {
  /** Brackets that may be open within the array; any number unless given. */
  deepest?: number
  /** Finds the members of an object instead. */
  ofObject?: boolean
}

/**
 * Cuts a JSON array, chunk by chunk, at the commas between its elements. Throws `JsonProblem` at a bracket too many, and at
 * text before or behind the array, which its state tells apart.
 */
export class ElementScanner {
  state: 'before' | 'inside' | 'after' = 'before'
  /** Line of the next byte. */
  line = 1
  /** In the last chunk: the start of the text that belongs to no element that has ended. */
  rest = 0
  readonly #deepest: number
  readonly #open: number
  readonly #close: number
  #depth = 0
  #inText = false
  /** Whether a backslash was the last byte of a chunk. */
  #isEscaped = false
  /** Line of the first character of the element; 0 while only blanks were seen. */
  #startLine = 0
  #hasElements = false

  constructor({deepest = Number.POSITIVE_INFINITY, ofObject = false}: ElementScannerOptions = {}) {
    this.#deepest = deepest
    this.#open = ofObject ? openBrace : openBracket
    this.#close = ofObject ? closeBrace : closeBracket
  }

  /** An element that began in an earlier chunk begins at 0; of one that is missing there are blanks alone. */
  scan(chunk: Buffer): FoundElements {
    const found: FoundElements = {bounds: [], lines: []}
    this.rest = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inText || this.#depth > 0) at = this.#skipInside(chunk, at)
      const byte = chunk[at]
      if (byte === newline) this.line++
      if (byte === undefined || isBlank(byte)) continue
      if (this.state !== 'inside') {
        this.#enter(byte)
        this.rest = at + 1
      } else if (this.#isEnd(byte)) {
        this.#cut(found, at, byte)
        this.rest = at + 1
      }
    }

    if (this.state !== 'inside') this.rest = chunk.length
    return found
  }

  /** Line of the element that has not ended. */
  get restLine(): number {
    return this.#startLine || this.line
  }

  /** The end of the text or the objects that are open here, or of the chunk; nearly all bytes are looked at here. */
  #skipInside(chunk: Buffer, start: number): number {
    const {length} = chunk
    let at = this.#inText ? this.#skipText(chunk, start) : start
    let depth = this.#depth
    for (; at < length && depth > 0; at++) {
      const byte = chunk[at] as number
      if (byte === quote) at = this.#skipText(chunk, at + 1) - 1
      else if (byte === openBrace || byte === openBracket) {
        if (++depth > this.#deepest) throw new JsonProblem('nested too deeply')
      } else if (byte === closeBrace || byte === closeBracket) depth--
      else if (byte === newline) this.line++
    }

    this.#depth = depth
    return at
  }

  /** Behind the quote that ends a text, or the end of the chunk. */
  #skipText(chunk: Buffer, start: number): number {
    const {length} = chunk
    let at = this.#isEscaped ? start + 1 : start
    this.#isEscaped = false
    for (; at < length; at++) {
      const byte = chunk[at] as number
      if (byte === quote) {
        this.#inText = false
        return at + 1
      }
      if (byte === backslash) at++
      else if (byte === newline) this.line++
    }

    this.#inText = true
    this.#isEscaped = at > length
    return length
  }

  #enter(byte: number): void {
    if (this.state === 'after') throw new JsonProblem('followed by more than the array')
    if (byte !== this.#open) throw new JsonProblem('not a JSON array')
    this.state = 'inside'
  }

  /** Whether the byte, which is in no bracket, ends an element. */
  #isEnd(byte: number): boolean {
    if (byte === comma || byte === this.#close) return true
    if (byte === closeBrace || byte === closeBracket) throw new JsonProblem('not a JSON array')
    if (this.#startLine === 0) this.#startLine = this.line
    if (byte === quote) this.#inText = true
    else if (byte === openBrace || byte === openBracket) this.#depth++
    return false
  }

  /** Ends an element. Nothing but blanks before the end is no element only where the array has no other. */
  #cut({bounds, lines}: FoundElements, at: number, byte: number): void {
    const isLast = byte === this.#close
    if (isLast) this.state = 'after'
    if (!isLast || this.#hasElements || this.#startLine > 0) {
      bounds.push(this.rest, at)
      lines.push(this.restLine)
    }

    this.#hasElements = true
    this.#startLine = 0
  }
}

/**
 * A name that appears twice in one object of a text, in quotes. A parser keeps its last value and loses the other in
 * silence. The text must be JSON.
 */
export function findRepeatedName(text: string): string | undefined {
  return repeatedIn(Buffer.from(text))
}

function repeatedIn(bytes: Buffer): string | undefined {
  const ofObject = bytes[0] === openBrace
  if (!ofObject && bytes[0] !== openBracket) return undefined
  const names = new Set<string>()
  const {bounds} = new ElementScanner({ofObject}).scan(bytes)
  for (let place = 0; place < bounds.length; place += 2) {
    let at = skipBlanks(bytes, bounds[place] as number)
    if (ofObject) {
      const end = endOfText(bytes, at) + 1
      const name = toName(bytes.toString('utf8', at, end))
      if (names.has(name)) return name
      names.add(name)
      at = skipBlanks(bytes, bytes.indexOf(colon, end) + 1)
    }

    const isNested = bytes[at] === openBrace || bytes[at] === openBracket
    const name = isNested ? repeatedIn(bytes.subarray(at, bounds[place + 1])) : undefined
    if (name !== undefined) return name
  }

  return undefined
}

/** A name as JSON without needless escapes, so that both spellings of it are equal. */
function toName(written: string): string {
  return written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written
}

/** The quote that ends the text that begins at another. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1
  for (; bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
  return at
}

function everyElementIsObject(bytes: Buffer, bounds: number[]): boolean {
  for (let index = 0; index < bounds.length; index += 2) {
    if (bytes[bounds[index] as number] !== openBrace) return false
  }

  return true
}
