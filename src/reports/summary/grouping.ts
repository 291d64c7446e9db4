import {Buffer} from 'node:buffer'
import {compareValues} from '../../formats/conditions.js'
import {toCellText} from '../../formats/flatten.js'
import {newline} from '../../values/byte-codes.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {createKeySet, type KeySet} from '../read/key-set.js'
import {type LineCells, type SummaryLine, SummaryProblem} from './line-cells.js'
import {Counts} from './line-counts.js'
import {keys} from './summary-fields.js'
import type {SummaryKey} from './summary-keys.js'

export type Group = {
  readonly key: JsonRecord
  readonly counts: Counts
  readonly batches: BatchSet
}

/** Lines by what stands in some of their fields. */
export type Grouping = {
  /** The group of a line. Throws a `SummaryProblem` for a value that cannot be a key. */
  of(line: SummaryLine): Group
  /** The same of a line as bytes, whose values are looked at only where its bytes are new. */
  ofCells(cells: LineCells): Group
  /** In the order of their keys. */
  sorted(): Group[]
}

/** Length of a time up to its hour and what ends it: all that `hourOfTime` looks at. */
const hourEnd = '2024-07-01T18:'.length
const hourOfTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):/

export function createGrouping(by: readonly SummaryKey[], placeOf: (field: string) => number): Grouping {
  const groups = new Map<string, Group>()
  const parts = by.map((key) => ({
    ...{key, place: placeOf(keys[key].field)},
    length: keys[key].field === keys.day.field ? hourEnd : Number.POSITIVE_INFINITY,
  }))
  const table = new GroupTable<Group>(parts)
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
    of: find,
    ofCells(cells) {
      const known = table.find(cells)
      if (known) return known
      const group = find(cells.values())
      table.add(cells, group)
      return group
    },
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

export function isEmpty(value: JsonValue): value is null | '' {
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
export type KeyPart = {readonly place: number; readonly length: number}

const [hashStart, hashFactor] = [0x811c9dc5, 0x01000193]
const firstSlots = 256

/**
 * Groups by the bytes of their keys as they stand in lines: O(1) a line, memory of the keys. More keys than groups only
 * where one is spelled in several ways. A cell with a line end is unclear, so that parts cannot run into each other.
 */
class GroupTable<Group> {
  readonly #parts: readonly KeyPart[]
  readonly #groups: Group[] = []
  #keys = Buffer.alloc(firstSlots)
  /** Where each key begins among the bytes of all, and where the last one ends. */
  #starts = new Int32Array(firstSlots)
  /** Numbers of groups by hash, plus one; never more than half full. */
  #slots = new Int32Array(firstSlots)
  #last = 0

  constructor(parts: readonly KeyPart[]) {
    this.#parts = parts
  }

  find(cells: LineCells): Group | undefined {
    if (this.#groups.length === 0) return undefined
    if (!this.#isKey(this.#last, cells)) {
      const found = this.#slots[this.#slotOf(cells)] as number
      if (found === 0) return undefined
      this.#last = found - 1
    }

    return this.#groups[this.#last]
  }

  /** Remembers the group of a line that `find` does not know. */
  add(cells: LineCells, group: Group): void {
    const number = this.#groups.length
    if ((number + 1) * 2 > this.#slots.length) this.#grow()
    this.#slots[this.#slotOf(cells)] = number + 1
    this.#groups.push(group)
    let at = this.#starts[number] as number
    for (const {place, length} of this.#parts) {
      const start = cells.starts[place] as number
      const end = Math.min(cells.ends[place] as number, start + length)
      while (at + end - start + 1 > this.#keys.length) this.#keys = Buffer.concat([this.#keys], this.#keys.length * 2)
      at += cells.bytes.copy(this.#keys, at, start, end)
      this.#keys[at++] = newline
    }

    this.#starts[number + 1] = at
    this.#last = number
  }

  /** The slot of a key, or the free one that is for it. */
  #slotOf(cells: LineCells): number {
    const mask = this.#slots.length - 1
    let slot = this.#hash(cells) & mask
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      if (this.#isKey(number - 1, cells)) break
      slot = (slot + 1) & mask
    }

    return slot
  }

  #hash({bytes, starts, ends}: LineCells): number {
    let hash = hashStart
    for (const {place, length} of this.#parts) {
      const start = starts[place] as number
      const end = Math.min(ends[place] as number, start + length)
      for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), hashFactor)
      hash = Math.imul(hash ^ newline, hashFactor)
    }

    return spread(hash)
  }

  #isKey(number: number, {bytes, starts, ends}: LineCells): boolean {
    const keys = this.#keys
    let known = this.#starts[number] as number
    for (const {place, length} of this.#parts) {
      const start = starts[place] as number
      const end = Math.min(ends[place] as number, start + length)
      for (let at = start; at < end; at++) if (keys[known++] !== bytes[at]) return false
      if (keys[known++] !== newline) return false
    }

    return true
  }

  #grow(): void {
    const larger = new Int32Array(this.#slots.length * 2)
    const mask = larger.length - 1
    for (let number = 0; number < this.#groups.length; number++) {
      let slot = this.#hashOfKey(number) & mask
      while (larger[slot] !== 0) slot = (slot + 1) & mask
      larger[slot] = number + 1
    }

    const starts = new Int32Array(larger.length)
    starts.set(this.#starts)
    this.#starts = starts
    this.#slots = larger
  }

  #hashOfKey(number: number): number {
    const [from, to] = [this.#starts[number] as number, this.#starts[number + 1] as number]
    let hash = hashStart
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (this.#keys[at] as number), hashFactor)
    return spread(hash)
  }
}

/** The lower bits of this hash depend on the lower bits of the bytes only. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

/** Most batches that are looked through one by one: many groups have few, and a set costs more than they do. */
const few = 8

/** The batches of one group. Time O(1) a line; memory: nearly nothing where the lines of a batch stand together. */
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
