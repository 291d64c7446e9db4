import type {RefusalEntry} from '../../client/types.js'
import type {Write} from '../../contract/index.js'
import {toPlainName} from '../../validate/field-names.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {remember} from '../../values/remember.js'

/** The write of a refused set, as far as it decides what a pointer names. */
type Pointed = Pick<Write, 'resource' | 'identity'> & Partial<Pick<Write, 'target' | 'sentAs'>>

/** One pointer of a refusal and the records of the set that it names: none when it matches nothing. */
export type Resolved = {
  pointer: string | number
  /** Places in the set, zero-based. */
  indexes: readonly number[]
  /** The field that named them. */
  field?: string
}

type Resolve = (refusal: RefusalEntry) => Resolved[]
type Find = (pointer: string | number) => readonly number[]

/**
 * Finds the records that refusals name: by zero-based index, by record id, or by the value of a field whose name is
 * compared without case. Pointers that match nothing are kept with no index. `records`: those of the refused set, in the
 * order they were sent, which are looked through once for all.
 */
export function createResolver(write: Pointed, records: readonly JsonRecord[]): Resolve {
  const fields = remember((plain: string) => findField(plain, write, records))
  const finders = remember((field: string) => createFinder(field, records))

  return ({pointers, pointerName}) => {
    const plain = toPlainName(pointerName ?? '')
    if (plain === 'index') return pointers.map((pointer) => ({pointer, indexes: findIndex(pointer, records)}))
    if (plain === '') return resolveNameless(pointers, write, records, finders)
    const field = fields(plain)
    if (field === undefined) return pointers.map((pointer) => ({pointer, indexes: []}))
    const find = finders(field)
    return pointers.map((pointer) => ({pointer, indexes: find(pointer), field}))
  }
}

/** Without a name a pointer is a record id where records have one; else an index, or a text of the natural key. */
function resolveNameless(
  pointers: RefusalEntry['pointers'],
  {identity, target = 'id'}: Pointed,
  records: readonly JsonRecord[],
  finders: (field: string) => Find,
): Resolved[] {
  const hasIds = records.some((record) => Object.hasOwn(record, target))
  const field = hasIds ? target : identity.at(-1)
  const find = field === undefined ? () => [] : finders(field)
  return pointers.map((pointer) => {
    const named = hasIds || typeof pointer === 'string' ? find(pointer) : []
    if (named.length > 0 && field !== undefined) return {pointer, indexes: named, field}
    return {pointer, indexes: hasIds ? [] : findIndex(pointer, records)}
  })
}

function findIndex(pointer: string | number, records: readonly JsonRecord[]): number[] {
  const index = typeof pointer === 'string' && /^\d+$/.test(pointer) ? Number(pointer) : pointer
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < records.length ? [index] : []
}

/**
 * A field of the records by its plain name, or by that of the filter it is sent in; `siteId` is the id of a site where
 * sites have no such field.
 */
function findField(
  plain: string,
  {resource, target, sentAs = {}}: Pointed,
  records: readonly JsonRecord[],
): string | undefined {
  for (const [filter, name] of Object.entries(sentAs)) if (toPlainName(filter) === plain) return name
  const names = new Set<string>()
  for (const record of records) for (const name of listNames(record)) names.add(name)
  for (const name of names) if (toPlainName(name) === plain) return name
  if (plain === 'id') return target // a record that the row names by another field
  return plain === toPlainName(`${resource}Id`) && names.has('id') ? 'id' : undefined
}

function* listNames(record: JsonRecord, above = ''): Generator<string> {
  for (const [name, value] of Object.entries(record)) {
    yield above + name
    if (isRecord(value)) yield* listNames(value as JsonRecord, `${above}${name}.`)
  }
}

/** Finds records by the value of a field: exactly, or else without case and spaces around it. */
function createFinder(field: string, records: readonly JsonRecord[]): Find {
  const textAt = (index: number) => textOf(valueAt(records[index] ?? {}, field))
  const exact = Map.groupBy(records.keys(), textAt)
  const folded = Map.groupBy(records.keys(), (index) => fold(textAt(index)))
  return (pointer) => exact.get(String(pointer)) ?? folded.get(fold(String(pointer))) ?? []
}

function fold<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : text.trim().toLowerCase()
}

/** The value of a dotted field; undefined where the record does not have it. */
export function valueAt(record: JsonRecord, field: string): JsonValue | undefined {
  let value: JsonValue | undefined = record
  for (const name of field.split('.')) {
    value = isRecord(value) && Object.hasOwn(value, name) ? (value as JsonRecord)[name] : undefined
  }

  return value
}

/** A plain value as people write it; undefined for an object or a list. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  return isNumber(value) ? numberText(value) : undefined
}
