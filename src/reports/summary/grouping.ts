import {compareValues} from '../../formats/conditions.js'
import {toCellText} from '../../formats/flatten.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {BatchSet} from './batch-set.js'
import {Counts} from './counts.js'
import {GroupTable} from './group-table.js'
import {type LineCells, type SummaryLine, SummaryProblem} from './line-cells.js'
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
    length: key === 'day' || key === 'hour' ? hourEnd : Number.POSITIVE_INFINITY,
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
  if (key !== 'day' && key !== 'hour') return toId(value)
  const [, hour] = (typeof value === 'string' && hourOfTime.exec(value)) || []
  if (hour === undefined) throw new SummaryProblem(`no time in ${keys[key].field}`)
  return key === 'day' ? (value as string).slice(0, 10) : Number(hour)
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
