import {CellScanner} from '../../formats/read/exported-cells.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {unescapeFormula} from '../../formats/write/dialect.js'
import {newline, openBrace} from '../../values/byte-codes.js'
import {findRecord, printJson} from '../../values/json.js'
import {recordKey} from '../../values/record-key.js'
import {delimiterOf, type Manifest} from '../export/manifest.js'

/** The rows of one record, one after the other. */
export type RecordRows = {
  id: string
  /** All cells, or all values, as JSON: two spellings of one value are equal. */
  content: string
  /** Bytes up to the next record. */
  length: number
}

/** Format of the bytes of an export. */
export type StreamOptions = Pick<Manifest, 'file' | 'format' | 'dialect' | 'columns'>

type Row = Pick<RecordRows, 'id' | 'content'>

/** Starts of rows, and the end of the last complete one. */
type FoundRows = {starts: number[]; read(row: number): Row}

/**
 * The bytes of an export, cut into records only where one is asked for: rows with the same id, one after the other, are
 * one record. Time: linear in the bytes in which records are looked for. Memory: the bytes that are kept.
 */
export class RecordStream {
  readonly #kept = new KeptBytes()
  readonly #options: StreamOptions
  readonly #isTable: boolean
  readonly #delimiter: string
  #isEnded = false
  /** Columns of a table, and the places of those that are compared. */
  #columns: number | undefined
  #places: readonly number[] = []
  #idPlace = -1
  /** Bytes in which rows were found, the rows, and the first of them that was not skipped. */
  #found: Buffer | undefined
  #foundRows: FoundRows = {starts: [], read: () => ({id: '', content: ''})}
  #first = 0
  #rows: Row[] = []

