import {findBounds, firstRoom, Slots} from './slots.js'

/**
 * The distinct whole numbers of a column in one group of rows, numbered as they come, each as the lower and the upper
 * half of its 64 bits. Time and memory: linear in numbers that are asked for, and in distinct ones.
 */
export class IntegerCodes {
  count = 0
  private words = new Int32Array(firstRoom * 2)
  private readonly slots = new Slots()

  codeOf(low: number, high: number): number {
    const {slots, words, count} = this
    let slot = slots.first(hashOf(low, high))
    for (let code = slots.code(slot); code >= 0; code = slots.code(slot)) {
      if (words[code * 2] === low && words[code * 2 + 1] === high) return code
      slot = slots.next(slot)
    }

    slots.put(slot, count)
    words[count * 2] = low
    words[count * 2 + 1] = high
    this.count++
    if (this.count * 2 === words.length) this.grow()
    return count
  }

  valuesOf(codes: Int32Array): BigInt64Array {
    const {words} = this
    const values = new Int32Array(codes.length * 2)
    for (let at = 0; at < codes.length; at++) {
      const place = (codes[at] as number) * 2
      values[at * 2] = words[place] as number
      values[at * 2 + 1] = words[place + 1] as number
    }

    return new BigInt64Array(values.buffer)
  }

  /** The least and the greatest value; undefined where there is none. */
  bounds(): {min_value: bigint; max_value: bigint} | undefined {
    const codes = findBounds(this.count, (one, other) => this.compare(one, other))
    const [min_value, max_value] = this.valuesOf(Int32Array.from(codes))
    return min_value === undefined || max_value === undefined ? undefined : {min_value, max_value}
  }

  clear(): void {
    this.count = 0
    this.slots.clear()
  }

  private compare(one: number, other: number): number {
    const {words} = this
    const order = (words[one * 2 + 1] as number) - (words[other * 2 + 1] as number)
    return order === 0 ? ((words[one * 2] as number) >>> 0) - ((words[other * 2] as number) >>> 0) : order
  }

  private grow(): void {
    const words = new Int32Array(this.words.length * 2)
    words.set(this.words)
    this.words = words
    const hashes = Int32Array.from({length: this.count}, (_, code) =>
      hashOf(words[code * 2] as number, words[code * 2 + 1] as number),
    )
    this.slots.grow(hashes, this.count)
  }
}

function hashOf(low: number, high: number): number {
  return low ^ Math.imul(high, 0x85ebca6b)
}
