import {
  allFieldsOf,
  changedResource,
  type Field,
  fieldsOf,
  fieldsSentAsFilters,
  findListOf,
  type ReadId,
  type Use,
  useOf,
  type Write,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type FieldPlace, toPlainName} from '../../validate/field-names.js'
import {suggest} from '../../values/suggest.js'

/** Columns by which rows name records other than by id. */
export type Names = {
  /** Columns that together name the record of a row; empty where its id does. */
  readonly match: readonly FieldPlace[]
  /** In the order in which they are resolved: what an account is narrows which site is meant. */
  readonly lookups: readonly Lookup[]
}

/** A column with `of`, a field of another record, in place of the id of that record in `field`. */
export type Lookup = {
  readonly field: string
  readonly resource: string
  readonly read: ReadId
  readonly of: string
  readonly column: FieldPlace
  /** Further names of the column. */
  readonly aliases: readonly string[]
}

export type NameFlags = {
  match?: string | readonly string[] | undefined
  lookup?: string | readonly string[] | undefined
}

/** Values that are compared and never sent are kept in a row under names that no field has. */
const unsentMark = '?'

export function isUnsentName(name: string): boolean {
  return name.startsWith(unsentMark)
}

export function unsentName(field: string): string {
  return unsentMark + field
}

/** Columns of `--match` and `--lookup`; undefined for nothing. Throws a `CliFailure` (usage). */
export function toNames(operation: WriteId, {match, lookup}: NameFlags): Names | undefined {
  const write = writeOperation(operation)
  const matched = [match ?? []].flat().flatMap((text) => text.split(','))
  const looked = [lookup ?? []].flat()
  if (matched.length + looked.length === 0) return undefined
  const fields = matched.map((text) => findMatched(text.trim(), write))
  const twice = fields.find((name, place) => fields.indexOf(name) !== place)
  if (twice !== undefined) throw invalidMatch(`--match names ${twice} twice.`)
  return {match: fields.map((name) => toMatched(name, write)), lookups: toLookups(looked, fields, write)}
}

function findMatched(text: string, write: Write): string {
  const {body, target, words, command, probe} = write
  if (body === 'create' || !('read' in probe))
    throw invalidMatch(`--match is for updates; ${command} makes new ${words.nouns}.`)

  const resource = changedResource(write)
  const fields = comparableFields(resource)
  const name = findName(text, Object.keys(fields))
  if (name === 'id' || text === target) throw invalidMatch(`The column ${target} names a record without --match.`)
  if (name !== undefined) return name
  throw invalidMatch(`--match: ${describeNone(text, resource, Object.keys(fields))}`)
}

/** The columns of a record that are one value each. */
function comparableFields(resource: string): Readonly<Record<string, Field>> {
  const all = Object.entries(fieldsOf(resource, 'read'))
  return Object.fromEntries(all.filter(([, {kind}]) => kind !== 'object' && kind !== 'list'))
}

function findName(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => name === text) ?? names.find((name) => toPlainName(name) === toPlainName(text))
}

function describeNone(text: string, resource: string, names: readonly string[]): string {
  const others = names.filter((name) => name !== 'id')
  const near = suggest(text, others)
  return `${JSON.stringify(text)} is not a field of ${withArticle(resource)} that can be compared${near ? `; did you mean ${near}?` : '.'}`
}

function withArticle(resource: string): string {
  return `${/^[aeio]/.test(resource) ? 'an' : 'a'} ${resource}`
}

function toMatched(name: string, write: Write): FieldPlace {
  const {resource, body} = write
  const [field, use] = [allFieldsOf(changedResource(write))[name], useOf(write)]
  if (!field) throw new TypeError(`${resource} has no field ${name}`)
  const isSent = body !== 'none' && allFieldsOf(resource)[name]?.uses.includes(use) === true
  return toPlace(name, isSent ? name : unsentName(name), {field, isRequired: true, needs: '--match', use})
}

type Needed = {field: Field; isRequired: boolean; needs: string; use: Use}

