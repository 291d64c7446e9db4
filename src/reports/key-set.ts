/** A set of record keys that takes little memory: most keys are a few letters and a number. */
export type KeySet = {has(key: string): boolean; add(key: string): void; readonly size: number}

/** Longest run of digits that a number holds exactly. */
const longestNumber = 15

export function createKeySet(keys: Iterable<string> = []): KeySet {
  const numbers = new Map<string, Set<number>>()
  const others = new Set<string>()
  let size = 0
  const set: KeySet = {
    has(key) {
      const start = startOfNumber(key)
      return start < 0 ? others.has(key) : (numbers.get(key.slice(0, start))?.has(Number(key.slice(start))) ?? false)
    },
    add(key) {
      if (set.has(key)) return
      size++
      const start = startOfNumber(key)
      if (start < 0) return void others.add(key)
      const prefix = key.slice(0, start)
      const known = numbers.get(prefix) ?? new Set<number>()
      numbers.set(prefix, known.add(Number(key.slice(start))))
    },
    get size() {
      return size
    },
  }

  for (const key of keys) set.add(key)
  return set
}

/** Where the number at the end of a key begins, leading zeros left out; -1 when there is none or it is too long. */
function startOfNumber(key: string): number {
  let start = key.length
  while (start > 0 && isDigit(key.charCodeAt(start - 1))) start--
  while (key.charCodeAt(start) === zero) start++
  const digits = key.length - start
  return digits === 0 || digits > longestNumber ? -1 : start
}

const zero = 0x30
const nine = 0x39

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}
