const bitsPerWord = 32
const firstSlots = 16
const free = -1
/** How full the slots may become before they are doubled. */
const fullness = 0.75

/**
 * A set of whole numbers from 0 to 2^53 - 1 in little memory: 12 bytes hold up to 32 numbers that stand side by side, as
 * ids mostly do, and they are no objects that would have to be looked after.
 */
export class NumberSet {
  private words = new Float64Array(firstSlots).fill(free)
  private bits = new Int32Array(firstSlots)
  private used = 0
  private lastWord = free
  private lastSlot = 0

  has(number: number): boolean {
    const word = Math.floor(number / bitsPerWord)
    const slot = this.slotOf(word)
    return this.words[slot] === word && ((this.bits[slot] as number) & bitOf(number, word)) !== 0
  }

  add(number: number): void {
    const word = Math.floor(number / bitsPerWord)
    const slot = this.words[this.slotOf(word)] === word ? this.lastSlot : this.take(word)
    this.bits[slot] = (this.bits[slot] as number) | bitOf(number, word)
  }

  private take(word: number): number {
    if (this.used >= this.words.length * fullness) this.grow()
    const slot = this.slotOf(word)
    this.words[slot] = word
    this.used++
    return slot
  }

  /** Where a word stands, or would stand. Neighbours are asked for one after another, hence the last one is kept. */
  private slotOf(word: number): number {
    if (word === this.lastWord) return this.lastSlot
    const mask = this.words.length - 1
    let slot = hashOf(word) & mask
    while (this.words[slot] !== word && this.words[slot] !== free) slot = (slot + 1) & mask
    this.lastWord = word
    this.lastSlot = slot
    return slot
  }

  private grow(): void {
    const {words, bits} = this
    this.words = new Float64Array(words.length * 2).fill(free)
    this.bits = new Int32Array(words.length * 2)
    this.lastWord = free
    for (let from = 0; from < words.length; from++) {
      const word = words[from] as number
      if (word === free) continue
      const slot = this.slotOf(word)
      this.words[slot] = word
      this.bits[slot] = bits[from] as number
    }
  }
}

function bitOf(number: number, word: number): number {
  return 1 << (number - word * bitsPerWord)
}

/** Spreads words that differ anywhere over all bits, the lowest too. */
function hashOf(word: number): number {
  const high = Math.floor(word / 2 ** 32)
  const mixed = Math.imul((word | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
