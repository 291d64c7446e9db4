import {allFieldsOf, type Field, type Fields, fieldsOf, type Use} from '../contract/index.js'
import {isRecord, type JsonRecord, type JsonValue} from '../values/json.js'

/**
 * A field with the path of names that leads to it in a record; one that is never sent is read as it is. `needs` is
 * the flag that names its column, which must be there then.
 */
export type FieldPlace = {name: string; path: readonly string[]; field: Field; isUnsent?: boolean; needs?: string}

/** The fields of a resource for one use, to be found by the names that people write. */
export type FieldNames = {
  readonly places: readonly FieldPlace[]
  find(name: string): FieldPlace | undefined
  /** The spelling of a field that is read but never sent in this use. */
  findReadOnly(name: string): string | undefined
  /** Whether a name that is no field here is left out without a problem; called with each such name. */
  leavesOut?(name: string): boolean
}

/** Names are compared without case, spaces, `_` and `-`; a dot leads into an object. */
export function toPlainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\-\uFEFF\u200B]/g, '')
}

/** Whether two names set the same field, as `contact` and `contact.firstName` do. */
export function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
}

export function createFieldNames(resource: string, use: Use): FieldNames {
  const places = [...listPlaces(fieldsOf(resource, use))]
  const bySpelling = new Map(places.map((place) => [place.name, place]))
  const byName = new Map(places.map((place) => [toPlainName(place.name), place]))
  const all = new Map([...listPlaces(allFieldsOf(resource))].map(({name}) => [toPlainName(name), name]))
  return {
    places,
    find: (name) => bySpelling.get(name) ?? byName.get(toPlainName(name)),
    findReadOnly: (name) => (byName.has(toPlainName(name)) ? undefined : all.get(toPlainName(name))),
  }
}

/** The path of a dotted name, whether or not there is such a field; `\.` is a dot inside a name. */
export function toPath(name: string): string[] {
  return name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
}

const dangerous = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a name, or a dotted part of it, would reach into the inside of every object. */
export function isDangerousName(name: string): boolean {
  return name.split('.').some((part) => dangerous.has(part.trim().toLowerCase()))
}

function* listPlaces(fields: Fields, above: readonly string[] = []): Generator<FieldPlace> {
  for (const [name, field] of Object.entries(fields)) {
    const path = [...above, name]
    yield {name: path.join('.'), path, field}
    if (field.kind === 'object' && field.fields) yield* listPlaces(field.fields, path)
  }
}

/** Sets a value at a path, making the objects that lead to it. Paths come from the contract or were found harmless. */
export function putPath(record: JsonRecord, path: readonly string[], value: JsonValue): void {
  const last = path.length - 1
  let target = record
  for (let depth = 0; depth < last; depth++) target = enter(target, path[depth] as string)
  target[path[last] as string] = value
}

function enter(record: JsonRecord, name: string): JsonRecord {
  const inner = Object.hasOwn(record, name) ? record[name] : undefined
  if (isRecord(inner)) return inner
  const made: JsonRecord = {}
  record[name] = made
  return made
}

/** Whether a record has a value at a path, or on the way to it one that is no object. */
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
