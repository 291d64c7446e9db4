import {limits} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {type JsonRecord, printJson} from '../values/json.js'

/** One record of a file, checked, with the line it starts on. */
export type PlannedRow = {
  line: number
  record: JsonRecord
  /** Why the row is in no set. */
  skip?: 'unchanged'
}

/**
 * The rows that one request sends: from `start` up to but not including `end` in the rows of the plan, without those
 * that carry `skip`.
 */
export type PlannedSet = {number: number; start: number; end: number}

export type CutOptions = {
  setSize: number
  /** All rows in one set, or none. */
  atomic: boolean
  /** No record of the file takes more bytes than this in a request. */
  longestRecordBytes: number
}

/** Room for the keys around the records of a request body, in bytes. */
const envelopeBytes = 1_024
const maximumBytes = limits.maximumBodyBytes - envelopeBytes

/** The rows that a set sends. */
export function rowsOfSet(rows: readonly PlannedRow[], {start, end}: PlannedSet): PlannedRow[] {
  return rows.slice(start, end).filter(({skip}) => skip === undefined)
}

/** Cuts rows into sets by count and by the bytes that a request may hold. Throws a `CliFailure` when atomic cannot fit. */
export function cutSets(rows: readonly PlannedRow[], {setSize, atomic, longestRecordBytes}: CutOptions): PlannedSet[] {
  const places = rows.flatMap(({skip}, place) => (skip === undefined ? [place] : []))
  const sent = places.length === rows.length ? rows : rows.filter(({skip}) => skip === undefined)
  const most = atomic ? Math.max(sent.length, 1) : setSize
  const sets = most * longestRecordBytes <= maximumBytes ? cutByCount(sent.length, most) : cutByBytes(sent, most)
  if (atomic && sets.length > 1) throw tooLarge(sent.length)
  return sets.map(({number, start, end}) => ({number, start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1}))
}

function cutByCount(count: number, size: number): PlannedSet[] {
  return Array.from({length: Math.ceil(count / size)}, (_, index) => ({
    number: index + 1,
    start: index * size,
    end: Math.min((index + 1) * size, count),
  }))
}

function cutByBytes(rows: readonly PlannedRow[], size: number): PlannedSet[] {
  const sets: PlannedSet[] = []
  let start = 0
  let bytes = 0
  rows.forEach(({record}, index) => {
    const length = Buffer.byteLength(printJson(record)) + 1
    if (index > start && (bytes + length > maximumBytes || index - start === size)) {
      sets.push({number: sets.length + 1, start, end: index})
      start = index
      bytes = 0
    }

    bytes += length
  })
  if (start < rows.length) sets.push({number: sets.length + 1, start, end: rows.length})
  return sets
}

function tooLarge(count: number): CliFailure {
  const most = limits.maximumBodyBytes.toLocaleString('en')
  return new CliFailure(`${count} records do not fit into one request of ${most} bytes.`, {
    code: 'SET_TOO_LARGE',
    exit: 'invalid',
    hints: ['Leave out --atomic, or cut the file into parts that may be applied one by one.'],
  })
}