  constructor(options: StreamOptions) {
    const {format} = options
    this.#options = options
    this.#isTable = format === 'csv' || format === 'tsv'
    this.#delimiter = delimiterOf(options) ?? (format === 'tsv' ? '\t' : ',')
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Bytes that were not skipped; they begin with a row, or with what separates it from the row before. */
  get bytes(): Buffer {
    return this.#kept.bytes
  }

  /** Adds a copy of bytes. */
  push(bytes: Buffer): void {
    this.#kept.push(bytes)
    this.#found = undefined
  }

  end(): void {
    this.#isEnded = true
    this.#found = undefined
  }

  /** Skips bytes that end with a record, if one is named: of an unfinished one there may be more rows to come. */
  skip(length: number, record?: 'finished' | 'unfinished'): void {
    if (record === 'finished') this.#kept.recall()
    this.#kept.skip(length, {remember: record === 'unfinished'})
  }

  /** The id of the last unfinished record, once. */
  unfinishedId(): string | undefined {
    const bytes = this.#kept.recall()
    return bytes && this.#idAtEnd(bytes)
  }

  /** Skips the header of a table; false while it is not there. Throws a `CliFailure` (invalid) when it has no id. */
  open(): boolean {
    if (!this.#isTable || this.#columns !== undefined) return true
    const mark = Number(this.bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) * byteOrderMark.length
    const {table: header} = this.#scanner().scan(this.bytes.subarray(mark))
    if (header.length === 0) return false
    const names = Array.from({length: header.width}, (_, place) => header.textOf(0, place) ?? '')
    this.#idPlace = names.findIndex((name) => name.toLowerCase() === 'id')
    if (this.#idPlace < 0) throw noIds(this.#options.file)
    this.#columns = names.length
    this.#places = (this.#options.columns ?? names).map((name) => names.indexOf(name))
    this.skip(mark + header.endOf(0))
    return true
  }

  /** The next record; undefined at the end, and while another of its rows may come. */
  record(): RecordRows | undefined {
    this.#find()
    const [first, last] = [this.#first, this.#starts.length - 1]
    if (first >= last) return undefined
    let {id, content} = this.#read(first)
    let next = first + 1
    for (; id !== '' && next < last && this.#read(next).id === id; next++) content += this.#read(next).content
    if (next === last && !this.#isEnded) return undefined
    return {id, content, length: this.#placeOf(next)}
  }

  /** Start of the record around the byte at a place, as far as that can be told. */
  startOfRecord(place: number): number {
    this.#find()
    const last = this.#starts.length - 1
    let row = this.#first
    while (row + 1 < last && this.#placeOf(row + 1) <= place) row++
    if (row >= last) return 0
    const {id} = this.#read(row)
    while (id !== '' && row > this.#first && this.#read(row - 1).id === id) row--
    return Math.max(0, this.#placeOf(row))
  }

  /** Whether there is more up to a place than what separates rows or ends a list. */
  hasRow(end: number): boolean {
    return this.#isTable ? end > 0 : this.bytes.subarray(0, end).includes(openBrace)
  }

  /** The id of the last row in bytes that end with a record. */
  #idAtEnd(bytes: Buffer): string {
    const {starts, read} = this.#rowsIn(bytes, true)
    return starts.length > 1 ? read(starts.length - 2).id : ''
  }

  #find(): void {
    if (!this.#found) {
      this.#found = this.bytes
      this.#foundRows = this.#rowsIn(this.bytes, this.#isEnded)
      this.#rows = []
      this.#first = 0
    }

    const last = this.#starts.length - 1
    while (this.#first < last && this.#placeOf(this.#first) < 0) this.#first++
  }

  get #starts(): readonly number[] {
    return this.#foundRows.starts
  }

  /** Where a row begins in the bytes that were not skipped. */
  #placeOf(row: number): number {
    return (this.#starts[row] as number) - ((this.#found?.length ?? 0) - this.bytes.length)
  }

  #read(row: number): Row {
    this.#rows[row] ??= this.#foundRows.read(row)
    return this.#rows[row]
  }

  #rowsIn(bytes: Buffer, isEnded: boolean): FoundRows {
    return this.#isTable ? this.#tableRowsIn(bytes, isEnded) : this.#linesIn(bytes, isEnded)
  }

  /** In a JSON list, brackets and commas are no rows. */
  #linesIn(bytes: Buffer, isEnded: boolean): FoundRows {
    const starts: number[] = []
    let at = 0
    for (let end = 0; at < bytes.length; at = end) {
      end = bytes.indexOf(newline, at) + 1
      if (end <= 0 && !isEnded) break
      if (end <= 0) end = bytes.length
      if (bytes[at] === openBrace) starts.push(at)
    }

    starts.push(at)
    return {starts, read: (row) => this.#recordIn(bytes.toString('utf8', starts[row], starts[row + 1]))}
  }

  #recordIn(text: string): Row {
    const record = findRecord(text.slice(0, text.lastIndexOf('}') + 1)) // what separates it may follow
    if (!record) throw brokenRow(this.#options.file)
    return {id: recordKey(record).replace(/^\w+ /, ''), content: printJson(record)}
  }

  #tableRowsIn(bytes: Buffer, isEnded: boolean): FoundRows {
    const {table, rest, isRegular} = this.#scanner().scan(bytes)
    if (!isRegular || (isEnded && rest.length > 0)) throw brokenRow(this.#options.file)
    const starts = Array.from({length: table.length}, (_, row) => table.startOf(row))
    starts.push(bytes.length - rest.length)
    return {
      starts,
      read: (row) => {
        const textAt = (place: number) => (place < 0 ? undefined : table.textOf(row, place))
        const id = textAt(this.#idPlace) ?? ''
        const content = printJson(this.#places.map((place) => textAt(place) ?? null))
        return {id: this.#options.dialect?.escapesFormulas ? unescapeFormula(id) : id, content}
      },
    }
  }

  #scanner(): CellScanner {
    const scanner = new CellScanner({delimiter: this.#delimiter, blankIsNull: true})
    scanner.columns = this.#columns
    return scanner
  }
}

const byteOrderMark = Buffer.from('\ufeff')

function brokenRow(file: string) {
  return inputFailure('BROKEN_ROW', 'no record', {file})
}

function noIds(file: string) {
  return inputFailure('MISSING_COLUMN', 'it has no column id, so its records cannot be told apart', {file}, [
    'Export it with the column id.',
  ])
}

/** Kept bytes move within memory of this many times their length, so that moves are rare. */
const slack = 1.5

/**
 * The bytes of a stream that still have to be looked at, in memory that is used again and again. Time: linear in bytes,
 * each of which is copied a few times at most; memory: one and a half times the kept bytes.
 */
class KeptBytes {
  /** Bytes that were not skipped. */
  bytes: Buffer = Buffer.alloc(0)
  #memory: Buffer = Buffer.alloc(0)
  /** Places in the memory: where the remembered bytes begin, where `bytes` begin, and where they end. */
  #from = 0
  #at = 0
  #end = 0
  #remembered = 0

  /** Adds a copy of bytes. */
  push(bytes: Buffer): void {
    const size = this.#end - this.#from
    if (this.#end + bytes.length > this.#memory.length) {
      const needed = size + bytes.length
      const isTight = needed * slack > this.#memory.length
      const to = isTight ? Buffer.allocUnsafeSlow(Math.ceil(needed * slack)) : this.#memory
      this.#memory.copy(to, 0, this.#from, this.#end)
      this.#memory = to
      this.#at -= this.#from
      this.#from = 0
      this.#end = size
    }

    this.#end += bytes.copy(this.#memory, this.#end)
    this.bytes = this.#memory.subarray(this.#at, this.#end)
  }

  /** Skips bytes; those that are to be remembered take the place of those that were remembered before. */
  skip(length: number, {remember = false} = {}): void {
    this.bytes = this.bytes.subarray(length)
    if (remember) [this.#from, this.#remembered] = [this.#at, length]
    this.#at += length
    if (this.#remembered === 0) this.#from = this.#at
  }

  /** The remembered bytes, if any, for the last time. */
  recall(): Buffer | undefined {
    const found = this.#memory.subarray(this.#from, this.#from + this.#remembered)
    this.#remembered = 0
    this.#from = this.#at
    return found.length > 0 ? found : undefined
  }
}
