import {zero} from '../../../values/byte-codes.js'

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

/** The distinct texts of a column in one group of rows, likewise. Time and memory: linear in their bytes. */
export class ByteCodes {
  count = 0
  private bytes = new Uint8Array(firstRoom * 16)
  private ends = new Int32Array(firstRoom)
  private hashes = new Int32Array(firstRoom)
  private readonly slots = new Slots()

  codeOf(source: Uint8Array, from: number, end: number): number {
    const {slots, hashes} = this
    let hash = end - from
    for (let at = from; at < end; at++) hash = Math.imul(hash ^ (source[at] as number), 0x01000193)
    let slot = slots.first(hash)
    for (let code = slots.code(slot); code >= 0; code = slots.code(slot)) {
      if (hashes[code] === hash && this.isAt(code, source, from, end)) return code
      slot = slots.next(slot)
    }

    slots.put(slot, this.count)
    hashes[this.count] = hash
    this.add(source, from, end)
    return this.count - 1
  }

  private start(code: number): number {
    return code === 0 ? 0 : (this.ends[code - 1] as number)
  }

  size(code: number): number {
    return (this.ends[code] as number) - this.start(code)
  }

  /** Valid until it is cleared or another is added. */
  value(code: number): Uint8Array {
    return this.bytes.subarray(this.start(code), this.ends[code])
  }

  /** Bytes of all values. */
  get total(): number {
    return this.start(this.count)
  }

  /** The least and the greatest value by their bytes, as copies; undefined where there is none. */
  bounds(): {min_value: Uint8Array; max_value: Uint8Array} | undefined {
    const [least, greatest] = findBounds(this.count, (one, other) => this.compare(one, other))
    if (least === undefined || greatest === undefined) return undefined
    return {min_value: this.value(least).slice(), max_value: this.value(greatest).slice()}
  }

  private compare(one: number, other: number): number {
    const {bytes} = this
    const size = Math.min(this.size(one), this.size(other))
    const [left, right] = [this.start(one), this.start(other)]
    for (let at = 0; at < size; at++) {
      const order = (bytes[left + at] as number) - (bytes[right + at] as number)
      if (order !== 0) return order
    }

    return this.size(one) - this.size(other)
  }

  clear(): void {
    this.count = 0
    this.slots.clear()
  }

  private isAt(code: number, source: Uint8Array, from: number, end: number): boolean {
    const {bytes} = this
    let at = this.start(code)
    if ((this.ends[code] as number) - at !== end - from) return false
    for (let place = from; place < end; place++) if (bytes[at++] !== source[place]) return false
    return true
  }

  private add(source: Uint8Array, from: number, end: number): void {
    let at = this.total
    if (at + end - from > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(this.bytes.length * 2, at + end - from))
      bytes.set(this.bytes.subarray(0, at))
      this.bytes = bytes
    }
    for (let place = from; place < end; place++) this.bytes[at++] = source[place] as number
    this.ends[this.count++] = at
    if (this.count === this.ends.length) this.grow()
  }

  private grow(): void {
    const {count, ends, hashes} = this
    this.ends = new Int32Array(count * 2)
    this.ends.set(ends)
    this.hashes = new Int32Array(count * 2)
    this.hashes.set(hashes)
    this.slots.grow(hashes, count)
  }
}

const point = 0x2e

/** The end of a decimal number without zeros that say nothing: `1.50` and `1.5` are one value. */
export function withoutZeros(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[end - 1] !== zero) return end
  let last = end
  while (last > from && bytes[last - 1] === zero) last--
  if (bytes[last - 1] === point) return last - 1
  for (let at = from; at < last; at++) if (bytes[at] === point) return hasExponent(bytes, at, last) ? end : last
  return end
}

function hasExponent(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (((bytes[at] as number) | 0x20) === 0x65) return true
  return false
}

const firstRoom = 64
const multiplier = 0x9e3779b1

/** Finds codes by hash: open addressing, each slot a code plus 1. Filled by half at most, by who grows it. */
class Slots {
  private slots = new Int32Array(firstRoom * 2)
  private shift = 32 - Math.log2(firstRoom * 2)

  first(hash: number): number {
    return Math.imul(hash, multiplier) >>> this.shift
  }

  next(slot: number): number {
    return (slot + 1) & (this.slots.length - 1)
  }

  /** -1 where none is. */
  code(slot: number): number {
    return (this.slots[slot] as number) - 1
  }

  put(slot: number, code: number): void {
    this.slots[slot] = code + 1
  }

  clear(): void {
    this.slots.fill(0)
  }

  /** Makes room for twice as many. */
  grow(hashes: Int32Array, count: number): void {
    this.slots = new Int32Array(this.slots.length * 2)
    this.shift--
    for (let code = 0; code < count; code++) {
      let slot = this.first(hashes[code] as number)
      while (this.code(slot) >= 0) slot = this.next(slot)
      this.put(slot, code)
    }
  }
}

/** The codes of the least and the greatest of so many values; empty for none. */
function findBounds(count: number, compare: (one: number, other: number) => number): [number, number] | [] {
  if (count === 0) return []
  let least = 0
  let greatest = 0
  for (let code = 1; code < count; code++) {
    if (compare(code, least) < 0) least = code
    else if (compare(code, greatest) > 0) greatest = code
  }

  return [least, greatest]
}
