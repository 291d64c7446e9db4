import {type Problem, quote} from './problem.js'

/** Spreadsheets keep so many digits of a number, and write zeros for the others. */
const kept = 15
const tooLong = /^\d{16,}$/
const onlyZeros = /^0+$/
/** Fewer zeros may be chance. */
const fewestValues = 2
const fewestZeros = 3

type RowPlace = Pick<Problem, 'line' | 'row'> & {line: number}

/** One column of texts that are keys: whether all that are too long for a spreadsheet end in zeros where it cuts. */
export class CutDigits {
  readonly #lines: number[] = []
  readonly #values = new Set<string>()
  #first: (RowPlace & {cell: string}) | undefined
  #zeros = 0
  #isWhole = false

  add(cell: string, at: RowPlace): void {
    if (this.#isWhole || !tooLong.test(cell)) return
    this.#isWhole = !onlyZeros.test(cell.slice(kept))
    if (this.#values.size < fewestValues) this.#values.add(cell)
    this.#zeros += cell.length - kept
    this.#lines.push(at.line)
    this.#first ??= {...at, cell}
  }

  /** Where the first of them stands, and the message about all; undefined when one of them shows that none was cut. */
  find(): (RowPlace & {cell: string; lines: number[]; message: string}) | undefined {
    const first = this.#first
    if (this.#isWhole || first === undefined || this.#values.size < fewestValues || this.#zeros < fewestZeros)
      return undefined
    const others = `${this.#lines.length - 1} more, all with zeros after the ${kept}th digit`
    const message = `the spreadsheet cut its digits: ${quote(first.cell)}, and ${others}; make the column text and enter the values again`
    return {...first, lines: this.#lines, message}
  }
}
