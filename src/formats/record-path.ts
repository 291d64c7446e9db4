import {isRecord, type JsonRecord, type JsonValue} from '../values/json.js'

/** The name of a field as this record spells it: exactly, or else without regard to case. */
export function findName(record: JsonRecord, wanted: string): string | undefined {
  if (Object.hasOwn(record, wanted)) return wanted
  const folded = wanted.toLowerCase()
  return Object.keys(record).find((name) => name.toLowerCase() === folded)
}

/** The value at a path; undefined when the record has no such field, null when an object on the way is null. */
export function valueAt(record: JsonRecord, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue = record
  for (const part of path) {
    if (value === null) return null
    if (!isRecord(value)) return undefined
    const parent: JsonRecord = value
    const name = findName(parent, part)
    if (name === undefined) return undefined
    value = parent[name] as JsonValue
  }

  return value
}

/** Sets a field. A plain assignment would take the name `__proto__` for the prototype. */
export function putField(record: JsonRecord, name: string, value: JsonValue): void {
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, {value, writable: true, enumerable: true, configurable: true})
}

/** The object under a name, which is put there where there is none yet. */
export function openObject(record: JsonRecord, name: string): JsonRecord {
  const existing = Object.hasOwn(record, name) ? record[name] : undefined
  if (isRecord(existing)) return existing
  const opened: JsonRecord = {}
  putField(record, name, opened)
  return opened
}

/** Sets the value at a path; objects on the way are made. */
export function putAt(record: JsonRecord, path: readonly string[], value: JsonValue): void {
  const parent = path.slice(0, -1).reduce(openObject, record)
  putField(parent, path.at(-1) as string, value)
}
