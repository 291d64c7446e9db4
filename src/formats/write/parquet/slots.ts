export const firstRoom = 64
const multiplier = 0x9e3779b1

/** Finds codes by hash: open addressing, each slot a code plus 1. Filled by half at most, by who grows it. */
export class Slots {
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
export function findBounds(count: number, compare: (one: number, other: number) => number): [number, number] | [] {
  if (count === 0) return []
  let least = 0
  let greatest = 0
  for (let code = 1; code < count; code++) {
    if (compare(code, least) < 0) least = code
    else if (compare(code, greatest) > 0) greatest = code
  }

  return [least, greatest]
}
