import {limits} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {type JsonRecord, printJson} from '../values/json.js'

/** One record of a file, checked, with the line it starts on. */
export type PlannedRow = {line: number; record: JsonRecord}

/** The rows that one request sends: from `start` up to but not including `end` in the rows of the plan. */
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

/** Cuts rows into sets by count and by the bytes that a request may hold. Throws a `CliFailure` when atomic cannot fit. */
export function cutSets(rows: readonly PlannedRow[], {setSize, atomic, longestRecordBytes}: CutOptions): PlannedSet[] {
  const most = atomic ? Math.max(rows.length, 1) : setSize
  const sets = most * longestRecordBytes <= maximumBytes ? cutByCount(rows.length, most) : cutByBytes(rows, most)
  if (atomic && sets.length > 1) throw tooLarge(rows.length)
  return sets
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
