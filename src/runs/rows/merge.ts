import {allFieldsOf, type Field, type Fields, type Use} from '../../contract/index.js'
import {putField} from '../../formats/record-path.js'
import {toPlainName} from '../../validate/field-names.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../values/json.js'

/**
 * Lays the given fields over a current record. What the service sets itself is left out; fields that the contract does
 * not know are carried over, because a field that is left out of a full replace is set to null. Objects are laid over
 * each other field by field.
 */
export function mergeRecord(current: JsonRecord, given: JsonRecord, resource: string): JsonRecord {
  return mergeFields(current, given, allFieldsOf(resource))
}

function mergeFields(current: JsonRecord, given: JsonRecord, fields: Fields): JsonRecord {
  const now = spellRecord(current, fields)
  const next = spellRecord(given, fields)
  const merged: JsonRecord = {}
  for (const [name, field] of sentFieldsOf(fields)) {
    const value = mergeValue(ownField(now, name), ownField(next, name), field)
    if (value !== undefined) merged[name] = value
  }

  for (const [name, value] of Object.entries<JsonValue>({...now, ...next})) {
    if (!Object.hasOwn(fields, name)) putField(merged, name, value)
  }
  return merged
}

function mergeValue(now: JsonValue | undefined, next: JsonValue | undefined, field: Field | undefined) {
  if (next === undefined) return now
  if (field?.kind !== 'object' || !field.fields || !isRecord(next)) return next
  const isNothing = Object.values(next).every((part) => part === null)
  if ((now === null || now === undefined) && isNothing) return null
  return mergeFields(now !== undefined && isRecord(now) ? now : {}, next, field.fields)
}

export function findField(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Whether the service sets a field itself. */
export function isNeverSent(field: Field | undefined, use: Use = 'update'): boolean {
  return field !== undefined && !field.uses.includes(use)
}

/** The fields of a record by the spelling of the contract; the service does not regard the case of names. */
export function spellFields(record: JsonRecord, fields: Fields): Map<string, JsonValue> {
  const spelled = new Map<string, JsonValue>()
  for (const [written, value] of Object.entries(record)) {
    const name = Object.hasOwn(fields, written) ? written : (spellingsOf(fields).get(toPlainName(written)) ?? written)
    if (name === written || !Object.hasOwn(record, name)) spelled.set(name, value)
  }

  return spelled
}

/** The same as a record: the record itself where it is spelled so. */
export function spellRecord(record: JsonRecord, fields: Fields): JsonRecord {
  for (const name in record) {
    const isSpelled = Object.hasOwn(fields, name) || !spellingsOf(fields).has(toPlainName(name))
    if (!isSpelled) return Object.fromEntries(spellFields(record, fields))
  }
  return record
}

/** A field that a record has itself: a service may name one `__proto__`. */
export function ownField(record: JsonRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Tables of the contract never change: they are read once. */
const sentFields = new WeakMap<Fields, readonly [string, Field][]>()
const spellings = new WeakMap<Fields, ReadonlyMap<string, string>>()

/** The fields that are sent, in the order of the contract. */
function sentFieldsOf(fields: Fields): readonly [string, Field][] {
  const known = sentFields.get(fields)
  if (known) return known
  const made = Object.entries(fields).filter(([, field]) => !isNeverSent(field))
  sentFields.set(fields, made)
  return made
}

function spellingsOf(fields: Fields): ReadonlyMap<string, string> {
  const known = spellings.get(fields)
  if (known) return known
  const made = new Map(Object.keys(fields).map((name) => [toPlainName(name), name]))
  spellings.set(fields, made)
  return made
}
