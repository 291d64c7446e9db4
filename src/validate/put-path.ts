import {isRecord, type JsonRecord, type JsonValue} from '../values/json.js'

/** Sets a value at a path, making the objects that lead to it. Paths come from the contract or were found harmless. */
export function putPath(record: JsonRecord, path: readonly string[], value: JsonValue): void {
  const last = path.length - 1
  let target = record
  for (let depth = 0; depth < last; depth++) target = enter(target, path[depth] as string)
  target[path[last] as string] = value
}

function enter(record: JsonRecord, name: string): JsonRecord {
  const inner = Object.hasOwn(record, name) ? record[name] : undefined
  if (inner !== undefined && isRecord(inner)) return inner
  const made: JsonRecord = {}
  record[name] = made
  return made
}

/** Whether a record holds a value at a path, or on the way to it one that is no object. */
export function hasPath(record: JsonRecord, path: readonly string[]): boolean {
  let value: JsonValue = record
  for (const name of path) {
    if (!isRecord(value)) return true
    const inner: JsonValue | undefined = Object.hasOwn(value, name) ? (value as JsonRecord)[name] : undefined
    if (inner === undefined) return false
    value = inner
  }

  return true
}

/** The value at a path; undefined where something on the way is missing. */
export function readPath(record: JsonRecord, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = record
  for (const name of path) value = value !== undefined && isRecord(value) ? (value as JsonRecord)[name] : undefined
  return value
}
