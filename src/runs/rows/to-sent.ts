import type {FilterValues} from '../../client/types.js'
import {
  allFieldsOf,
  type FilterKey,
  filterOf,
  limits,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {PlannedSet} from './cut-sets.js'

/** What one request carries, as `Client.write` takes it. */
export type Sent = {records?: JsonRecord[]; filters?: FilterValues}

/** Any records of a plan as one request: in its body, or as the ids of a filter where the operation has no body. */
export function toSent(operation: WriteId, records: readonly JsonRecord[]): Sent {
  const write = writeOperation(operation)
  if (write.body !== 'none') return {records: [...records]}
  const named = Object.entries(write.sentAs) as [FilterKey, string][]
  return {filters: Object.fromEntries(named.map(([key, field]) => [key, valuesOf(key, field, records)]))}
}

/** Each value once: fields in which all records agree become one value. */
function valuesOf(key: FilterKey, field: string, records: readonly JsonRecord[]): JsonValue[] {
  const values = new Map(records.map(({[field]: value = null}) => [idText(value), value]))
  return filterOf(key).kind === 'texts' ? [...values.keys()] : [...values.values()]
}

/** The records that a request without a body names, each with the fields in which all of them agree. */
export function fromFilters(
  {sentAs, target, resource}: Write,
  filtersOf: (key: FilterKey) => readonly JsonValue[],
): JsonRecord[] {
  const fields = allFieldsOf(resource)
  const named = Object.entries(sentAs) as [FilterKey, string][]
  const [key] = named.find(([, field]) => field === target) ?? []
  const common = named.flatMap(([other, field]) => (other === key ? [] : [[field, filtersOf(other)[0] ?? null]]))
  const isInteger = fields[target]?.kind === 'integer' // a filter of texts takes ids as texts
  const toValue = (value: JsonValue) => (isInteger && typeof value === 'string' ? toNumber(value) : value)
  return key ? filtersOf(key).map((value) => ({...Object.fromEntries(common), [target]: toValue(value)})) : []
}

/** Whether a write changes records and sets fields of theirs that change by themselves. */
export function sendsLive(operation: WriteId): boolean {
  const {live, body} = writeOperation(operation)
  return live.length > 0 && body === 'update'
}

/** The most requests by which sets read again what changes by itself: each by its own. */
export function mostLiveReads(operation: WriteId, sets: readonly Pick<PlannedSet, 'places'>[]): number {
  if (!sendsLive(operation)) return 0
  return sets.reduce((sum, {places}) => sum + Math.ceil(places.length / limits.maximumPageSize), 0)
}
