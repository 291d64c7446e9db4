const firstLength = 1 << 12

/** A buffer that grows, reused for every page. */
export class PageOutput {
  bytes: Buffer = Buffer.allocUnsafeSlow(firstLength)
  view = new DataView(this.bytes.buffer)
  /** Bytes written. */
  at = 0

  /** Makes room; what was written stays. `bytes` may be another buffer from then on. */
  ensure(room: number): void {
    if (this.at + room <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 1.5, this.at + room))
    this.bytes.copy(larger, 0, 0, this.at)
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }

  byte(byte: number): void {
    this.ensure(1)
    this.bytes[this.at++] = byte
  }

  text(text: string): void {
    this.ensure(text.length * 3)
    this.at += this.bytes.write(text, this.at)
  }

  /** Adds what was written before; there must be room. */
  repeat(start: number, end: number): void {
    this.bytes.copyWithin(this.at, start, end)
    this.at += end - start
  }

  copy(from: Buffer, start: number, end: number): void {
    this.ensure(end - start)
    this.at += from.copy(this.bytes, this.at, start, end)
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at)
  }
}
