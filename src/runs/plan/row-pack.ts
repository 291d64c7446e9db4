import {isRawNumber, type JsonRecord, type JsonValue, parseExact, printJson} from '../../values/json.js'
import type {PlannedRow} from './cut-sets.js'

/** Rows that are packed together. */
export const rowsOfPack = 512
const bytesOfDigest = 16
const firstTextBytes = 64 * 1024
/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const bytesOfUnit = 3
/** What is special about a row: more than its record is in its text; it has a digest; digits to keep; it is in no set. */
const [moreBit, digestBit, digitsBit, skipBit] = [1, 2, 4, 8]

/** Some rows as the bytes of their JSON, one after the other. What is no JSON, and lines, which are often asked for, is at hand. */
export class RowPack {
  length = 0
  /** As is, or deflated. */
  text: Buffer
  isDeflated = false
  readonly #ends = new Uint32Array(rowsOfPack)
  readonly #lines = new Float64Array(rowsOfPack)
  readonly #bits = new Uint8Array(rowsOfPack)
  #digests: Buffer | undefined

  /** `text`: the buffer to write to, of a pack that is closed. */
  constructor(text: Buffer = Buffer.allocUnsafeSlow(firstTextBytes)) {
    this.text = text
  }

  push(row: PlannedRow): void {
    const {line, digest} = row
    const isMore = hasMore(row)
    const value = isMore ? toValue(row) : row.record
    const isKept = digest !== undefined && !isMore
    if (isKept) this.#keepDigest(digest)
    this.#bits[this.length] =
      (isMore ? moreBit : 0) |
      (isKept ? digestBit : 0) |
      (hasDigits(value) ? digitsBit : 0) |
      (row.skip === undefined ? 0 : skipBit)
    this.#lines[this.length] = line
    const end = this.#write(printJson(value))
    this.#ends[this.length++] = end
  }

  /** Ends the pack, whose text is its own then. Gives back the buffer that it was written to. */
  close(): Buffer {
    const buffer = this.text
    this.text = Buffer.from(buffer.subarray(0, this.#ends[this.length - 1]))
    return buffer
  }

  lineAt(index: number): number {
    return this.#lines[index] ?? 0
  }

  /** Whether a row is more than its line, its record and its digest. */
  isMoreAt(index: number): boolean {
    return this.#hasBit(index, moreBit)
  }

  hasSkipAt(index: number): boolean {
    return this.#hasBit(index, skipBit)
  }

  digestAt(index: number): Uint8Array | undefined {
    if (!this.#hasBit(index, digestBit)) return undefined
    return this.#digests?.subarray(index * bytesOfDigest, (index + 1) * bytesOfDigest)
  }

  /** The record of a row, or all of one that is more; `text` is that of the pack, inflated. */
  recordAt(index: number, text: Buffer): JsonRecord {
    const json = text.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
    return (this.#hasBit(index, digitsBit) ? parseExact(json) : JSON.parse(json)) as JsonRecord
  }

  rowAt(index: number, text: Buffer): PlannedRow {
    const line = this.lineAt(index)
    const record = this.recordAt(index, text)
    if (this.isMoreAt(index)) return toRow(line, record)
    const digest = this.digestAt(index)
    return digest ? {line, record, digest} : {line, record}
  }

  #hasBit(index: number, bit: number): boolean {
    return ((this.#bits[index] ?? 0) & bit) !== 0
  }

  #keepDigest(digest: Uint8Array): void {
    this.#digests ??= Buffer.allocUnsafeSlow(rowsOfPack * bytesOfDigest)
    this.#digests.set(digest, this.length * bytesOfDigest)
  }

  #write(json: string): number {
    const start = this.length === 0 ? 0 : (this.#ends[this.length - 1] ?? 0)
    const most = start + json.length * bytesOfUnit
    if (most > this.text.length) {
      const larger = Buffer.allocUnsafeSlow(most * 2)
      this.text.copy(larger, 0, 0, start)
      this.text = larger
    }
    return start + this.text.write(json, start)
  }
}

function hasMore({skip, by, madeId, given, digest}: PlannedRow): boolean {
  if (digest && digest.length !== bytesOfDigest) return true
  return skip !== undefined || by !== undefined || madeId !== undefined || given !== undefined
}

function hasDigits(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isRawNumber(value)) return true
  if (Array.isArray(value)) return value.some(hasDigits)
  for (const name in value) if (hasDigits((value as JsonRecord)[name] ?? null)) return true
  return false
}

/** Everything of a row is JSON but its digest. */
function toValue({digest, ...row}: PlannedRow): JsonRecord {
  return {...row, ...(digest && {digest: Buffer.from(digest).toString('latin1')})}
}

function toRow(line: number, {digest, ...more}: JsonRecord): PlannedRow {
  const row = {...more, line} as unknown as PlannedRow
  return typeof digest === 'string' ? {...row, digest: Buffer.from(digest, 'latin1')} : row
}
