import {isRawNumber, type JsonRecord, type JsonValue, parsePrinted, printJson} from '../../values/json.js'
import {MadeList} from '../../values/list.js'
import type {PlannedRow, RowList} from './cut-sets.js'

/** Rows that are packed together; fewer are kept as they are. */
const rowsOfPack = 512
const bytesOfDigest = 16
/** Unpacked at a time: a set, and what is around it, lies in few packs. */
const mostUnpacked = 4

/** Lines are at hand; the text is unpacked where more of a row is asked for. */
type Pack = {
  lines: Float64Array
  /** One after the other, where each row has one. */
  digests: Uint8Array | undefined
  text: Uint8Array
  /** Each row is its line, its record and its digest, and nothing more. */
  isPlain: boolean
  /** No number of it needs its digits kept. */
  isSimple: boolean
}

/**
 * Rows in little memory: compressed text, some 20 to 60 bytes a row. To read them in order takes linear time; a
 * row elsewhere costs unpacking the 512 around it.
 */
export class PackedRows extends MadeList<PlannedRow> {
  readonly #packs: Pack[] = []
  readonly #unpacked = new Map<number, readonly JsonRecord[]>()
  #last: PlannedRow[] = []

  /** Of any rows, which are read once; few are an array. */
  static of(rows: Iterable<PlannedRow>): RowList {
    const packed = new PackedRows()
    for (const row of rows) packed.push(row)
    return packed.list
  }

  /** These rows as they can be read from now on; few are an array. */
  get list(): RowList {
    return this.#packs.length === 0 ? this.#last : this
  }

  get length(): number {
    return this.#packs.length * rowsOfPack + this.#last.length
  }

  push(row: PlannedRow): void {
    this.#last.push(row)
    if (this.#last.length < rowsOfPack) return
    this.#packs.push(pack(this.#last))
    this.#last = []
  }

  at(place: number): PlannedRow | undefined {
    const number = Math.floor(place / rowsOfPack)
    const index = place % rowsOfPack
    const packed = this.#packs[number]
    if (!packed) return number === this.#packs.length ? this.#last[index] : undefined
    const line = packed.lines[index] ?? 0
    const recordOf = () => this.#unpack(number, packed)[index] ?? {}
    if (!packed.isPlain) return toRow(line, recordOf())
    const digest = packed.digests?.subarray(index * bytesOfDigest, (index + 1) * bytesOfDigest)
    return {
      line,
      get record() {
        return recordOf()
      },
      ...(digest && {digest}),
    }
  }

  #unpack(number: number, {text, isSimple}: Pack): readonly JsonRecord[] {
    const known = this.#unpacked.get(number)
    if (known) return known
    const {inflateRawSync} = process.getBuiltinModule('node:zlib')
    const plain = inflateRawSync(text).toString()
    const values = (isSimple ? JSON.parse(plain) : parsePrinted(plain)) as JsonRecord[]
    const [oldest] = this.#unpacked.size === mostUnpacked ? this.#unpacked.keys() : []
    if (oldest !== undefined) this.#unpacked.delete(oldest)
    this.#unpacked.set(number, values)
    return values
  }
}

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

/** The rows that are taken; the list itself where all are. */
export function filterRows(rows: RowList, isTaken: (row: PlannedRow) => boolean): RowList {
  if (rows.every(isTaken)) return rows
  const taken = new PackedRows()
  for (const row of rows) if (isTaken(row)) taken.push(row)
  return taken.list
}

function pack(rows: readonly PlannedRow[]): Pack {
  const {deflateRawSync} = process.getBuiltinModule('node:zlib')
  const digests = rows.flatMap(({digest}) => (digest?.length === bytesOfDigest ? [digest] : []))
  const isPlain = rows.every(hasNoMore) && (digests.length === rows.length || rows.every(({digest}) => !digest))
  const values = rows.map((row): JsonRecord => (isPlain ? row.record : toValue(row)))
  return {
    lines: Float64Array.from(rows, ({line}) => line),
    digests: isPlain && digests.length > 0 ? Buffer.concat(digests) : undefined,
    text: deflateRawSync(printJson(values), {level: 1}),
    isPlain,
    isSimple: !values.some(hasDigits),
  }
}

function hasNoMore({skip, by, madeId, given}: PlannedRow): boolean {
  return skip === undefined && by === undefined && madeId === undefined && given === undefined
}

function hasDigits(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isRawNumber(value) || Object.values(value).some(hasDigits)
}

/** Everything of a row is JSON but its digest. */
function toValue({digest, ...row}: PlannedRow): JsonRecord {
  return {...row, ...(digest && {digest: Buffer.from(digest).toString('latin1')})}
}

function toRow(line: number, {digest, ...more}: JsonRecord): PlannedRow {
  const row = {...more, line} as unknown as PlannedRow
  return typeof digest === 'string' ? {...row, digest: Buffer.from(digest, 'latin1')} : row
}
