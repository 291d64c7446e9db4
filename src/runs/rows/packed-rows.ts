import {isRawNumber, type JsonRecord, type JsonValue, parseExact, printJson} from '../../values/json.js'
import {MadeList} from '../../values/list.js'
import type {PlannedRow, RowList, Skip} from './cut-sets.js'

const plainBytes = 8 * 1024 * 1024
/** Estimate for a field of an unpacked row, beside its text. */
const bytesOfField = 48
/** Packs inflated at a time: a set and its neighbors lie in few packs. */
const mostInflated = 4

/**
 * Rows in little memory: some 16 MB unpacked, because each step would print and parse them; beyond it 8 MB of text,
 * then deflated text, some 20 to 60 bytes a row. To read them in order takes linear time; a row elsewhere may cost
 * inflating the 512 around it.
 */
export class PackedRows extends MadeList<PlannedRow> {
  readonly #packs: RowPack[] = []
  readonly #inflated = new Map<RowPack, Buffer>()
  #unpacked: PlannedRow[] = []
  #unpackedBytes = 0
  #packed = 0
  #plainBytes = 0
  #deflated = 0
  readonly #mostPlainBytes: number

  /** Beyond this much text the oldest is deflated. */
  constructor(mostPlainBytes = plainBytes) {
    super()
    this.#mostPlainBytes = mostPlainBytes
  }

  /** Packs any rows, which are read once; few are an array. */
  static of(rows: Iterable<PlannedRow>, mostPlainBytes = plainBytes): RowList {
    const packed = new PackedRows(mostPlainBytes)
    for (const row of rows) packed.push(row)
    return packed.list
  }

  /** These rows as they can be read from now on; few are an array. */
  get list(): RowList {
    return this.#packed === 0 ? this.#unpacked : this
  }

  get length(): number {
    return this.#packed + this.#unpacked.length
  }

  push(row: PlannedRow): void {
    if (this.#packed > 0) this.#pack(row)
    else {
      this.#unpacked.push(row)
      this.#unpackedBytes += bytesOf(row.record) + bytesOf(row.given)
      if (this.#unpackedBytes <= 2 * this.#mostPlainBytes) return
      for (const one of this.#unpacked) this.#pack(one)
      this.#unpacked = []
    }
  }

  at(place: number): PlannedRow | undefined {
    if (place >= this.#packed) return this.#unpacked[place]
    const [pack, index] = [this.#packs[Math.floor(place / rowsOfPack)], place % rowsOfPack]
    if (!pack) return undefined
    return pack.isMoreAt(index) ? pack.rowAt(index, this.#textOf(pack)) : new PackedRow(pack, index, this.#recordOf)
  }

  skipAt(place: number): Skip | undefined {
    const pack = place < this.#packed ? this.#packs[Math.floor(place / rowsOfPack)] : undefined
    return pack && !pack.hasSkipAt(place % rowsOfPack) ? undefined : this.at(place)?.skip
  }

  /** Rows that are read in order are read completely. */
  override *[Symbol.iterator](): Generator<PlannedRow, void, void> {
    yield* this.#unpacked
    for (const pack of this.#packs) {
      for (let index = 0; index < pack.length; index++) yield pack.rowAt(index, this.#textOf(pack))
    }
  }

  readonly #recordOf = (pack: RowPack, index: number): JsonRecord => pack.recordAt(index, this.#textOf(pack))

  #textOf(pack: RowPack): Buffer {
    if (!pack.isDeflated) return pack.text
    const known = this.#inflated.get(pack)
    if (known) return known
    const plain = process.getBuiltinModule('node:zlib').inflateRawSync(pack.text)
    const [oldest] = this.#inflated.size === mostInflated ? this.#inflated.keys() : []
    if (oldest !== undefined) this.#inflated.delete(oldest)
    this.#inflated.set(pack, plain)
    return plain
  }

  #pack(row: PlannedRow): void {
    const last = this.#packs.at(-1)
    const pack = last && last.length < rowsOfPack ? last : this.#open(last)
    pack.push(row)
    this.#packed++
  }

  #open(last: RowPack | undefined): RowPack {
    const pack = new RowPack(last?.close())
    this.#plainBytes += last?.text.length ?? 0
    while (this.#plainBytes > this.#mostPlainBytes) this.#deflateNext()
    this.#packs.push(pack)
    return pack
  }

  #deflateNext(): void {
    const oldest = this.#packs[this.#deflated++]
    if (!oldest) return
    this.#plainBytes -= oldest.text.length
    oldest.text = process.getBuiltinModule('node:zlib').deflateRawSync(oldest.text, {level: 1})
    oldest.isDeflated = true
  }
}

/** A row whose record is read when it is asked for: a property of its own, for whoever copies the row. */
class PackedRow implements PlannedRow {
  readonly line: number
  declare readonly digest?: Uint8Array
  readonly #pack: RowPack
  readonly #index: number
  readonly #read: (pack: RowPack, index: number) => JsonRecord
  #known: JsonRecord | undefined

  constructor(pack: RowPack, index: number, read: (pack: RowPack, index: number) => JsonRecord) {
    this.line = pack.lineAt(index)
    this.#pack = pack
    this.#index = index
    this.#read = read
    Object.defineProperty(this, 'record', ownRecord)
    const digest = pack.digestAt(index)
    if (digest) this.digest = digest
  }

  get record(): JsonRecord {
    this.#known ??= this.#read(this.#pack, this.#index)
    return this.#known
  }
}

const ownRecord = {...Object.getOwnPropertyDescriptor(PackedRow.prototype, 'record'), enumerable: true}

/** The rows with another one in place of each, packed; the list itself where the work changes none. */
export function mapRows(rows: RowList, work: (row: PlannedRow, place: number) => PlannedRow): RowList {
  const made = new PackedRows()
  let isSame = true
  for (const row of rows) {
    const next = work(row, made.length)
    isSame &&= next === row
    made.push(next)
  }
  return isSame ? rows : made.list
}

/** The rows that pass; the list itself where all do. */
export function filterRows(rows: RowList, passes: (row: PlannedRow) => boolean): RowList {
  if (rows.every(passes)) return rows
  const passed = new PackedRows()
  for (const row of rows) if (passes(row)) passed.push(row)
  return passed.list
}

/** About what a value takes in memory. */
function bytesOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return 0
  let bytes = 0
  for (const name in value) bytes += bytesOfField + bytesOf((value as JsonRecord)[name])
  return bytes
}

/** Rows that are packed together. */
const rowsOfPack = 512
const bytesOfDigest = 16
const firstTextBytes = 64 * 1024
/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const bytesOfUnit = 3
/** Marks of a packed row: its text has more than its record; it has a digest; digits to keep; it is in no set. */
const [moreBit, digestBit, digitsBit, skipBit] = [1, 2, 4, 8]

/** Some rows as the bytes of their JSON, one after the other. Lines, which are often asked for, and digests are beside it. */
class RowPack {
  length = 0
  /** Stored without compression, or deflated. */
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
