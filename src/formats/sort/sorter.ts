import {headBytes, mergeRuns, openScratchFile, type ScratchFile, SortedRun, type Stretch} from './sorted-run.js'

export type SorterOptions = {
  /** Most rows that come out. */
  limit?: number | undefined
  /** The folder for rows that do not fit in memory; asked for only then. */
  folder: () => string
  /** Bytes of keys and rows in memory. */
  memory?: number
}

const usualMemory = 1 << 25
const blockBytes = 1 << 20

/**
 * Puts rows in the order of their keys; rows with equal keys stay in the order in which they came. Rows that do not fit
 * in memory go to a file in sorted runs, which are merged at the end; with a limit only the first rows are kept.
 * Time: n log n comparisons. Memory: 32 MB, and 64 KB for each 32 MB of rows.
 */
export class Sorter {
  /** Rows that were added. */
  count = 0
  readonly #limit: number
  readonly #folder: () => string
  readonly #most: number
  readonly #memory: SortMemory
  /** The key from which on no row can come out. */
  #last: Buffer | undefined
  #file: ScratchFile | undefined
  readonly #runs: SortedRun[] = []

  constructor({limit = Number.POSITIVE_INFINITY, folder, memory = usualMemory}: SorterOptions) {
    this.#limit = limit
    this.#folder = folder
    this.#most = memory
    this.#memory = new SortMemory(memory)
  }

  /** Adds a row. Throws `storage` when neither memory nor disk takes it. */
  add(key: Stretch, row: Stretch): void {
    this.count++
    if (this.#limit === 0 || this.#isBeyond(key)) return
    const size = headBytes + key.end - key.start + row.end - row.start
    if (!this.#memory.makeRoom(size)) {
      this.#empty(size)
      this.#memory.makeRoom(size)
    }
    this.#memory.add(key, row)
  }

  /** The rows in order. Ask for them once; leaving them early frees the disk, too. */
  *rows(): Generator<Stretch, void, void> {
    try {
      const isInMemory = this.#runs.length === 0
      if (!isInMemory) this.#writeRun(this.#memory.order())
      let left = this.#limit
      for (const row of isInMemory ? this.#memory.rows(this.#memory.order()) : mergeRuns(this.#runs)) {
        if (left-- <= 0) return
        yield row
      }
    } finally {
      this.#file?.close()
    }
  }

  #isBeyond({bytes, start, end}: Stretch): boolean {
    return this.#last !== undefined && bytes.compare(this.#last, 0, this.#last.length, start, end) >= 0
  }

  /** Drops rows that cannot come out; when that is not enough, all others go to the file. */
  #empty(size: number): void {
    const order = this.#memory.order()
    const kept = this.#limit < order.length ? order.subarray(0, this.#limit) : order
    if (kept.length === this.#limit) this.#last = Buffer.from(this.#memory.keyOf(kept.at(-1) as number))
    const keptBytes = kept.reduce((sum, entry) => sum + this.#memory.bytesOf(entry).length, 0)
    if (kept.length < order.length && keptBytes + size <= this.#most / 2) this.#memory.keepOnly(kept)
    else this.#writeRun(kept)
  }

  #writeRun(order: Uint32Array): void {
    this.#file ??= openScratchFile(this.#folder(), '--sort')
    const file = this.#file
    const from = file.size
    const block = Buffer.allocUnsafeSlow(blockBytes)
    let at = 0
    for (const entry of order) {
      const bytes = this.#memory.bytesOf(entry)
      if (at + bytes.length > block.length) {
        file.append(block.subarray(0, at))
        at = 0
      }
      if (bytes.length > block.length) file.append(bytes)
      else at += bytes.copy(block, at)
    }

    file.append(block.subarray(0, at))
    this.#runs.push(new SortedRun(file, this.#runs.length, [from, file.size]))
    this.#memory.clear()
  }
}

const firstBytes = 1 << 16
const firstEntries = 1 << 8
/** Bytes at the start of a key that are compared as two numbers. */
const half = 6

/** Entries in one buffer: two lengths, the key and the row of each. Memory: the given bytes, and 28 for each entry. */
export class SortMemory {
  /** Entries, and the bytes that they take. */
  count = 0
  used = 0
  readonly #most: number
  #bytes: Buffer
  #places = new Uint32Array(firstEntries)
  #high = new Float64Array(firstEntries)
  #low = new Float64Array(firstEntries)

