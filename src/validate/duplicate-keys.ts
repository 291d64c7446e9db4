import {isRawNumber, type JsonRecord, type JsonValue} from '../values/json.js'

/** Remembers the natural keys of a file: given a record and its line, the line that had the same key before it. */
export type FindDuplicate = (record: JsonRecord, line: number) => number | undefined

type Branch = Map<string | number, Branch | number>

/** Without a natural key nothing is a duplicate; a record that lacks a part of its key is not one either. */
export function createDuplicateFinder(naturalKey: readonly string[]): FindDuplicate {
  const root: Branch = new Map()
  const last = naturalKey.at(-1)
  const before = naturalKey.slice(0, -1)
  if (last === undefined) return () => undefined
  return (record, line) => {
    let branch = root
    for (const name of before) {
      const key = keyOf(record[name])
      if (key === undefined) return undefined
      branch = findBranch(branch, key)
    }

    const key = keyOf(record[last])
    return key === undefined ? undefined : findFirst(branch, key, line)
  }
}

function findFirst(branch: Branch, key: string | number, line: number): number | undefined {
  const first = branch.get(key)
  if (typeof first === 'number') return first
  branch.set(key, line)
  return undefined
}

function findBranch(branch: Branch, key: string | number): Branch {
  const known = branch.get(key)
  if (known instanceof Map) return known
  const made: Branch = new Map()
  branch.set(key, made)
  return made
}

/** Numbers beyond what JavaScript can hold are compared by their digits. */
function keyOf(part: JsonValue | undefined): string | number | undefined {
  if (typeof part === 'string' || typeof part === 'number') return part
  if (part === undefined || part === null) return undefined
  return isRawNumber(part) ? `number ${part.rawJSON}` : undefined
}
