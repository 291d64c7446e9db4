import {isRawNumber, type JsonRecord, type JsonValue} from '../values/json.js'

/** Remembers the natural keys of a file: given a record and its line, the line that had the same key before it. */
export type FindDuplicate = (record: JsonRecord, line: number) => number | undefined

/** Without a natural key nothing is a duplicate; a record that lacks a part of its key is not one either. */
export function createDuplicateFinder(naturalKey: readonly string[]): FindDuplicate {
  const lines = new Map<string, number>()
  if (naturalKey.length === 0) return () => undefined
  return (record, line) => {
    const key = keyOf(record, naturalKey)
    if (key === undefined) return undefined
    const first = lines.get(key)
    if (first === undefined) lines.set(key, line)
    return first
  }
}

function keyOf(record: JsonRecord, naturalKey: readonly string[]): string | undefined {
  let key = ''
  for (const name of naturalKey) {
    const part = record[name]
    if (part === undefined || part === null) return undefined
    key += `${partText(part)}\u0000`
  }

  return key
}

function partText(part: JsonValue): string {
  return isRawNumber(part) ? part.rawJSON : String(part)
}
