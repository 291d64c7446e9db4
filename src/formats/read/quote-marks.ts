const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d
const equals = 0x3d
const mark = 0
/** Longest formula such as `="00123"` that is looked for, in bytes. */
const longestFormula = 64

/** What stands for a marked quote while a text is parsed; no text holds it, because NUL bytes are refused before. */
export const quoteMark = '\0'
/** A cell that is written as two quotes. */
export const quotedEmpty = '\0\0'

/**
 * Marks the quotes of a CSV text that a parser would misread, chunk by chunk: those of a cell of two quotes, which it
 * takes for an empty cell, and those of a formula such as `="00123"`, which it refuses. Every other byte stays.
 */
export class QuoteMarker {
  /** Whether any quote was marked so far. */
  hasMarked = false
  readonly #boundaries: ReadonlySet<number | undefined>
  #isQuoted = false
  /** The last bytes of the text before, and what is held back until the next chunk tells what it means. */
  #tail: Buffer = Buffer.alloc(0)
  #held: Buffer = Buffer.alloc(0)

  constructor(delimiter: string) {
    const bytes = Buffer.from(delimiter)
    this.#boundaries = new Set([undefined, newline, carriageReturn, bytes.at(0), bytes.at(-1)])
  }

  mark(chunk: Buffer): Buffer {
    return this.#walk(this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk, false)
  }

  /** The rest of the text. */
  end(): Buffer {
    return this.#walk(this.#held, true)
  }

  #walk(text: Buffer, isEnd: boolean): Buffer {
    let marked = text
    let at = text.indexOf(quote)
    while (at !== -1) {
      const end = this.#isQuoted ? undefined : this.#findEnd(text, at, isEnd)
      if (end === 'open') break
      if (end === undefined) this.#isQuoted = !this.#isQuoted
      else {
        if (marked === text) marked = Buffer.from(text)
        marked[at] = mark
        marked[end] = mark
      }

      at = text.indexOf(quote, (end ?? at) + 1)
    }

    this.hasMarked ||= marked !== text
    this.#held = at === -1 ? Buffer.alloc(0) : Buffer.from(text.subarray(at))
    const known = at === -1 ? marked : marked.subarray(0, at)
    this.#tail = Buffer.concat([this.#tail, known.subarray(-2)]).subarray(-2)
    return known
  }

  /** Where the second quote of a marked cell stands; `open` when the next chunk has to tell whether there is one. */
  #findEnd(text: Buffer, at: number, isEnd: boolean): number | 'open' | undefined {
    const before = this.#byteAt(text, at - 1)
    const isFormula = before === equals && this.#boundaries.has(this.#byteAt(text, at - 2))
    if (!isFormula && !this.#boundaries.has(before)) return undefined
    const end = isFormula ? text.subarray(0, at + longestFormula).indexOf(quote, at + 1) : at + 1
    const isOpen = end === -1 ? text.length < at + longestFormula : end + 1 >= text.length
    if (isOpen && !isEnd && (end === -1 || end >= text.length || text[end] === quote)) return 'open'
    const isClosed = text[end] === quote && this.#boundaries.has(text[end + 1])
    return isClosed && !text.subarray(at + 1, end).some((byte) => this.#boundaries.has(byte)) ? end : undefined
  }

  #byteAt(text: Buffer, at: number): number | undefined {
    return at >= 0 ? text[at] : this.#tail.at(at)
  }
}
