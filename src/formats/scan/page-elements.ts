import {isUtf8} from 'node:buffer'
import {closeBracket, comma, openBrace, openBracket, skipBlanks} from '../../values/byte-codes.js'
import {type Elements, type SplitElements, splitElements} from '../../values/elements.js'
import {JsonProblem, parseJson} from '../../values/json.js'
import type {ObjectScanner} from './page-scan.js'

/** The records of an answer as tokens; the answer is checked as strictly as by `splitElements`. */
export type ScannedPage = Elements & {
  /** Four integers for each record: its begin, its end, its shape, and where its tokens begin. */
  readonly records: Int32Array
  readonly tokens: Int32Array
  readonly items: Int32Array
}

export const integersPerRecord = 4
/** The place of a shape for a record that was not scanned and must be parsed. */
export const unscanned = -1
/** Added to a shape whose record is not written as it would be printed. */
export const notCompact = 1 << 20

/** Whether printing a record again would give the bytes that came. */
export function isCompact({records}: ScannedPage, index: number): boolean {
  const shape = records[index * integersPerRecord + 2] as number
  return shape >= 0 && shape < notCompact
}

/** The bytes of a record as they came. */
export function bytesOf({bytes, records}: ScannedPage, index: number): Buffer {
  const place = index * integersPerRecord
  return bytes.subarray(records[place], records[place + 1])
}

/** The length of a record in bytes. */
export function lengthOf({records}: ScannedPage, index: number): number {
  const place = index * integersPerRecord
  return (records[place + 1] as number) - (records[place] as number)
}

/** Records as an answer of their own. */
export function toAnswer(records: readonly Buffer[]): Buffer {
  return Buffer.concat([open, join(records), close])
}

export function join(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part, place) => (place === 0 ? [part] : [between, part])))
}

const [open, between, close] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/**
 * Scans an answer. Throws `JsonProblem` for the same answers, and for the same reasons, as `splitElements`. `onRelease` is
 * called when nothing looks at the bytes any more.
 */
export function scanPage(scanner: ObjectScanner, body: Buffer, onRelease?: () => void): ScannedPage {
  if (!isUtf8(body)) throw new JsonProblem('not UTF-8')
  const {records, split} = walk(scanner, body)
  return toPage(scanner, {body, records, allObjects: split?.allObjects ?? true, ...(onRelease && {onRelease})})
}

/** Scans the records of a UTF-8 text between known bounds, such as lines; any other value stays unscanned. */
export function scanRecords(scanner: ObjectScanner, body: Buffer, bounds: readonly number[]): ScannedPage {
  const records: number[] = []
  scanner.open(body)
  for (let at = 0; at < bounds.length; at += 2) {
    const [start, end] = [skipBlanks(body, bounds[at] as number), bounds[at + 1] as number]
    const first = scanner.records.count
    const found = body[start] === openBrace ? scanner.record(start) : -1
    const isRecord = found >= 0 && found <= end && skipBlanks(body, found) >= end
    const shape = scanner.isCompact ? scanner.shape : scanner.shape | notCompact
    records.push(start, isRecord ? found : end, isRecord ? shape : unscanned, first)
  }

  return toPage(scanner, {body, records, allObjects: false})
}

type Walked = {body: Buffer; records: readonly number[]; allObjects: boolean; onRelease?: () => void}

function toPage(scanner: ObjectScanner, {body, records, allObjects, onRelease}: Walked): ScannedPage {
  const tokens = scanner.records.acquire()
  const items = scanner.items.acquire()
  let bytes = body
  return {
    get bytes() {
      return bytes
    },
    count: records.length / integersPerRecord,
    allObjects,
    parse(index) {
      const at = index * integersPerRecord
      const [start, end] = records.slice(at, at + 2)
      if (start === undefined || end === undefined || end > bytes.length) throw new RangeError(`no element ${index}`)
      return parseJson(bytes.toString('utf8', start, end))
    },
    release() {
      if (bytes === nothing) return
      bytes = nothing
      scanner.records.release(tokens)
      scanner.items.release(items)
      onRelease?.()
    },
    records: Int32Array.from(records),
    tokens,
    items,
  }
}

const nothing = Buffer.alloc(0)
const byteOrderMark = Buffer.from('\ufeff')

/** Frees the bytes of a large page that was written, because garbage collection would be too late. */
export function freeBytes({buffer, length}: Buffer): void {
  if (length > Buffer.poolSize && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

export function isScanned(answer: Elements | Buffer): answer is ScannedPage {
  return 'records' in answer
}

/** Scans record by record. `splitElements` is used only for a refused record, and for an answer that is not closed. */
function walk(scanner: ObjectScanner, body: Buffer): {records: number[]; split: SplitElements | undefined} {
  const records: number[] = []
  let split: SplitElements | undefined
  let at = skipBlanks(body, hasByteOrderMark(body) ? byteOrderMark.length : 0)
  scanner.open(body)

  const begins = body[at] === openBracket
  at = skipBlanks(body, at + 1)
  let hasNext = begins && body[at] !== closeBracket
  while (hasNext) {
    const first = scanner.records.count
    const index = records.length / integersPerRecord
    const end = body[at] === openBrace ? scanner.record(at) : -1
    if (end >= 0 && isFollowed(body, end))
      records.push(at, end, scanner.isCompact ? scanner.shape : scanner.shape | notCompact, first)
    else {
      split ??= splitElements(body)
      records.push(split.bounds[index * 2] as number, split.bounds[index * 2 + 1] as number, unscanned, first)
    }
    at = skipBlanks(body, records[records.length - 3] as number)
    hasNext = body[at] === comma
    if (hasNext) at = skipBlanks(body, at + 1)
  }

  const isClosed = begins && body[at] === closeBracket && skipBlanks(body, at + 1) === body.length
  if (!isClosed) refuse(body)
  return {records, split}
}

/** Whether a comma or the closing bracket follows a record. */
function isFollowed(body: Buffer, end: number): boolean {
  const byte = body[skipBlanks(body, end)]
  return byte === comma || byte === closeBracket
}

function hasByteOrderMark(body: Buffer): boolean {
  return body.subarray(0, byteOrderMark.length).equals(byteOrderMark)
}

/** Throws the problem that `splitElements` finds in an answer. */
function refuse(body: Buffer): never {
  splitElements(body)
  throw new JsonProblem('not a JSON array')
}
