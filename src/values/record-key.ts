import {isNumber, type JsonRecord, type JsonValue, numberText, printJson} from './json.js'

/** Tells records of one read apart: equal for equal ids, and where there is no id for equal content. */
export function recordKey(record: JsonRecord): string {
  return idKey(record['id']) ?? `record ${printJson(record)}`
}

/** Equal for equal ids only; ids are texts or numbers, and `1` is another id than `"1"`. Undefined for what is no id. */
export function idKey(id: JsonValue | undefined): string | undefined {
  if (typeof id === 'string') return `text ${id}`
  return id !== undefined && isNumber(id) ? `number ${numberText(id)}` : undefined
}
