import {hash} from 'node:crypto'
import {allFieldsOf, changedResource, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {isDeletion} from '../../values/deletion.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {type PlannedRow, type PlannedSet, rowsOfSet} from './cut-sets.js'
import {findField, isNeverSent, spellFields} from './merge.js'
import {filterRows} from './packed-rows.js'
import type {Planned} from './phases.js'

const digestBytes = 16

/** Sixteen bytes that are equal for records of equal content, whatever the order of their fields. */
export function contentDigest(record: JsonRecord): Uint8Array {
  return hash('sha256', toSortedJson(record), 'buffer').subarray(0, digestBytes)
}

/**
 * SHA-256 in hex of a record that was read: equal whatever the order and the spelling of its fields. Of a record that
 * changes by itself, because machines sell meanwhile, only what is sent back and lasts counts, and what its row says.
 */
export function recordDigest(write: Write, record: JsonRecord, said: JsonRecord = {}): string {
  const spelled = [...spellFields(record, allFieldsOf(changedResource(write)))]
  const lasts = isLasting(write)
  const compared = spelled.filter(([name]) => lasts(name) || Object.hasOwn(said, name))
  return hash('sha256', toSortedJson(Object.fromEntries(compared)))
}

function isLasting({resource, probe, live}: Write): (name: string) => boolean {
  if (probe.kind === 'adjustments') return (name) => Object.values(probe.traced.of).includes(name)
  if (probe.kind !== 'fields' || probe.compares === 'all') return () => true
  const fields = allFieldsOf(resource)
  return (name) => !isNeverSent(findField(fields, name)) && !live.includes(name)
}

/** What a row says itself, where the record that is sent is more. */
export function saidBy({given, record}: {readonly given?: JsonRecord; readonly record: JsonRecord}): JsonRecord {
  return given ?? record
}

function toSortedJson(record: JsonRecord): string {
  return printJson(sortFields(record))
}

function sortFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isRecord(value)) return value
  const entries = Object.entries<JsonValue>(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([name, part]) => [name, sortFields(part)]))
}

/** What names a record for people and tells it from all others; null for records that have no such name. */
export function naturalKeyOf(operation: WriteId, record: JsonRecord): string | null {
  const {identity}: Write = writeOperation(operation)
  return identity.length === 0 ? null : printJson(identity.map((name) => record[name] ?? null))
}

/** Names the record that a row writes, by its natural key or its id; pre-images are kept by it. */
export function writtenKey(operation: WriteId, record: JsonRecord): string {
  return naturalKeyOf(operation, record) ?? idText(record[writeOperation(operation).target])
}

/** The id of the record that a row changes; where ids change with each update, the key that stays. */
export function idOf(
  {record}: {readonly record: JsonRecord},
  {target, probe}: Pick<Write, 'target' | 'probe'>,
): JsonValue {
  return probe.kind === 'current' ? keyInForce(probe.key, record) : (record[target] ?? null)
}

/** Names the record that is in force under a key. */
export function keyInForce(key: readonly string[], record: JsonRecord): string {
  return key.map((field) => idText(record[field])).join(' ')
}

/** How many records a plan would delete with its sets. */
export function countDeletions({operation, rows, sets}: Pick<Planned, 'operation' | 'rows' | 'sets'>): number {
  const write = writeOperation(operation)
  if (write.deletes === 'none') return 0
  const ofSet = (set: PlannedSet) => rowsOfSet(rows, set).filter(({record}) => isDeletion(write, record))
  return sets.reduce((sum, set) => sum + (write.deletes === 'all' ? set.places.length : ofSet(set).length), 0)
}

/** The number that was confirmed first: with the deletions that earlier runs did of the same rows. */
export function countFirstConfirmed({operation, rows}: Pick<Planned, 'operation' | 'rows'>): number {
  const write = writeOperation(operation)
  const isOfRun = ({skip}: PlannedRow) => skip === undefined || skip === 'appliedBefore'
  return filterRows(rows, (row) => isOfRun(row) && isDeletion(write, row.record)).length
}

/** For records without a name: the number of a selection, the type of a setting, a right, each with what it is of. */
const standIns = [
  ['selectionNumber', '', 'machineId', 'machine'],
  ['type', '', 'machineId', 'machine'],
  ['rightId', 'right ', 'roleId', 'role'],
] as const

/** A name, or the code and the machine of an alert, or what stands for a name. */
export function nameOf(record: JsonRecord): {name?: string} {
  const {name, code, machineProse} = record
  const [field, word, of, owner] = standIns.find(([field]) => record[field] !== undefined) ?? []
  if (name === undefined && code === undefined && field) {
    return {name: `${word}${idText(record[field])} of ${owner} ${idText(record[of])}`}
  }
  const parts = [name ?? code, name === undefined ? machineProse : undefined]
  const text = parts.filter((part) => typeof part === 'string').join(' ')
  return text === '' ? {} : {name: text}
}
