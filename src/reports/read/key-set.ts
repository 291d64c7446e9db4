import {nine, zero} from '../../values/byte-codes.js'

/** A set of record keys that takes little memory: most keys are a few letters and a number. */
export type KeySet = {has(key: string): boolean; add(key: string): void; readonly size: number}

/** Longest run of digits that a number represents exactly. */
const longestNumber = 15
/** Keys that begin in more ways than this have no numbers in common; the others are kept as text. */
const mostPrefixes = 1_000

export function createKeySet(keys: Iterable<string> = []): KeySet {
  const numbers = new Map<string, NumberSet>()
  const others = new Set<string>()
  let size = 0
  const numbersOf = (prefix: string): NumberSet | undefined => {
    const known = numbers.get(prefix)
    if (known || numbers.size === mostPrefixes) return known
    const made = new NumberSet()
    numbers.set(prefix, made)
    return made
  }

  const set: KeySet = {
    has(key) {
      const parts = partsOf(key)
      const known = parts && numbers.get(parts.prefix)
      return known ? known.has(parts.number) : others.has(key)
    },
    add(key) {
      if (set.has(key)) return
      size++
      const parts = partsOf(key)
      const known = parts && numbersOf(parts.prefix)
      if (known) known.add(parts.number)
      else others.add(key)
    },
    get size() {
      return size
    },
  }

  for (const key of keys) set.add(key)
  return set
}

type Parts = {prefix: string; number: number}

/** A cache of one entry: each key is asked for and then added, and most begin as the one before. */
let lastKey = ''
let lastParts: Parts | undefined
let lastPrefix = ''

/** A key split before the number at its end; undefined when it has none. */
function partsOf(key: string): Parts | undefined {
  if (key === lastKey) return lastParts
  const start = startOfNumber(key)
  lastKey = key
  if (start >= 0 && (start !== lastPrefix.length || !key.startsWith(lastPrefix))) lastPrefix = key.slice(0, start)
  lastParts = start < 0 ? undefined : {prefix: lastPrefix, number: numberFrom(key, start)}
  return lastParts
}

function numberFrom(key: string, start: number): number {
  let number = 0
  for (let at = start; at < key.length; at++) number = number * 10 + key.charCodeAt(at) - zero
  return number
}

/** Start of the number at the end of a key, without leading zeros; -1 when there is none or it is too long. */
function startOfNumber(key: string): number {
  let start = key.length
  while (start > 0 && isDigit(key.charCodeAt(start - 1))) start--
  while (key.charCodeAt(start) === zero) start++
  const digits = key.length - start
  return digits === 0 || digits > longestNumber ? -1 : start
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

const bitsPerWord = 32
const firstSlots = 16
const free = -1
/** Share of the slots in use beyond which they are doubled. */
const fullness = 0.75

/**
 * A set of whole numbers from 0 to 2^53 - 1 in little memory: 12 bytes for up to 32 neighboring numbers, as ids mostly
 * are, and no objects for the garbage collector.
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

  /** Slot of a word, present or not. Neighbours are asked for one after another, hence the last one is kept. */
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
