import type {Write} from '../contract/index.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, printJson, toNumber} from './json.js'

/** Tells records of one read apart: equal for equal ids, and where there is no id for equal content. */
export function recordKey(record: JsonRecord): string {
  return idKey(idOfRecord(record)) ?? `record ${printJson(record)}`
}

/** Whether a key is that of an id; the others contain the record itself. */
export function isIdKey(key: string): boolean {
  return !key.startsWith('record ')
}

/** The id of a record, however its name is spelled. */
export function idOfRecord(record: JsonRecord): JsonValue | undefined {
  if (Object.hasOwn(record, 'id')) return record['id']
  return Object.entries<JsonValue>(record).find(([name]) => name.toLowerCase() === 'id')?.[1]
}

/** Equal for equal ids only; ids are texts or numbers, and `1` is another id than `"1"`. Undefined for what is no id. */
export function idKey(id: JsonValue | undefined): string | undefined {
  if (typeof id === 'string') return `text ${id}`
  return isNumber(id) ? `number ${numberText(id)}` : undefined
}

/** The digits or the text of an id; empty for what is no id. */
export function idText(id: JsonValue | undefined): string {
  if (typeof id === 'string') return id
  return isNumber(id) ? numberText(id) : ''
}

/** The number of an id that a service lists as a text of digits; any other as it is. */
export function idNumber(id: JsonValue): JsonValue {
  return typeof id === 'string' && /^[1-9]\d*$/.test(id) ? toNumber(id) : id
}

/** Whether a record that is sent is deleted: all are, or those whose flags are all false. */
export function isDeletion({deletes}: Pick<Write, 'deletes'>, sent: JsonRecord): boolean {
  if (typeof deletes === 'string') return deletes === 'all'
  return deletes.allFalse.every((flag) => sent[flag] === false)
}
