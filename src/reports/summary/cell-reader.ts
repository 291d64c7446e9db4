import {Buffer} from 'node:buffer'
import {readSmall, type SmallAmount} from '../../values/decimal-sum.js'
import type {Amounts} from './counts.js'
import {isCell, type LineCells, oddCell} from './line-cells.js'
import {batchField, successField, totalNames, totals} from './summary-fields.js'

/** What a line is: sold or not, nothing but its batch, or one whose bytes do not tell. */
export type LineKind = 'sold' | 'failed' | 'none' | 'odd'

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const pricePlace = totalNames.indexOf('totalPrice')
const firstBytes = 64

/** Reads of lines as bytes what is counted and added, without making anything but the id of each batch. */
export class CellReader {
  /** Of the line that was read last; valid until the next one. */
  readonly amounts: Amounts
  /** Whether one of the amounts that are added is empty. */
  hasEmpty = false
  readonly #amounts: (SmallAmount | undefined)[] = totalNames.map(() => undefined)
  readonly #read: readonly SmallAmount[] = totalNames.map(() => ({units: 0, scale: 0}))
  readonly #needed: Int32Array
  readonly #amountPlaces: Int32Array
  readonly #batchPlace: number
  readonly #successPlace: number
  #batch = ''
  #batchBytes = Buffer.alloc(firstBytes)
  #batchLength = -1

  constructor(fields: readonly string[], needed: readonly string[]) {
    this.amounts = this.#amounts
    this.#needed = Int32Array.from(needed, (field) => fields.indexOf(field))
    this.#amountPlaces = Int32Array.from(totalNames, (name) => fields.indexOf(totals[name]))
    this.#batchPlace = fields.indexOf(batchField)
    this.#successPlace = fields.indexOf(successField)
  }

  /** Its kind is `odd` for all that is not plain: other words, exponents, long numbers, a line without a single value. */
  kindOf(cells: LineCells): Exclude<LineKind, 'none'> {
    const needed = this.#needed
    for (let at = 0; at < needed.length; at++) if (cells.starts[needed[at] as number] === oddCell) return 'odd'
    const isSold = isCell(cells, this.#successPlace, yes)
    if (!isSold && !isCell(cells, this.#successPlace, no)) return 'odd'
    this.hasEmpty = false
    for (let place = 0; place < this.#amountPlaces.length; place++) {
      this.#amounts[place] = undefined
      const cell = this.#amountPlaces[place] as number
      const [start, end] = [cells.starts[cell] as number, cells.ends[cell] as number]
      if (!isSold && place !== pricePlace) continue
      if (start === end) {
        this.hasEmpty = true
        continue
      }

      const amount = this.#read[place] as SmallAmount
      if (!readSmall(cells.bytes, start, end, amount)) return 'odd'
      this.#amounts[place] = amount
    }

    return isSold ? 'sold' : 'failed'
  }

  /** The id of the batch of a line: the same string for lines side by side. */
  batchOf({bytes, starts, ends}: LineCells): string {
    const [start, end] = [starts[this.#batchPlace] as number, ends[this.#batchPlace] as number]
    if (this.#isSameBatch(bytes, start, end)) return this.#batch
    if (end - start > this.#batchBytes.length) this.#batchBytes = Buffer.alloc((end - start) * 2)
    bytes.copy(this.#batchBytes, 0, start, end)
    this.#batchLength = end - start
    this.#batch = bytes.toString('utf8', start, end)
    return this.#batch
  }

  #isSameBatch(bytes: Buffer, start: number, end: number): boolean {
    if (end - start !== this.#batchLength) return false
    const known = this.#batchBytes
    for (let at = end - start - 1; at >= 0; at--) if (known[at] !== bytes[start + at]) return false
    return true
  }
}
