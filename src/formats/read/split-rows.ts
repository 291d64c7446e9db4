import {BlankLines} from './blank-lines.js'
import {countLineEnds} from './line-ends.js'
import type {CellsRow} from './row.js'

const quote = '"'
const quoteCode = 0x22
const never = Number.POSITIVE_INFINITY

/** Why the splitting stopped: the text ended inside a row, or a row is not written as RFC 4180 says. */
type Stop = 'incomplete' | 'odd'

/** What follows a cell: another one, or the next row. */
type Step = 'cell' | 'row' | Stop

export type Split = {
  rows: CellsRow[]
  /** What was not split, from the start of a row on. */
  rest: string
  /** The rest begins with a row that only the parser can judge. */
  isOdd: boolean
}

/**
 * Splits the rows of a CSV text that are written to the letter of RFC 4180 (lines may end in LF), as almost all are.
 * This is the short way of the parser: it may refuse to answer, but never answers otherwise.
 */
export class RowSplitter {
  /** The line that the next row starts on. */
  line = 1
  readonly #delimiter: string
  readonly #blanks: BlankLines
  #text = ''
  /** Where the next row or cell starts. */
  #at = 0
  #cell = ''
  #quoteAt = -1
  #delimiterAt = -1
  #lineFeedAt = -1

  constructor(delimiter: string, blanks = new BlankLines()) {
    this.#delimiter = delimiter
    this.#blanks = blanks
  }

  /** The text begins at the start of a row: with the rest of the text before. */
  split(text: string): Split {
    this.#text = text
    this.#at = 0
    this.#quoteAt = -1
    this.#delimiterAt = -1
    this.#lineFeedAt = -1
    const rows: CellsRow[] = []
    while (true) {
      const start = this.#at
      const row = this.#takeRow()
      if (typeof row === 'string') return {rows, rest: text.slice(start), isOdd: row === 'odd'}
      if (!this.#blanks.passesOver(row)) rows.push(row)
    }
  }

  #takeRow(): CellsRow | Stop {
    const end = this.#findLineFeed()
    if (end === never) return this.#hasLoneReturn() ? 'odd' : 'incomplete'
    return this.#findQuote() > end ? this.#takePlainRow(end) : this.#takeQuotedRow()
  }

  /** A carriage return at the end of the text may be half of a line end. */
  #hasLoneReturn(): boolean {
    const at = this.#text.indexOf('\r', this.#at)
    return at !== -1 && at !== this.#text.length - 1
  }

  /** A row without quotes is its line, cut at the delimiters. */
  #takePlainRow(end: number): CellsRow | Stop {
    const text = this.#text.slice(this.#at, this.#beforeLineEnd(end))
    if (text.includes('\r')) return 'odd'
    const line = this.line++
    this.#at = end + 1
    return {kind: 'cells', line, size: text.length, cells: text.split(this.#delimiter)}
  }

  #takeQuotedRow(): CellsRow | Stop {
    const start = this.#at
    const cells: string[] = []
    const quoted: number[] = []
    let lines = 1
    for (let step: Step = 'cell'; step !== 'row'; ) {
      const isQuoted = this.#text.charCodeAt(this.#at) === quoteCode
      step = isQuoted ? this.#takeQuoted() : this.#takeUnquoted()
      if (step === 'incomplete' || step === 'odd') return step
      if (isQuoted) lines += countLineEnds(this.#cell)
      if (isQuoted && this.#cell === '') quoted.push(cells.length)
      cells.push(this.#cell)
    }

    const row = {kind: 'cells', line: this.line, size: this.#at - start, cells} as const
    this.line += lines
    return quoted.length > 0 ? {...row, quoted} : row
  }

  #takeQuoted(): Step {
    const start = this.#at + 1
    let end = this.#text.indexOf(quote, start)
    let hasPairs = false
    while (end !== -1 && this.#text.charCodeAt(end + 1) === quoteCode) {
      hasPairs = true
      end = this.#text.indexOf(quote, end + 2)
    }

    if (end === -1) return 'incomplete'
    const inner = this.#text.slice(start, end)
    this.#cell = hasPairs ? inner.replaceAll('""', quote) : inner
    return this.#leaveQuoted(end + 1)
  }

  #leaveQuoted(at: number): Step {
    const letter = this.#text[at]
    if (letter === undefined) return 'incomplete'
    this.#at = at + (letter === '\r' ? 2 : 1)
    if (letter === this.#delimiter) return 'cell'
    if (letter === '\n') return 'row'
    if (letter !== '\r' || at + 1 === this.#text.length) return letter === '\r' ? 'incomplete' : 'odd'
    return this.#text[at + 1] === '\n' ? 'row' : 'odd'
  }

  #takeUnquoted(): Step {
    const [end, delimiter] = [this.#findLineFeed(), this.#findDelimiter()]
    if (end === never && delimiter === never) return 'incomplete'
    const isLast = end < delimiter
    this.#cell = this.#text.slice(this.#at, isLast ? this.#beforeLineEnd(end) : delimiter)
    this.#at = Math.min(end, delimiter) + 1
    if (this.#cell.includes(quote) || this.#cell.includes('\r')) return 'odd'
    return isLast ? 'row' : 'cell'
  }

  #beforeLineEnd(end: number): number {
    return end > this.#at && this.#text[end - 1] === '\r' ? end - 1 : end
  }

  #findLineFeed(): number {
    if (this.#lineFeedAt < this.#at) this.#lineFeedAt = this.#find('\n')
    return this.#lineFeedAt
  }

  #findDelimiter(): number {
    if (this.#delimiterAt < this.#at) this.#delimiterAt = this.#find(this.#delimiter)
    return this.#delimiterAt
  }

  #findQuote(): number {
    if (this.#quoteAt < this.#at) this.#quoteAt = this.#find(quote)
    return this.#quoteAt
  }

  #find(letter: string): number {
    const at = this.#text.indexOf(letter, this.#at)
    return at === -1 ? never : at
  }
}
