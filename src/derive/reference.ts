import {
  type Fields,
  type Filter,
  type FilterKey,
  filterKeysOf,
  filterOf,
  findOperation,
  findRefusal,
  type Operation,
  operationIds,
  operationOf,
  type Read,
  type Refusal,
  sessionFields,
  type Use,
  useOf,
  type Write,
} from '../contract/index.js'
import {fileFieldsOf} from './schema-document.js'
import {boundWordsOf, toLeaves, typeWordsOf} from './schema-words.js'

/** One line of the overview; `filters` are flags with their dashes, parted by spaces. */
export type OperationRow = {
  id: string
  method: string
  path: string
  command: string
  stage: string
  filters: string
  about: string
}

type FieldRow = {
  /** Dotted, as the columns of a file are. */
  name: string
  type: string
  required: boolean
  nullable: boolean
  bounds: string
  about: string
}

type FilterRow = {flag: string; key: string; place: string; type: string; about: string}

type RefusalRow = {code: string} & Refusal

export type OperationReference = OperationRow & {
  kind: Operation['kind']
  alsoAt: string[]
  /** Parts that the documentation of the service does not confirm. */
  unconfirmed: string[]
  /** Longest range of one request in days, and largest page in records. */
  maximumDays?: number
  maximumPageSize?: number
  answers: string
  /** Fields of the records that are read, or of a file for the write. */
  fields: FieldRow[]
  filterRows: FilterRow[]
  refusals: RefusalRow[]
}

/** Every operation in one line, in the order of the contract. */
export function toOperationRows(): OperationRow[] {
  return operationIds.map((id) => toOperationRow(id, operationOf(id)))
}

/** All that the contract says of one operation; undefined for an unknown id or command. */
export function findReference(name: string): OperationReference | undefined {
  const id = findOperationId(name)
  const operation = id === undefined ? undefined : findOperation(id)
  if (id === undefined || !operation) return undefined
  return {
    ...toOperationRow(id, operation),
    kind: operation.kind,
    ...toLimits(operation),
    unconfirmed: operation.kind === 'session' ? [] : [...(operation.unconfirmed ?? [])],
    answers: answerWordsOf(operation),
    fields: toOperationFields(operation),
    filterRows: operation.kind === 'session' ? [] : filterKeysOf(operation).map((key) => toFilterRow(key, operation)),
    refusals: operation.refuses.flatMap(toRefusalRow),
  }
}

/** The id of an operation by its id or by its command in words, without regard to case. */
export function findOperationId(name: string): (typeof operationIds)[number] | undefined {
  const folded = name.trim().toLowerCase()
  return operationIds.find((id) => id === folded || operationOf(id).command === folded)
}

/** The fields of one use with their rules, nested ones dotted; the fields of a list's elements follow it. */
function toFieldRows(fields: Fields, use: Use): FieldRow[] {
  return toLeaves(fields, use, true).map(({path, field}) => ({
    name: path,
    type: typeWordsOf(field, use),
    required: field.required?.includes(use) ?? false,
    nullable: field.nullable ?? false,
    bounds: boundWordsOf(field),
    about: field.about,
  }))
}

function toOperationRow(id: string, operation: Operation): OperationRow {
  const {verb, path, command, since, about} = operation
  const keys = operation.kind === 'session' ? [] : filterKeysOf(operation)
  const filters = keys.map((key) => `--${filterOf(key).flag}`).join(' ')
  return {id, method: verb, path, command, stage: since, filters, about}
}

function toLimits(operation: Operation): Pick<OperationReference, 'alsoAt' | 'maximumDays' | 'maximumPageSize'> {
  if (operation.kind !== 'read') return {alsoAt: []}
  const {alsoAt = [], maximumPageSize, range} = operation
  return {alsoAt: [...alsoAt], maximumPageSize, ...(range && {maximumDays: range.maximumDays})}
}

function answerWordsOf(operation: Operation): string {
  if (operation.kind === 'read') return operation.answer ? 'an object of lists' : 'records'
  return operation.kind === 'write' ? operation.answer : 'words'
}

function toOperationFields(operation: Operation): FieldRow[] {
  if (operation.kind !== 'session') return toFieldRows(fileFieldsOf(operation), useOf(operation))
  return operation.sends ? toFieldRows(sessionFields[operation.sends], 'create') : []
}

const filterWords: Record<Filter['kind'], string> = {
  integers: 'integers',
  texts: 'texts',
  dateTime: 'date, or date and time',
  flag: 'true or false',
}

function toFilterRow(key: FilterKey, operation: Read | Write): FilterRow {
  const {flag, place, kind, about} = filterOf(key)
  const isUtc = operation.kind === 'read' && operation.range?.clock === 'utc'
  const clock = kind === 'dateTime' ? `, ${isUtc ? 'UTC' : 'local to the machine'}` : ''
  return {flag: `--${flag}`, key, place, type: `${filterWords[kind]}${clock}`, about}
}

function toRefusalRow(code: string): RefusalRow[] {
  const refusal = findRefusal(code)
  return refusal ? [{code, ...refusal}] : []
}
