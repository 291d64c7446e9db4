import {createKeySet, type KeySet} from '../read/key-set.js'

/** Most batches that are looked through one by one: many groups have few, and a set costs more than they do. */
const few = 8

/** The batches of one group. Time O(1) a line; memory: nearly nothing where the lines of a batch stand together. */
export class BatchSet {
  #last: string | undefined
  #known: string[] | KeySet | undefined

  /** Whether the batch of a line is new; `isMixed`: the lines of one batch may be far apart. */
  add(batch: string, isMixed: boolean): boolean {
    if (this.#last === batch) return false
    this.#last = batch
    return !isMixed || this.#addMixed(batch)
  }

  #addMixed(batch: string): boolean {
    this.#known ??= []
    if (Array.isArray(this.#known)) {
      if (this.#known.includes(batch)) return false
      if (this.#known.length === few) this.#known = createKeySet([...this.#known, batch])
      else this.#known.push(batch)
      return true
    }

    if (this.#known.has(batch)) return false
    this.#known.add(batch)
    return true
  }
}
