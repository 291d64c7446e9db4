import {isNumber, type JsonRecord, type JsonValue, printJson} from '../values/json.js'

/** Remembers the natural keys of a file: given a record and its line, the line that had the same key before it. */
export type FindDuplicate = (record: JsonRecord, line: number) => number | undefined

/**
 * Without a natural key nothing is a duplicate; a record that lacks a part of its key is not one either. Numbers beyond
 * the exact ones of JavaScript are compared by their digits.
 */
export function createDuplicateFinder(naturalKey: readonly string[]): FindDuplicate {
  if (naturalKey.length === 0) return () => undefined
  const findFirst = createKeyLines()
  return (record, line) => {
    const parts: JsonValue[] = []
    for (const name of naturalKey) {
      const part = record[name]
      if (part === undefined || !(typeof part === 'string' || isNumber(part))) return undefined
      parts.push(part)
    }

    return findFirst(printJson(parts), line)
  }
}

const bitsOfBlock = 20
const bytesOfBlock = 1 << bitsOfBlock
const bytesOfLength = 4
const firstKeys = 1 << 9
const firstBytes = 1024
/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const bytesOfUnit = 3
/** Numbers of each key: its hash, the place of its bytes, and its line. */
const numbersOfKey = 3

/**
 * Remembers the first line of each key; given a key and its line, the line that had the same key before it.
 * Keys are compared in full. Constant time, and the bytes of a key and some 25 more of memory.
 */
export function createKeyLines(): (key: string, line: number) => number | undefined {
  const blocks: Buffer[] = []
  let used = bytesOfBlock
  let keys = new Uint32Array(firstKeys * numbersOfKey)
  let slots = new Uint32Array(firstKeys * 2) // place of a key among them, from 1
  let count = 0
  let bytes = Buffer.allocUnsafe(firstBytes) // of the key that is asked for

  return (key, line) => {
    if (count * 2 === slots.length) grow()
    if (key.length * bytesOfUnit > bytes.length) bytes = Buffer.allocUnsafe(key.length * bytesOfUnit)
    const length = bytes.write(key)
    const hash = hashOf(key)
    let slot = hash & (slots.length - 1)
    for (let place = slots[slot]; place; place = slots[slot]) {
      const at = (place - 1) * numbersOfKey
      if (keys[at] === hash && hasBytes(keys[at + 1] ?? 0, length)) return keys[at + 2]
      slot = (slot + 1) & (slots.length - 1)
    }

    const at = count * numbersOfKey
    keys[at] = hash
    keys[at + 1] = keep(length)
    keys[at + 2] = line
    slots[slot] = ++count
    return undefined
  }

  function hasBytes(at: number, length: number): boolean {
    const from = at % bytesOfBlock
    const block = blocks[at >>> bitsOfBlock]
    if (block?.readUInt32LE(from) !== length) return false
    const start = from + bytesOfLength
    return block.compare(bytes, 0, length, start, start + length) === 0
  }

  function keep(length: number): number {
    const more = bytesOfLength + length
    if (used + more > bytesOfBlock) {
      blocks.push(Buffer.allocUnsafeSlow(Math.max(bytesOfBlock, more)))
      used = 0
    }
    const at = (blocks.length - 1) * bytesOfBlock + used
    const block = blocks.at(-1)
    block?.writeUInt32LE(length, used)
    if (block) bytes.copy(block, used + bytesOfLength, 0, length)
    used += more
    return at
  }

  function grow(): void {
    const more = new Uint32Array(keys.length * 2)
    more.set(keys)
    keys = more
    slots = new Uint32Array(slots.length * 2)
    for (let place = 0; place < count; place++) {
      let slot = (keys[place * numbersOfKey] ?? 0) & (slots.length - 1)
      while (slots[slot]) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = place + 1
    }
  }
}

/** FNV-1a of UTF-16 units, mixed once more for its lower bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
