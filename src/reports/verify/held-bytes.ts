/** What is held may be moved within memory of so many times its length: seldom, and little. */
const slack = 1.5

/**
 * The bytes of a stream that still have to be looked at, in memory that is used again and again. Time: linear in bytes,
 * each of which is copied a few times at most; memory: one and a half times what is held.
 */
export class HeldBytes {
  /** Bytes that were not skipped. */
  bytes: Buffer = Buffer.alloc(0)
  #memory: Buffer = Buffer.alloc(0)
  /** In the memory: where what is remembered begins, where `bytes` begin, and where they end. */
  #from = 0
  #at = 0
  #end = 0
  #remembered = 0
  #isLent = false

  /** Adds a copy of bytes. */
  push(bytes: Buffer): void {
    this.keep()
    this.#add(bytes)
  }

  /** Adds bytes which stay as they are until `keep` is called. */
  lend(bytes: Buffer): void {
    if (this.bytes.length > 0) this.push(bytes)
    else [this.bytes, this.#isLent] = [bytes, true]
  }

  /** Copies what was lent, as far as it was not skipped. */
  keep(): void {
    if (!this.#isLent) return
    const {bytes} = this
    this.#isLent = false
    this.#add(bytes)
  }

  /** Skips bytes; those that are to be remembered take the place of those that were remembered before. */
  skip(length: number, {remember = false} = {}): void {
    this.bytes = this.bytes.subarray(length)
    if (this.#isLent) return
    if (remember) [this.#from, this.#remembered] = [this.#at, length]
    this.#at += length
    if (this.#remembered === 0) this.#from = this.#at
  }

  /** What is remembered, if anything, for the last time. */
  recall(): Buffer | undefined {
    const found = this.#memory.subarray(this.#from, this.#from + this.#remembered)
    this.#remembered = 0
    this.#from = this.#at
    return found.length > 0 ? found : undefined
  }

  #add(bytes: Buffer): void {
    const held = this.#end - this.#from
    if (this.#end + bytes.length > this.#memory.length) {
      const needed = held + bytes.length
      const isTight = needed * slack > this.#memory.length
      const to = isTight ? Buffer.allocUnsafeSlow(Math.ceil(needed * slack)) : this.#memory
      this.#memory.copy(to, 0, this.#from, this.#end)
      this.#memory = to
      this.#at -= this.#from
      this.#from = 0
      this.#end = held
    }

    this.#end += bytes.copy(this.#memory, this.#end)
    this.bytes = this.#memory.subarray(this.#at, this.#end)
  }
}