  constructor(most: number) {
    this.#most = most
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(firstBytes, most))
  }

  /** Whether an entry of that size fits; the first one always does. */
  makeRoom(size: number): boolean {
    const wanted = this.used + size
    if (wanted <= this.#bytes.length) return true
    if (wanted > this.#most && this.count > 0) return false
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, Math.min(this.#most, this.#bytes.length * 2)))
    this.#bytes.copy(larger, 0, 0, this.used)
    this.#bytes = larger
    return true
  }

  add(key: Stretch, row: Stretch): void {
    if (this.count === this.#places.length) this.#growEntries()
    const bytes = this.#bytes
    const at = this.used
    const length = key.end - key.start
    bytes.writeUInt32LE(length, at)
    bytes.writeUInt32LE(row.end - row.start, at + 4)
    for (let place = 0; place < length; place++) bytes[at + headBytes + place] = key.bytes[key.start + place] as number
    row.bytes.copy(bytes, at + headBytes + length, row.start, row.end)
    this.#places[this.count] = at
    this.#high[this.count] = numberAt(key, key.start)
    this.#low[this.count] = numberAt(key, key.start + half)
    this.count++
    this.used = at + headBytes + length + row.end - row.start
  }

  /** The entries in order: by key, and those with equal keys as they came. */
  order(): Uint32Array {
    const order = new Uint32Array(this.count)
    for (let entry = 0; entry < order.length; entry++) order[entry] = entry
    const [high, low] = [this.#high, this.#low]
    return order.sort((one, other) => {
      const order = (high[one] as number) - (high[other] as number) || (low[one] as number) - (low[other] as number)
      return order || this.#compareRests(one, other) || one - other
    })
  }

  *rows(order: Uint32Array): Generator<Stretch, void, void> {
    for (const entry of order) yield this.#rowOf(entry)
  }

  /** The bytes of an entry: lengths, key and row. */
  bytesOf(entry: number): Buffer {
    return this.#bytes.subarray(this.#places[entry], this.#rowOf(entry).end)
  }

  keyOf(entry: number): Buffer {
    const at = (this.#places[entry] as number) + headBytes
    return this.#bytes.subarray(at, this.#rowOf(entry).start)
  }

  /** Forgets all other entries; these are the first from then on. */
  keepOnly(order: Uint32Array): void {
    const kept = new SortMemory(this.#most)
    kept.makeRoom(this.#bytes.length)
    for (const entry of order) {
      const row = this.#rowOf(entry)
      kept.add({bytes: row.bytes, start: (this.#places[entry] as number) + headBytes, end: row.start}, row)
    }

    this.#bytes = kept.#bytes
    this.#places = kept.#places
    this.#high = kept.#high
    this.#low = kept.#low
    this.count = kept.count
    this.used = kept.used
  }

  clear(): void {
    this.count = 0
    this.used = 0
  }

  #rowOf(entry: number): Stretch {
    const bytes = this.#bytes
    const at = this.#places[entry] as number
    const start = at + headBytes + bytes.readUInt32LE(at)
    return {bytes, start, end: start + bytes.readUInt32LE(at + 4)}
  }

  #compareRests(one: number, other: number): number {
    const bytes = this.#bytes
    const [from, to] = [this.#places[one] as number, this.#places[other] as number]
    const length = Math.min(bytes.readUInt32LE(from), bytes.readUInt32LE(to)) + headBytes
    for (let at = headBytes + half * 2; at < length; at++) {
      const order = (bytes[from + at] as number) - (bytes[to + at] as number)
      if (order !== 0) return order
    }

    return 0
  }

  #growEntries(): void {
    const grown = <Values extends Uint32Array | Float64Array>(values: Values, larger: Values) => {
      larger.set(values)
      return larger
    }
    this.#places = grown(this.#places, new Uint32Array(this.count * 2))
    this.#high = grown(this.#high, new Float64Array(this.count * 2))
    this.#low = grown(this.#low, new Float64Array(this.count * 2))
  }
}

/** The bytes of a key from a place on as a number; those behind its end are 0. */
function numberAt({bytes, end}: Stretch, start: number): number {
  let number = 0
  for (let at = start; at < start + half; at++) number = number * 256 + (at < end ? (bytes[at] as number) : 0)
  return number
}
