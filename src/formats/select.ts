import type {JsonRecord, JsonValue} from '../values/json.js'
import {type Column, findColumn, toPath, unknownColumn} from './columns.js'
import {compareValues, toCondition, toSortKeys} from './conditions.js'
import {valueAt} from './record-path.js'

export type SelectOptions = {
  /** Columns of the contract, for the paths of names and for suggestions. */
  columns: readonly Column[]
  /** Texts of `--where`; a record must satisfy all of them. */
  where?: readonly string[]
  /** Text of `--sort`. */
  sort?: string
  /** Most records that are let through. */
  limit?: number
}

/** Narrows and orders a read, the same whatever its pages and its format. */
export type Select = {
  /** The records of one page that come out now: none when sorting. Moves on once all of them were taken. */
  page(records: Iterable<JsonRecord>): Iterable<JsonRecord>
  /** The records that come out when all pages were read. Throws a `CliFailure` for a name that no record knows. */
  end(): Iterable<JsonRecord>
  /** The limit is reached: no further page can add a record. */
  readonly isFull: boolean
  /** The limit kept back at least one record that was read. */
  readonly isCut: boolean
}

type Named = {readonly name: string; readonly path: readonly string[]}

/** A name that the contract does not know must stand in one of so many records, or it is taken for a slip. */
const recordsUntilKnown = 1_000

/** Throws a `CliFailure` for a condition or sort key that cannot be read. */
export function createSelect(options: SelectOptions): Select {
  const {columns, limit = Number.POSITIVE_INFINITY} = options
  const conditions = (options.where ?? [])
    .map((text) => toCondition(text, columns))
    .map((one) => ({...one, path: pathOf(one.name)}))
  const sortKeys = (options.sort === undefined ? [] : toSortKeys(options.sort)).map((key) => ({
    ...key,
    path: pathOf(key.name),
  }))
  const unseen = new Set<Named>([...conditions, ...sortKeys].filter(({name}) => !findColumn(columns, name)))
  let read = 0
  let passed = 0
  let isCut = false
  let held: JsonRecord[] = []

  return {
    page: (records) => (sortKeys.length > 0 ? hold(records) : pass(records)),
    *end() {
      checkNames()
      yield* held.length === 0 ? [] : cut(sortRecords(held, sortKeys))
    },
    get isFull() {
      return sortKeys.length === 0 && passed >= limit
    },
    get isCut() {
      return isCut
    },
  }

  function pathOf(name: string): readonly string[] {
    return findColumn(columns, name)?.path ?? toPath(name)
  }

  function hold(records: Iterable<JsonRecord>): JsonRecord[] {
    held = held.concat([...filter(records)])
    return []
  }

  function* pass(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
    let count = passed
    for (const record of filter(records)) {
      if (count >= limit) {
        isCut = true
        break
      }

      count++
      yield record
    }

    passed = count
  }

  function* filter(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
    for (const record of records) {
      look(record)
      if (conditions.every(({path, holds}) => holds(valueAt(record, path)))) yield record
    }
  }

  function look(record: JsonRecord): void {
    if (unseen.size === 0) return
    for (const named of unseen) if (valueAt(record, named.path) !== undefined) unseen.delete(named)
    read++
    if (read >= recordsUntilKnown) checkNames()
  }

  function checkNames(): void {
    for (const {name} of unseen) throw unknownColumn(name, columns)
  }

  function cut(records: JsonRecord[]): JsonRecord[] {
    isCut = records.length > limit
    return isCut ? records.slice(0, limit) : records
  }
}

/** Null and absent come last, whatever the direction; records that are alike keep their order. */
function sortRecords(records: JsonRecord[], keys: readonly (Named & {descending: boolean})[]): JsonRecord[] {
  const ranked = records.map((record) => ({record, values: keys.map(({path}) => valueAt(record, path) ?? null)}))
  return ranked.sort((one, other) => compareRanked(one.values, other.values, keys)).map(({record}) => record)
}

function compareRanked(
  one: readonly JsonValue[],
  other: readonly JsonValue[],
  keys: readonly {descending: boolean}[],
): number {
  for (const [place, {descending}] of keys.entries()) {
    const order = compareNullable(one[place] ?? null, other[place] ?? null, descending)
    if (order !== 0) return order
  }

  return 0
}

function compareNullable(one: JsonValue, other: JsonValue, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return descending ? -compareValues(one, other) : compareValues(one, other)
}
