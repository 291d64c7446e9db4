import {nine, zero} from '../../values/byte-codes.js'
import {NumberSet} from '../../values/number-set.js'

/** A set of record keys that takes little memory: most keys are a few letters and a number. */
export type KeySet = {has(key: string): boolean; add(key: string): void; readonly size: number}

/** Longest run of digits that a number holds exactly. */
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

/** Where the number at the end of a key begins, leading zeros left out; -1 when there is none or it is too long. */
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
