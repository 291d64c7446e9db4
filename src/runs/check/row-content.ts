import {createHash, type Hash} from 'node:crypto'
import {allFieldsOf, changedResource, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {spellFields} from '../plan/merge.js'

const digestBytes = 16

/** Sixteen bytes that are equal for records of equal content, whatever the order of their fields. */
export function contentDigest(record: JsonRecord): Uint8Array {
  return hashContent(record).digest().subarray(0, digestBytes)
}

/** SHA-256 in hex of a record that was read: equal whatever the order and the spelling of its fields. */
export function recordDigest(write: Write, record: JsonRecord): string {
  const {probe} = write
  const spelled = [...spellFields(record, allFieldsOf(changedResource(write)))]
  const lasting = probe.kind === 'adjustments' ? Object.values(probe.traced.of) : undefined // machines sell meanwhile
  return hashContent(Object.fromEntries(spelled.filter(([name]) => lasting?.includes(name) ?? true))).digest('hex')
}

function hashContent(record: JsonRecord): Hash {
  return createHash('sha256').update(printJson(sortFields(record)))
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
