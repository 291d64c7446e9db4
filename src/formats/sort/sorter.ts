import {openScratchFile, type ScratchFile} from './scratch-file.js'
import type {SortKey} from './sort-key.js'
import {SortMemory} from './sort-memory.js'
import {headBytes, mergeRuns, type SortedRow, SortedRun} from './sorted-run.js'

export type SorterOptions = {
  /** Most rows that come out. */
  limit?: number
  /** The folder for rows that memory does not hold; asked for only then. */
  folder: () => string
  /** Bytes of keys and rows in memory. */
  memory?: number
}

const usualMemory = 1 << 25
const blockBytes = 1 << 20

/**
 * Puts rows in the order of their keys; rows with equal keys stay in the order in which they came. Rows that memory does
 * not hold go to a file in sorted runs, which are merged in the end; with a limit only those that may come out are kept.
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

  /** Adds bytes of a buffer as a row. Throws `storage` when neither memory nor disk takes it. */
  add(key: Pick<SortKey, 'bytes' | 'length'>, row: Buffer, start: number, end: number): void {
    this.count++
    if (this.#limit === 0 || this.#isBeyond(key)) return
    const size = headBytes + key.length + end - start
    if (!this.#memory.makeRoom(size)) {
      this.#empty(size)
      this.#memory.makeRoom(size)
    }
    this.#memory.add(key, row, start, end)
  }

  /** The rows in order. Ask for them once; leaving them early frees the disk, too. */
  *rows(): Generator<SortedRow, void, void> {
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

  #isBeyond({bytes, length}: Pick<SortKey, 'bytes' | 'length'>): boolean {
    return this.#last !== undefined && bytes.compare(this.#last, 0, this.#last.length, 0, length) >= 0
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
