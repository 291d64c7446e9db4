import {isRecord, type JsonRecord, type JsonValue} from '../values/json.js'

/** Sets a value at a path, making the objects that lead to it. Paths come from the contract or were found harmless. */
export function putPath(record: JsonRecord, path: readonly string[], value: JsonValue): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) {
    record[name] = value
    return
  }

  const inner = Object.hasOwn(record, name) ? record[name] : undefined
  const target: JsonRecord = inner !== undefined && isRecord(inner) ? inner : {}
  record[name] = target
  putPath(target, rest, value)
}
