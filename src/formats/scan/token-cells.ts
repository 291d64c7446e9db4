import type {Buffer} from 'node:buffer'
import type {JsonValue} from '../../values/json.js'
import {endMask, kindShift, listToken} from './page-tokens.js'
import {valueOfToken} from './record-scan.js'

const slots = 256
const longest = 32
/** Misses, less later hits, after which the cache turns itself off. */
const patience = 1_000

/**
 * A cache of the cells of one column by the bytes of their tokens: names and prices recur. It turns itself off in a
 * column whose bytes seldom recur. Time: the bytes of a token; memory: 10 KiB.
 */
export class TokenCells<Cell> {
  private readonly sources = new Uint8Array(slots * longest)
  /** Length and kind of the token in each slot; 0 where there is none. */
  private readonly heads = new Int32Array(slots)
  private readonly cells: Cell[] = []
  private readonly make: (value: JsonValue) => Cell
  private left = patience

  constructor(make: (value: JsonValue) => Cell) {
    this.make = make
  }

  at(bytes: Buffer, integers: Int32Array, place: number): Cell {
    const from = integers[place] as number
    const packed = integers[place + 1] as number
    const kind = packed >>> kindShift
    const length = (packed & endMask) - from
    if (this.left === 0 || length > longest || kind === listToken)
      return this.make(valueOfToken(bytes, integers, place))
    const slot = slotOf(bytes, from, length)
    const head = ((kind << 6) | length) + 1
    const source = slot * longest
    if (this.heads[slot] === head && this.isKnown(bytes, from, source, length)) {
      if (this.left < patience) this.left++
      return this.cells[slot] as Cell
    }

    this.left--
    const cell = this.make(valueOfToken(bytes, integers, place))
    for (let at = 0; at < length; at++) this.sources[source + at] = bytes[from + at] as number
    this.heads[slot] = head
    this.cells[slot] = cell
    return cell
  }

  private isKnown(bytes: Buffer, from: number, source: number, length: number): boolean {
    const {sources} = this
    for (let at = 0; at < length; at++) if (sources[source + at] !== bytes[from + at]) return false
    return true
  }
}

/** A slot by the length and four of the bytes, the last two among them: texts with a number differ at the end. */
function slotOf(bytes: Buffer, from: number, length: number): number {
  if (length === 0) return 0
  const last = from + length - 1
  const ends = Math.imul(bytes[last] as number, 31) + Math.imul(bytes[last - 1] as number, 7)
  const others = Math.imul(bytes[from + (length >> 1)] as number, 13) + (bytes[from] as number)
  return (ends + others + length) & (slots - 1)
}
