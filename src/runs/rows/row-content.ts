import {createHash, hash} from 'node:crypto'
import {toWriteBody} from '../../client/request.js'
import type {FilterValues, WriteContent} from '../../client/types.js'
import {
  allFieldsOf,
  changedResource,
  type FieldsOfFilters,
  type FilterKey,
  filterOf,
  limits,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {isRecord, type JsonRecord, type JsonValue, printJson, sortNames, toNumber} from '../../values/json.js'
import {idNumber, idText, isDeletion} from '../../values/record-key.js'
import {countPlaces, type PlannedRow, type PlannedSet, type RowList, rowsOfSet} from './cut-sets.js'
import {findField, isNotSent, isRelative, spellFields} from './merge-fields.js'
import {filterRows} from './packed-rows.js'
import type {Batch, Planned} from './phases.js'

const digestBytes = 16

/** Sixteen bytes that are equal for records of equal content, whatever the order of their fields. */
export function contentDigest(record: JsonRecord): Uint8Array {
  return hash('sha256', printJson(sortFields(record)), 'buffer').subarray(0, digestBytes)
}

/**
 * SHA-256 in hex of a record that was read: equal whatever the order and the spelling of its fields. Where machines
 * change a record by selling, only the fields that last, and those in `said`, count.
 */
export function recordDigest(write: Write, record: JsonRecord, said: JsonRecord = {}): string {
  const spelled = [...spellFields(record, allFieldsOf(changedResource(write)))]
  const lasts = isLasting(write)
  const compared = spelled.filter(([name]) => lasts(name) || Object.hasOwn(said, name))
  return hash('sha256', printJson(sortFields(Object.fromEntries(compared))))
}

function isLasting({resource, probe, live}: Write): (name: string) => boolean {
  if (probe.kind === 'adjustments') return (name) => Object.values(probe.traced.of).includes(name)
  if (probe.kind !== 'fields' || probe.compares === 'all') return () => true
  const fields = allFieldsOf(resource)
  return (name) => !isNotSent(findField(fields, name)) && !live.includes(name)
}

/** The records that rows write, by the natural keys of the rows, from the records by the digits of their ids. */
export function recordsByKey(
  operation: WriteId,
  rows: Iterable<PlannedRow>,
  records: Records,
): Map<string, JsonRecord> {
  const write = writeOperation(operation)
  return rekeyed(rows, records, (row) => [idText(idOf(row, write)), writtenKey(operation, row.record)])
}

/** The opposite: records by the digits of their ids, from those by the natural keys of the rows that write them. */
export function recordsById(operation: WriteId, rows: Iterable<PlannedRow>, records: Records): Map<string, JsonRecord> {
  const write = writeOperation(operation)
  return rekeyed(rows, records, (row) => [writtenKey(operation, row.record), idText(idOf(row, write))])
}

type Records = ReadonlyMap<string, JsonRecord>

function rekeyed(
  rows: Iterable<PlannedRow>,
  records: Records,
  keysOf: (row: PlannedRow) => [from: string, to: string],
) {
  const found = new Map<string, JsonRecord>()
  for (const row of rows) {
    const [from, to] = keysOf(row)
    const record = records.get(from)
    if (record) found.set(to, record)
  }

  return found
}

/** The fields that a row gives itself, where the record that is sent has more. */
export function saidBy({given, record}: {readonly given?: JsonRecord; readonly record: JsonRecord}): JsonRecord {
  return given ?? record
}

function sortFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isRecord(value)) return value
  const entries = Object.entries<JsonValue>(sortNames(value))
  return Object.fromEntries(entries.map(([name, part]) => [name, sortFields(part)]))
}

/** Whether a record that has no id is new, where others of its run are changed. */
export function isNew({creates, target}: Pick<Write, 'creates' | 'target'>, record: JsonRecord): boolean {
  return creates !== null && (record[target] ?? null) === null
}

/** The write that sends a record. */
function operationOf(operation: WriteId, record: JsonRecord): WriteId {
  const write = writeOperation(operation)
  return isNew(write, record) ? (write.creates ?? operation) : operation
}

/** The write that sends a set, whose rows are all new or all changed. */
export function operationOfSet({operation, rows}: Pick<Batch, 'operation' | 'rows'>, {places}: PlannedSet): WriteId {
  if (writeOperation(operation).creates === null) return operation
  return operationOf(operation, rows.at(places[0] ?? 0)?.record ?? {})
}