function toPlace(name: string, key: string, {field, isRequired, needs, use}: Needed): FieldPlace {
  const {nullable: _nullable, required: _required, ...rest} = field
  return {name, path: [key], field: {...rest, ...(isRequired && {required: [use]})}, needs}
}

function toLookups(texts: readonly string[], matched: readonly string[], write: Write): Lookup[] {
  const pairs = texts.map((text) => toPair(text, matched, write))
  const twice = pairs.find(({field}, place) => pairs.findIndex((other) => other.field === field) !== place)
  if (twice) throw invalidLookup(`--lookup names ${twice.field} twice.`)
  const lookups = pairs.map((pair) => {
    const isShared = pairs.some((other) => other !== pair && other.of === pair.of)
    return toLookup(pair, isShared, matched, write)
  })
  return lookups.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** A record belongs to those of fewer references. */
function rankOf({resource}: Lookup): number {
  return Object.values(allFieldsOf(resource)).filter(({refersTo}) => refersTo !== undefined).length
}

type Pair = {field: string; resource: string; of: string}

function toPair(text: string, matched: readonly string[], write: Write): Pair {
  const {body, command} = write
  const [before = '', after = '', ...more] = text.split('=').map((part) => part.trim())
  if (before === '' || after === '' || more.length > 0)
    throw invalidLookup(`--lookup: ${JSON.stringify(text)} is not IDFIELD=FIELD, such as machineId=prose.`)

  const own = Object.entries(ownFields(write)).filter(
    ([name, {refersTo, uses}]) =>
      refersTo !== undefined &&
      (matched.includes(name) || fieldsSentAsFilters(write).includes(name) || (body !== 'none' && uses.includes(body))),
  )
  const names = own.map(([name]) => name)
  const field = findName(before, names)
  const definition = own.find(([name]) => name === field)?.[1]
  if (field === undefined || !definition?.refersTo) {
    const some = names.length === 0 ? 'none' : names.join(', ')
    throw invalidLookup(
      `--lookup: ${JSON.stringify(before)} is not an id of another record in ${command}. There: ${some}.`,
    )
  }

  const others = Object.keys(comparableFields(definition.refersTo))
  const of = findName(after, others)
  if (of === 'id') throw invalidLookup(`--lookup: the column ${field} has the id without --lookup.`)
  if (of === undefined) throw invalidLookup(`--lookup: ${describeNone(after, definition.refersTo, others)}`)
  return {field, resource: definition.refersTo, of}
}

/** The fields of a row, and those of the record that it names. */
function ownFields(write: Write): Readonly<Record<string, Field>> {
  return {...allFieldsOf(changedResource(write)), ...allFieldsOf(write.resource)}
}

/** The column is called like the field in it, unless the record itself, or another lookup, has such a field. */
function toLookup({field, resource, of}: Pair, isShared: boolean, matched: readonly string[], write: Write) {
  const named = field === write.target ? allFieldsOf(write.resource) : ownFields(write)
  const own = new Set(Object.keys(named).map(toPlainName))
  const full = `${resource}.${of}`
  const isOwn = own.has(toPlainName(of))
  const why = isOwn ? ` (the column ${of} is that of the ${changedResource(write)})` : ''
  const name = isShared || isOwn ? full : of
  const aliases = [full, resource + of].filter((each) => !own.has(toPlainName(each)))
  const otherField = allFieldsOf(resource)[of]
  const read = findListOf(resource)
  if (!otherField || !read) throw new TypeError(`${resource} has no field ${of}, or is not listed`)
  const needs = `--lookup ${field}=${of}${why}`
  const needed = {field: otherField, isRequired: matched.includes(field), needs, use: useOf(write)}
  return {field, resource, of, read, column: toPlace(name, unsentName(name), needed), aliases}
}

function invalidMatch(message: string): CliFailure {
  return new CliFailure(message, {
    code: 'INVALID_MATCH',
    hints: ['Name fields that together are different in every record, such as: --match name,accountId'],
  })
}

function invalidLookup(message: string): CliFailure {
  return new CliFailure(message, {
    code: 'INVALID_LOOKUP',
    hints: ['Name the id field and the field that the file has in its place, such as: --lookup machineId=prose'],
  })
}
