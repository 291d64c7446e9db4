const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d

/** What stands for a cell of two quotes while it is parsed; no text holds it, because NUL bytes are refused before. */
export const quotedEmptyMark = '\0\0'

/**
 * Marks the cells of a CSV text that are written as two quotes, chunk by chunk: a parser takes them for empty cells, or
 * tells them apart at a high price for all others. Every other byte stays as it is.
 */
export class QuotedEmptyMarker {
  /** Whether any cell was marked so far. */
  hasMarked = false
  readonly #boundaries: ReadonlySet<number | undefined>
  #isQuoted = false
  #last: number | undefined
  #held: Buffer = Buffer.alloc(0)

  constructor(delimiter: string) {
    const bytes = Buffer.from(delimiter)
    this.#boundaries = new Set([undefined, newline, carriageReturn, bytes.at(0), bytes.at(-1)])
  }

  /** The text so far, up to two bytes of it held back until the next chunk tells what they mean. */
  mark(chunk: Buffer): Buffer {
    const whole = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    return this.#walk(whole, false)
  }

  end(): Buffer {
    return this.#walk(this.#held, true)
  }

  #walk(text: Buffer, isEnd: boolean): Buffer {
    let marked = text
    let at = text.indexOf(quote)
    while (at !== -1) {
      const startsCell = !this.#isQuoted && this.#boundaries.has(at === 0 ? this.#last : text[at - 1])
      if (startsCell && !isEnd && isOpen(text, at)) break
      const isEmpty = startsCell && text[at + 1] === quote && this.#boundaries.has(text[at + 2])
      if (isEmpty) {
        if (marked === text) marked = Buffer.from(text)
        marked.fill(0, at, at + quotedEmptyMark.length)
      } else {
        this.#isQuoted = !this.#isQuoted
      }

      at = text.indexOf(quote, at + (isEmpty ? quotedEmptyMark.length : 1))
    }

    this.hasMarked ||= marked !== text
    this.#held = at === -1 ? Buffer.alloc(0) : Buffer.from(text.subarray(at))
    const known = at === -1 ? marked : marked.subarray(0, at)
    this.#last = known.at(-1) ?? this.#last
    return known
  }
}

/** Whether the text ends before it is known what a quote at the start of a cell means. */
function isOpen(text: Buffer, at: number): boolean {
  return at + 1 === text.length || (at + 2 === text.length && text[at + 1] === quote)
}
