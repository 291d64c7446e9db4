import {Buffer} from 'node:buffer'
import {compareValues} from '../../formats/conditions.js'
import {DistinctBytes} from '../../formats/distinct-bytes.js'
import {toCellText} from '../../formats/flatten.js'
import {newline} from '../../values/byte-codes.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {createKeySet, type KeySet} from '../read/key-set.js'
import {type LineCells, type SummaryLine, SummaryProblem} from './line-cells.js'
import {Counts} from './line-counts.js'
import {keys} from './summary-fields.js'
import type {SummaryKey} from './summary-keys.js'

export type Group = {readonly key: JsonRecord; readonly counts: Counts; readonly batches: BatchSet}

export type Grouping = ReturnType<typeof createGrouping>

/** Length of a time up to its hour and what ends it: all that `hourOfTime` looks at. */
const hourEnd = '2024-07-01T18:'.length
const hourOfTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):/

/** Lines grouped by the values of some of their fields. */
export function createGrouping(by: readonly SummaryKey[], placeOf: (field: string) => number) {
  const groups = new Map<string, Group>()
  const parts = by.map((key) => ({
    ...{key, place: placeOf(keys[key].field)},
    length: keys[key].field === keys.day.field ? hourEnd : Number.POSITIVE_INFINITY,
  }))
  const key = new KeyBytes(parts)
  /** Keys in the spelling of lines, more than groups only where one is spelled in several ways; by code, the group. */
  const codes = new DistinctBytes()
  const ofCodes: Group[] = []
  const toParts = (line: SummaryLine) => parts.map(({key, place}) => toKey(key, line[place] ?? null))
  const toNew = (line: SummaryLine): Group => {
    const values = toParts(line).map(detach)
    const nameAt = (field: string) => toName(line[placeOf(field)] ?? null)
    return {key: toRecord(by, values, nameAt), counts: new Counts(), batches: new BatchSet()}
  }

  const find = (line: SummaryLine): Group => {
    const id = toParts(line)
      .map((part) => `${toCellText(part) ?? ''}\n`)
      .join('')
    const group = groups.get(id) ?? toNew(line)
    groups.set(id, group)
    return group
  }

  return {
    /** The group of a line, whose values are looked at only where its bytes are new. Throws a `SummaryProblem` for no key. */
    of(cells: LineCells): Group {
      const length = key.put(cells) // the bytes may be others then
      const code = codes.codeOf(key.bytes, 0, length)
      ofCodes[code] ??= find(cells.values())
      return ofCodes[code]
    },
    /** The groups in the order of their keys. */
    sorted: () => [...groups.values()].sort((one, other) => compareKeys(one.key, other.key, by)),
  }
}

/** A copy of a text: a piece of a larger one keeps all of that in memory. */
function detach(value: JsonValue): JsonValue {
  return typeof value === 'string' ? Buffer.from(value, 'utf16le').toString('utf16le') : value
}

/** An empty name of a table is none, as in JSON. */
function toName(value: JsonValue): JsonValue {
  return isEmpty(value) ? null : detach(value)
}

function isEmpty(value: JsonValue): value is null | '' {
  return value === null || value === ''
}

function toKey(key: SummaryKey, value: JsonValue): JsonValue {
  if (isEmpty(value)) return null
  const {field} = keys[key]
  if (field !== keys.day.field) return toId(value)
  const [, hour] = (typeof value === 'string' && hourOfTime.exec(value)) || []
  if (hour === undefined) throw new SummaryProblem(`no time in ${field}`)
  const day = (value as string).slice(0, 10)
  if (key === 'hour') return Number(hour)
  return key === 'month' ? day.slice(0, 7) : key === 'week' ? toWeek(day) : day
}

/** The week of ISO 8601 that a day is in, such as 2024-W27: it begins on Monday, and the first one has a Thursday. */
function toWeek(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const week = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / millisecondsPerDay + 1) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** An id is a number in JSON and a text in CSV; it is one group either way. */
function toId(value: JsonValue): JsonValue {
  return typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value
}

function toRecord(
  by: readonly SummaryKey[],
  parts: readonly JsonValue[],
  at: (field: string) => JsonValue,
): JsonRecord {
  const entries = by.flatMap((key, index): [string, JsonValue][] => {
    const {columns, nameField} = keys[key]
    const values = nameField === undefined ? [parts[index] ?? null] : [parts[index] ?? null, at(nameField)]
    return columns.map(({name}, column) => [name, values[column] ?? null])
  })
  return Object.fromEntries(entries)
}

function compareKeys(one: JsonRecord, other: JsonRecord, by: readonly SummaryKey[]): number {
  for (const key of by) {
    const name = keys[key].columns[0]?.name ?? ''
    const [left, right] = [one[name] ?? null, other[name] ?? null]
    const order =
      left === null || right === null ? Number(left === null) - Number(right === null) : compareValues(left, right)
    if (order !== 0) return order
  }

  return 0
}

/** A part of a key: the place of its cell, and how many of its bytes count. */
type KeyPart = {readonly place: number; readonly length: number}

const firstBytes = 256

/** Puts the parts of keys behind each other. A line end separates them. */
class KeyBytes {
  bytes = Buffer.alloc(firstBytes)
  readonly #parts: readonly KeyPart[]

  constructor(parts: readonly KeyPart[]) {
    this.#parts = parts
  }

  /** The length of the key of a line. */
  put(cells: LineCells): number {
    let at = 0
    for (const {place, length} of this.#parts) {
      const start = cells.starts[place] as number
      const end = Math.min(cells.ends[place] as number, start + length)
      if (at + end - start + 1 > this.bytes.length) this.bytes = Buffer.concat([this.bytes], (at + end - start + 1) * 2)
      for (let from = start; from < end; from++) this.bytes[at++] = cells.bytes[from] as number
      this.bytes[at++] = newline
    }

    return at
  }
}

/** Most batches that are looked through one by one: many groups have few, and a set costs more than they do. */
const few = 8

/** The batches of one group. Time O(1) a line; memory: nearly nothing where the lines of a batch are neighbors. */
export class BatchSet {
  #last: string | undefined
  #known: string[] | KeySet | undefined

  /** Whether the batch of a line is new; `isMixed`: the lines of one batch may be far apart. */
  add(batch: string, isMixed: boolean): boolean {
    if (this.#last === batch) return false
    this.#last = batch
    return !isMixed || this.#addMixed(batch)
  }

  #addMixed(batch: string): boolean {
    this.#known ??= []
    if (Array.isArray(this.#known)) {
      if (this.#known.includes(batch)) return false
      if (this.#known.length === few) this.#known = createKeySet([...this.#known, batch])
      else this.#known.push(batch)
      return true
    }

    if (this.#known.has(batch)) return false
    this.#known.add(batch)
    return true
  }
}
