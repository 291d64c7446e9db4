import {findBounds, firstRoom, Slots} from './slots.js'

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
