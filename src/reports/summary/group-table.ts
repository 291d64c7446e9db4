import {Buffer} from 'node:buffer'
import {newline} from '../../values/byte-codes.js'
import type {LineCells} from './line-cells.js'

/** A part of a key: the place of its cell, and how many of its bytes count. */
export type KeyPart = {readonly place: number; readonly length: number}

const [hashStart, hashFactor] = [0x811c9dc5, 0x01000193]
const firstSlots = 256

/**
 * Groups by the bytes of their keys as they stand in lines: O(1) a line, memory of the keys. More keys than groups only
 * where one is spelled in several ways. A cell with a line end is odd, so that parts cannot run into each other.
 */
export class GroupTable<Group> {
  readonly #parts: readonly KeyPart[]
  readonly #groups: Group[] = []
  #keys = Buffer.alloc(firstSlots)
  /** Where each key begins among the bytes of all, and where the last one ends. */
  #starts = new Int32Array(firstSlots)
  /** Numbers of groups by hash, plus one; never more than half full. */
  #slots = new Int32Array(firstSlots)
  #last = 0

  constructor(parts: readonly KeyPart[]) {
    this.#parts = parts
  }

  find(cells: LineCells): Group | undefined {
    if (this.#groups.length === 0) return undefined
    if (!this.#isKey(this.#last, cells)) {
      const found = this.#slots[this.#slotOf(cells)] as number
      if (found === 0) return undefined
      this.#last = found - 1
    }

    return this.#groups[this.#last]
  }

  /** Remembers the group of a line that `find` does not know. */
  add(cells: LineCells, group: Group): void {
    const number = this.#groups.length
    if ((number + 1) * 2 > this.#slots.length) this.#grow()
    this.#slots[this.#slotOf(cells)] = number + 1
    this.#groups.push(group)
    let at = this.#starts[number] as number
    for (const {place, length} of this.#parts) {
      const start = cells.starts[place] as number
      const end = Math.min(cells.ends[place] as number, start + length)
      while (at + end - start + 1 > this.#keys.length) this.#keys = Buffer.concat([this.#keys], this.#keys.length * 2)
      at += cells.bytes.copy(this.#keys, at, start, end)
      this.#keys[at++] = newline
    }

    this.#starts[number + 1] = at
    this.#last = number
  }

  /** The slot of a key, or the free one that is for it. */
  #slotOf(cells: LineCells): number {
    const mask = this.#slots.length - 1
    let slot = this.#hash(cells) & mask
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      if (this.#isKey(number - 1, cells)) break
      slot = (slot + 1) & mask
    }

    return slot
  }

  #hash({bytes, starts, ends}: LineCells): number {
    let hash = hashStart
    for (const {place, length} of this.#parts) {
      const start = starts[place] as number
      const end = Math.min(ends[place] as number, start + length)
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), hashFactor)
      hash = Math.imul(hash ^ newline, hashFactor)
    }

    return spread(hash)
  }

  #isKey(number: number, {bytes, starts, ends}: LineCells): boolean {
    const keys = this.#keys
    let known = this.#starts[number] as number
    for (const {place, length} of this.#parts) {
      const start = starts[place] as number
      const end = Math.min(ends[place] as number, start + length)
      for (let at = start; at < end; at++) if (keys[known++] !== bytes[at]) return false
      if (keys[known++] !== newline) return false
    }

    return true
  }

  #grow(): void {
    const larger = new Int32Array(this.#slots.length * 2)
    const mask = larger.length - 1
    for (let number = 0; number < this.#groups.length; number++) {
      let slot = this.#hashOfKey(number) & mask
      while (larger[slot] !== 0) slot = (slot + 1) & mask
      larger[slot] = number + 1
    }

    const starts = new Int32Array(larger.length)
    starts.set(this.#starts)
    this.#starts = starts
    this.#slots = larger
  }

  #hashOfKey(number: number): number {
    const [from, to] = [this.#starts[number] as number, this.#starts[number + 1] as number]
    let hash = hashStart
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (this.#keys[at] as number), hashFactor)
    return spread(hash)
  }
}

/** The lower bits of this hash depend on the lower bits of the bytes only. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}
