import {allFieldsOf, type Field, type Fields, fieldsOf} from '../contract/index.js'
import {putField} from '../formats/record-path.js'
import {toPlainName} from '../validate/field-names.js'
import {isRecord, type JsonRecord, type JsonValue} from '../values/json.js'

/**
 * Lays the given fields over a current record. What the service sets itself is left out; fields that the contract does
 * not know are carried over, because a field that is left out of a full replace is set to null. Objects are laid over
 * each other field by field.
 */
export function mergeRecord(current: JsonRecord, given: JsonRecord, resource: string): JsonRecord {
  return mergeFields(current, given, {sent: fieldsOf(resource, 'update'), all: allFieldsOf(resource)})
}

type Known = {sent: Fields; all: Fields}

function mergeFields(current: JsonRecord, given: JsonRecord, known: Known): JsonRecord {
  const now = spellFields(current, known.all)
  const next = spellFields(given, known.all)
  const merged: JsonRecord = {}
  for (const name of new Set([...Object.keys(known.sent), ...now.keys(), ...next.keys()])) {
    if (Object.hasOwn(known.all, name) && !Object.hasOwn(known.sent, name)) continue
    const value = mergeValue(now.get(name), next.get(name), findField(known.sent, name))
    if (value !== undefined) putField(merged, name, value)
  }

  return merged
}

function mergeValue(now: JsonValue | undefined, next: JsonValue | undefined, field: Field | undefined) {
  if (next === undefined) return now
  if (field?.kind !== 'object' || !field.fields || !isRecord(next)) return next
  const isNothing = Object.values(next).every((part) => part === null)
  if ((now === null || now === undefined) && isNothing) return null
  return mergeFields(isObject(now) ? now : {}, next, {sent: field.fields, all: field.fields})
}

function isObject(value: JsonValue | undefined): value is JsonRecord {
  return value !== undefined && isRecord(value)
}

/** The fields of a record by the spelling of the contract; the service does not regard the case of names. */
export function spellFields(record: JsonRecord, known: Fields): Map<string, JsonValue> {
  const names = new Map(Object.keys(known).map((name) => [toPlainName(name), name]))
  const spelled = new Map<string, JsonValue>()
  for (const [written, value] of Object.entries(record)) {
    const name = Object.hasOwn(known, written) ? written : (names.get(toPlainName(written)) ?? written)
    if (name === written || !Object.hasOwn(record, name)) spelled.set(name, value)
  }

  return spelled
}

export function findField(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
