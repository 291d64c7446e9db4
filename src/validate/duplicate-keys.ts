import {isNumber, type JsonRecord, type JsonValue, printJson} from '../values/json.js'
import {createKeyLines} from '../values/key-lines.js'

/** Remembers the natural keys of a file: given a record and its line, the line that had the same key before it. */
export type FindDuplicate = (record: JsonRecord, line: number) => number | undefined

/**
 * Without a natural key nothing is a duplicate; a record that lacks a part of its key is not one either. Numbers beyond
 * what JavaScript can hold are compared by their digits.
 */
export function createDuplicateFinder(naturalKey: readonly string[]): FindDuplicate {
  if (naturalKey.length === 0) return () => undefined
  const findFirst = createKeyLines()
  return (record, line) => {
    const parts: JsonValue[] = []
    for (const name of naturalKey) {
      const part = record[name]
      if (part === undefined || !(typeof part === 'string' || isNumber(part))) return undefined
      parts.push(part)
    }

    return findFirst(printJson(parts), line)
  }
}
