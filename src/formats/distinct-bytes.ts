const firstRoom = 64
const multiplier = 0x9e3779b1

/**
 * Distinct stretches of bytes, numbered as they come. Finding one is open addressing by hash. Time and memory: linear in
 * their bytes.
 */
export class DistinctBytes {
  count = 0
  private bytes = new Uint8Array(firstRoom * 16)
  private ends = new Int32Array(firstRoom)
  private hashes = new Int32Array(firstRoom)
  /** Codes plus 1, or 0 for a free slot; at most half of the slots are used. */
  private slots = new Int32Array(firstRoom * 2)
  private shift = 32 - Math.log2(firstRoom * 2)
  private last = 0

  /** The number of a stretch, which is added when it is new. */
  codeOf(source: Uint8Array, from: number, end: number): number {
    if (this.count === 0 || !this.isAt(this.last, source, from, end)) this.last = this.find(source, from, end)
    return this.last
  }

  private find(source: Uint8Array, from: number, end: number): number {
    const {hashes, slots} = this
    let hash = end - from
    for (let at = from; at < end; at++) hash = Math.imul(hash ^ (source[at] as number), 0x01000193)
    let slot = this.slotOf(hash)
    for (let code = (slots[slot] as number) - 1; code >= 0; code = (slots[slot] as number) - 1) {
      if (hashes[code] === hash && this.isAt(code, source, from, end)) return code
      slot = (slot + 1) & (slots.length - 1)
    }

    slots[slot] = this.count + 1
    hashes[this.count] = hash
    this.add(source, from, end)
    return this.count - 1
  }

  /** Whether a stretch is the one of a code; compared from the end, where numbers and times differ. */
  private isAt(code: number, source: Uint8Array, from: number, end: number): boolean {
    const {bytes} = this
    let at = this.ends[code] as number
    if (at - this.start(code) !== end - from) return false
    for (let place = end - 1; place >= from; place--) if (bytes[--at] !== source[place]) return false
    return true
  }

  size(code: number): number {
    return (this.ends[code] as number) - this.start(code)
  }

  /** The bytes of a code; valid until `clear`, or until another stretch is added. */
  value(code: number): Uint8Array {
    return this.bytes.subarray(this.start(code), this.ends[code])
  }

  /** Length of all stretches in bytes. */
  get total(): number {
    return this.start(this.count)
  }

  /** Orders two stretches by their bytes. */
  compare(one: number, other: number): number {
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
    this.last = 0
    this.slots.fill(0)
  }

  private start(code: number): number {
    return code === 0 ? 0 : (this.ends[code - 1] as number)
  }

  private slotOf(hash: number): number {
    return Math.imul(hash, multiplier) >>> this.shift
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
    this.slots = new Int32Array(this.slots.length * 2)
    this.shift--
    for (let code = 0; code < count; code++) {
      let slot = this.slotOf(hashes[code] as number)
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1)
      this.slots[slot] = code + 1
    }
  }
}