export function isNewSet(plan: Pick<Batch, 'operation' | 'rows'>, set: PlannedSet): boolean {
  return operationOfSet(plan, set) !== plan.operation
}

/** Rows of some sets that make new records where others of their run are changed. */
export function countNew({operation, rows, sets}: Pick<Planned, 'operation' | 'rows' | 'sets'>): number {
  return countPlaces(sets.filter((set) => isNewSet({operation, rows}, set)))
}

/** The key of a record: JSON of the fields that identify it; null where its write has none. */
export function naturalKeyOf(operation: WriteId, record: JsonRecord): string | null {
  const {identity, resource, target}: Write = writeOperation(operationOf(operation, record))
  const keyOf = (name: string) => {
    const value = record[name] ?? null
    const isNumbered = name === target && typeof value === 'string' && allFieldsOf(resource)[name]?.kind === 'integer'
    return isNumbered ? idNumber(value) : value
  }
  return identity.length === 0 ? null : printJson(identity.map(keyOf))
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

/** An id without the case of its letters, as the service finds it. */
export function foldId(id: JsonValue | undefined): string {
  return idText(id).trim().toLowerCase()
}

/** Names the record that is in force under a key. */
export function keyInForce(key: readonly string[], record: JsonRecord): string {
  return key.map((field) => idText(record[field])).join(' ')
}

/** Records that a plan would delete with its sets. */
export function countDeletions({operation, rows, sets}: Pick<Planned, 'operation' | 'rows' | 'sets'>): number {
  const write = writeOperation(operation)
  if (write.deletes === 'none') return 0
  const ofSet = (set: PlannedSet) => rowsOfSet(rows, set).filter(({record}) => isDeletion(write, record))
  return sets.reduce((sum, set) => sum + (write.deletes === 'all' ? set.places.length : ofSet(set).length), 0)
}

/** Deletions of a plan together with those of its rows that earlier runs did: the number that was confirmed at first. */
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

/** A name, or the code and the machine of an alert, or a substitute for a name. */
export function nameOf(record: JsonRecord): {name?: string} {
  const {name, code, machineProse} = record
  const [field, word, of, owner] = standIns.find(([field]) => record[field] !== undefined) ?? []
  if (name === undefined && code === undefined && field)
    return {name: `${word}${idText(record[field])} of ${owner} ${idText(record[of])}`}
  const parts = [name ?? code, name === undefined ? machineProse : undefined]
  const text = parts.filter((part) => typeof part === 'string').join(' ')
  return text === '' ? {} : {name: text}
}

/** Where a record is, as people group it: the site, the account or the machine that it belongs to. */
export function placeOf(record: JsonRecord): {place?: string} {
  const [field, noun] = owners.find(([name]) => record[name] !== undefined && record[name] !== null) ?? []
  return field === undefined ? {} : {place: `${noun} ${idText(record[field])}`}
}

const owners = [
  ['siteId', 'site'],
  ['accountId', 'account'],
  ['machineId', 'machine'],
] as const

/** Identity of a row among the rows of all runs; equal content has an equal digest. */
export type RowKey = {place: number; digest: string; naturalKey: string | null}

export function digestText(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')
}

/** Keys of the rows of a plan. */
export function toRowKeys(operation: WriteId, rows: RowList): RowKey[] {
  return rows.map((row, place) => {
    const digest = row.digest ?? contentDigest(saidBy(row))
    return {place, digest: digestText(digest), naturalKey: naturalKeyOf(operation, row.record)}
  })
}

/** Keys to look rows up by: how many rows have a content, and which records they name. */
export type KeyIndex = {digests: Map<string, number>; naturalKeys: Set<string>}

export function indexKeys(keys: Iterable<RowKey>): KeyIndex {
  const index: KeyIndex = {digests: new Map(), naturalKeys: new Set()}
  for (const {digest, naturalKey} of keys) {
    index.digests.set(digest, (index.digests.get(digest) ?? 0) + 1)
    if (naturalKey !== null) index.naturalKeys.add(naturalKey)
  }

  return index
}

/** Whether a row has the content, or names the record, of an indexed one. */
export function isAmong({digest, naturalKey}: RowKey, {digests, naturalKeys}: KeyIndex): boolean {
  return digests.has(digest) || (naturalKey !== null && naturalKeys.has(naturalKey))
}

/** Keys by which rows of two runs are the same: of changes by a number their content alone, for another number is another change. */
export function keysOfSame(operation: WriteId, keys: readonly RowKey[]): readonly RowKey[] {
  return writeOperation(operation).difference === null ? keys : keys.map((key) => ({...key, naturalKey: null}))
}

/** Rows that both sides have: by the record that they name, else by content, one for one. */
export function findShared(keys: readonly RowKey[], {digests, naturalKeys}: KeyIndex): RowKey[] {
  const left = new Map(digests)
  return keys.filter(({digest, naturalKey}) => {
    if (naturalKey !== null) return naturalKeys.has(naturalKey)
    const count = left.get(digest) ?? 0
    left.set(digest, count - 1)
    return count > 0
  })
}

/** A digest of rows that would be written a second time, in any order; none of an undo, which looks for itself. */
export function digestOfRows(plan: Pick<Batch, 'operation' | 'rows' | 'origin' | 'changes'>): string | undefined {
  const {operation, rows, origin} = plan
  if (!writesAgain(plan) || origin.kind === 'undo') return undefined
  const digests = toRowKeys(operation, rows).map(({digest}) => digest)
  return createHash('sha256').update(digests.sort().join(''), 'latin1').digest('hex')
}

/** Whether equal rows are written once more: they create records without a natural key, or change a field by a number. */
export function writesAgain({operation, changes}: Pick<Batch, 'operation' | 'changes'>): boolean {
  const {body, identity, difference} = writeOperation(operation)
  return difference !== null || isRelative(changes) || (body === 'create' && identity.length === 0)
}

/** Any records of a plan as one request: in its body, or as the ids of a filter where the operation has no body. */
export function toSent(operation: WriteId, records: readonly JsonRecord[]): WriteContent {
  const write = writeOperation(operation)
  if (write.body !== 'none') return {records: [...records]}
  return {filters: filtersOf(write.sentAs, records)}
}

/** The body of the request that sends some records. */
export function toBody(operation: WriteId, records: readonly JsonRecord[]): string {
  return toWriteBody(toSent(operation, records))
}

/** The filters that name records by their fields: fields in which all records agree become one value. */
export function filtersOf(named: FieldsOfFilters, records: Iterable<JsonRecord>): FilterValues {
  const entries = (Object.entries(named) as [FilterKey, string][]).map(([key, field]) => [
    key,
    valuesOf(
      key,
      Array.from(records, ({[field]: value = null}) => value),
    ),
  ])
  return Object.fromEntries(entries)
}

/** The ids of a filter, each once, as texts where it takes texts. */
export function valuesOf(key: FilterKey, given: readonly JsonValue[]): JsonValue[] {
  const values = new Map(given.map((value) => [idText(value), value]))
  return filterOf(key).kind === 'texts' ? [...values.keys()] : [...values.values()].map(idNumber)
}

/** The records that a request without a body names, each with the fields in which all of them agree. */
export function fromFilters(
  {sentAs, target, resource}: Write,
  filtersOf: (key: FilterKey) => readonly JsonValue[],
): JsonRecord[] {
  const fields = allFieldsOf(resource)
  const named = Object.entries(sentAs) as [FilterKey, string][]
  const ids = named.flatMap(([key, field]) => (field === target ? filtersOf(key) : []))
  const common = named.flatMap(([key, field]) => (field === target ? [] : [[field, filtersOf(key)[0] ?? null]]))
  const isInteger = fields[target]?.kind === 'integer' // a filter of texts takes ids as texts
  const toValue = (value: JsonValue) => (isInteger && typeof value === 'string' ? toNumber(value) : value)
  return ids.map((value) => ({...Object.fromEntries(common), [target]: toValue(value)}))
}

/** Whether a write changes records and sets fields of theirs that change by themselves. */
export function sendsLive(operation: WriteId): boolean {
  const {live, body} = writeOperation(operation)
  return live.length > 0 && body === 'update'
}

/** Most requests that read live fields again before they are sent, where each set reads its own records. */
export function mostLiveReads(operation: WriteId, sets: readonly Pick<PlannedSet, 'places'>[]): number {
  if (!sendsLive(operation)) return 0
  return sets.reduce((sum, {places}) => sum + Math.ceil(places.length / limits.maximumPageSize), 0)
}
