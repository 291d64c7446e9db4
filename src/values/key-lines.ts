const bitsOfBlock = 20
const bytesOfBlock = 1 << bitsOfBlock
const bytesOfLength = 4
const firstKeys = 1 << 9
/** Of each key: its hash, where its bytes lie, and its line. */
const numbersOfKey = 3

/**
 * Remembers the line that each key stands on first; given a key and its line, the line that had the same key before it.
 * Keys are compared in full. Constant time, and the bytes of a key and some 25 more of memory.
 */
export function createKeyLines(): (key: string, line: number) => number | undefined {
  const blocks: Buffer[] = []
  let used = bytesOfBlock
  let keys = new Uint32Array(firstKeys * numbersOfKey)
  let slots = new Uint32Array(firstKeys * 2) // place of a key among them, from 1
  let count = 0

  return (key, line) => {
    if (count * 2 === slots.length) grow()
    const bytes = Buffer.from(key)
    const hash = hashOf(bytes)
    let slot = hash & (slots.length - 1)
    for (let place = slots[slot]; place; place = slots[slot]) {
      const at = (place - 1) * numbersOfKey
      if (keys[at] === hash && hasBytes(keys[at + 1] ?? 0, bytes)) return keys[at + 2]
      slot = (slot + 1) & (slots.length - 1)
    }

    keys.set([hash, keep(bytes), line], count * numbersOfKey)
    slots[slot] = ++count
    return undefined
  }

  function hasBytes(at: number, bytes: Buffer): boolean {
    const from = at % bytesOfBlock
    const block = blocks[at >>> bitsOfBlock]
    if (block?.readUInt32LE(from) !== bytes.length) return false
    const start = from + bytesOfLength
    return block.compare(bytes, 0, bytes.length, start, start + bytes.length) === 0
  }

  function keep(bytes: Buffer): number {
    const length = bytesOfLength + bytes.length
    if (used + length > bytesOfBlock) {
      blocks.push(Buffer.allocUnsafeSlow(Math.max(bytesOfBlock, length)))
      used = 0
    }
    const at = (blocks.length - 1) * bytesOfBlock + used
    blocks.at(-1)?.writeUInt32LE(bytes.length, used)
    blocks.at(-1)?.set(bytes, used + bytesOfLength)
    used += length
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

/** FNV-1a, mixed once more for its lower bits. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
