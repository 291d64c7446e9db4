/**
 * Tokens are two integers: where the bytes of a value begin, and where they end with the kind in the upper bits. Values
 * stay where they came; only their places are kept, because a million records are too many objects to make.
 */
export const kindShift = 27
export const endMask = (1 << kindShift) - 1

/** Kinds of tokens. Of the first three the bytes between begin and end are the text of a cell. */
export const numberToken = 0
export const wordToken = 1
export const textToken = 2
/** A text without escapes, with a byte that the output has to look at. */
export const specialToken = 3
/** A text with escapes. */
export const escapedToken = 4
export const emptyToken = 5
export const nullToken = 6
/** A list: the first integer is where its objects begin among the tokens of items, the second their count. */
export const listToken = 7

/**
 * Integers that grow: room is made before an object is scanned, so that adding one is a plain store. A page acquires
 * the array of its tokens and releases it when it is written, so that a few arrays serve a complete export.
 */
export class TokenStore {
  integers = new Int32Array(firstLength)
  count = 0
  private readonly spare: Int32Array<ArrayBuffer>[] = []

  /** Drops integers that nobody acquired. */
  begin(room: number): void {
    this.count = 0
    this.ensure(Math.ceil(room))
  }

  ensure(room: number): void {
    if (this.count + room <= this.integers.length) return
    const larger = new Int32Array(Math.max(this.integers.length * 2, this.count + room))
    larger.set(this.integers.subarray(0, this.count))
    this.integers = larger
  }

  acquire(): Int32Array<ArrayBuffer> {
    const acquired = this.integers
    this.integers = this.spare.pop() ?? new Int32Array(acquired.length)
    this.count = 0
    return acquired
  }

  release(acquired: Int32Array<ArrayBuffer>): void {
    if (this.spare.length < maximumSpare) this.spare.push(acquired)
  }
}

const maximumSpare = 4
const firstLength = 1 << 10
