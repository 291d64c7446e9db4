import {compareValues} from '../../formats/conditions.js'
import {toCellText} from '../../formats/flatten.js'
import {createDecimalSum, type DecimalSum} from '../../values/decimal-sum.js'
import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {createKeySet} from '../read/key-set.js'
import {batchField, keys, successField, summaryFields, type TotalName, totalNames, totals} from './summary-fields.js'
import type {SummaryKey} from './summary-keys.js'

/** The values of a line in the order of `Summary.fields`; a batch without line items has none but its own. */
export type SummaryLine = readonly (JsonValue | undefined)[]

/** Counts and adds up the lines of the transaction report, in memory that grows with the groups only. */
export type Summary = {
  readonly fields: readonly string[]
  /** Throws a `SummaryProblem` for a value that cannot be counted. */
  add(line: SummaryLine): void
  /** One record per group, in the order of what they are counted by. */
  groups(): JsonRecord[]
  total(): JsonRecord
  /** Empty values that count in no total, by field. */
  readonly missing: ReadonlyMap<string, number>
}

/** A value that cannot be counted; the message finishes the sentence "this line has …". */
export class SummaryProblem extends Error {
  override readonly name = 'SummaryProblem'
}

type Group = {
  key: JsonRecord
  batches: number
  lines: number
  failedLines: number
  lastBatch: string | undefined
  sums: Record<TotalName | 'failedPrice', DecimalSum>
}

const hourOfTime = /^\d{4}-\d{2}-\d{2}[T ](\d{2}):/

/**
 * A summary by day and hour (of the local time of the machine), site, machine, product, or several of them. Lines whose
 * vend was not successful are counted apart and are in no total but `failedPrice`. `isMixed`: the lines of one batch
 * may be far apart, so batches are counted by a set of their ids.
 */
export function createSummary(by: readonly SummaryKey[], isMixed: boolean): Summary {
  const fields = summaryFields(by)
  const place = new Map(fields.map((field, index) => [field, index]))
  const at = (line: SummaryLine, field: string) => line[place.get(field) ?? -1] ?? null
  const groups = new Map<string, Group>()
  const seen = createKeySet()
  const missing = new Map<string, number>()
  const total = createGroup({})
  const lineFields = fields.filter((field) => field.startsWith('lineItem.'))

  return {
    fields,
    missing,
    add(line) {
      const isLine = lineFields.some((field) => !isEmpty(at(line, field)))
      const parts = by.map((key) => toKey(key, at(line, keys[key].field)))
      const id = parts.map((part) => toCellText(part) ?? '').join('\n')
      const group = groups.get(id) ?? createGroup(toRecord(by, parts, (field) => at(line, field)))
      groups.set(id, group)
      const batch = toCellText(at(line, batchField)) ?? ''
      countBatch(total, `\n${batch}`, batch)
      countBatch(group, `${id}\n\n${batch}`, batch)
      if (isLine) addLine(group, line)
    },
    groups: () =>
      [...groups.values()]
        .sort((one, other) => compareKeys(one.key, other.key, by))
        .map((group) => ({...group.key, ...toCounts(group)})),
    total() {
      for (const {lines, failedLines, sums} of groups.values()) {
        total.lines += lines
        total.failedLines += failedLines
        for (const name of Object.keys(sums) as (keyof typeof sums)[]) total.sums[name].merge(sums[name])
      }

      return toCounts(total)
    },
  }

  function countBatch(group: Group, key: string, batch: string): void {
    if (group.lastBatch === batch) return
    group.lastBatch = batch
    if (isMixed && seen.has(key)) return
    if (isMixed) seen.add(key)
    group.batches++
  }

  function addLine(group: Group, line: SummaryLine): void {
    group.lines++
    if (isFailed(at(line, successField))) {
      group.failedLines++
      addValue(group.sums.failedPrice, totals.totalPrice, line)
    } else for (const name of totalNames) addValue(group.sums[name], totals[name], line)
  }

  function addValue(sum: DecimalSum, field: string, line: SummaryLine): void {
    const value = at(line, field)
    if (isEmpty(value)) missing.set(field, (missing.get(field) ?? 0) + 1)
    else if (!sum.add(toCellText(value) ?? '')) throw new SummaryProblem(`no number in ${field}`)
  }
}

function createGroup(key: JsonRecord): Group {
  const names = [...totalNames, 'failedPrice'] as const
  const sums = Object.fromEntries(names.map((name) => [name, createDecimalSum()])) as Group['sums']
  return {key, batches: 0, lines: 0, failedLines: 0, lastBatch: undefined, sums}
}

function toCounts({batches, lines, failedLines, sums}: Group): JsonRecord {
  const added = Object.entries(sums).map(([name, sum]): [string, JsonValue] => [name, toNumber(sum.text)])
  return {batches, lines, failedLines, ...Object.fromEntries(added)}
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

function isFailed(value: JsonValue): boolean {
  if (isEmpty(value) || value === true) return false
  const text = toCellText(value)?.toLowerCase()
  if (text !== 'true' && text !== 'false') throw new SummaryProblem(`neither true nor false in ${successField}`)
  return text === 'false'
}

function isEmpty(value: JsonValue): value is null | '' {
  return value === null || value === ''
}
