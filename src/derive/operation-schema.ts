import {
  allFieldsOf,
  changedResource,
  type Filter,
  type FilterKey,
  filterKeysOf,
  filterOf,
  type ObjectAnswer,
  type OperationId,
  operationOf,
  type Read,
  sessionFields,
  takesOne,
  type Use,
  type Write,
} from '../contract/index.js'
import {filterMomentPattern, type JsonSchema, toJsonSchema} from './json-schema.js'

/** Finds the schema of a record: inline, or by a reference into a larger document. */
export type SchemaOfRecord = (resource: string, use: Use) => JsonSchema

export const inline: SchemaOfRecord = (resource, use) => toJsonSchema(allFieldsOf(resource), use)

/** The schema of the request body of an operation; undefined when it takes none. [seed] [pub] */
export function toRequestSchema(id: OperationId, record: SchemaOfRecord = inline): JsonSchema | undefined {
  const operation = operationOf(id)
  if (operation.kind === 'session')
    return operation.sends ? toJsonSchema(sessionFields[operation.sends], 'create') : undefined
  return {
    type: 'object',
    properties: {
      requestFilter: toFilterSchema(operation, 'requestFilter'),
      routeFilter: toFilterSchema(operation, 'routeFilter'),
      body: toBodySchema(operation, record),
    },
    ...(operation.kind === 'write' && {required: operation.body === 'none' ? placesOf(operation) : ['body']}),
  }
}

/** The parts of the request body that carry the filters of an operation. */
function placesOf(operation: Write): string[] {
  return [...new Set(filterKeysOf(operation).map((key) => filterOf(key).place))]
}

/** The schema of the body of an answer that is not a refusal; undefined when the answer has none. */
export function toAnswerSchema(id: OperationId, record: SchemaOfRecord = inline): JsonSchema | undefined {
  const operation = operationOf(id)
  if (operation.kind === 'session')
    return operation.answer === 'text' ? {type: 'string'} : toJsonSchema(sessionFields[operation.answer], 'read')
  if (operation.kind === 'write' && operation.answer === 'nothing') return undefined
  if (operation.kind === 'write' && operation.answer === 'ids')
    return {type: 'array', items: {type: 'integer'}, description: 'The new ids, in the order of the request.'}
  if (operation.kind === 'read' && operation.answer) return toObjectSchema(operation.resource, operation.answer)
  const resource = operation.kind === 'read' ? operation.resource : changedResource(operation)
  return {type: 'array', items: record(resource, 'read')}
}

/** An object whose members are named by one field and are lists of another. */
function toObjectSchema(resource: string, {name, value}: ObjectAnswer): JsonSchema {
  const {[value]: items = {}} = toJsonSchema(allFieldsOf(resource), 'read')['properties'] as JsonSchema
  return {type: 'object', description: `Lists of ${value} by ${name}.`, additionalProperties: {type: 'array', items}}
}

function toBodySchema(operation: Read | Write, record: SchemaOfRecord): JsonSchema {
  if (operation.kind === 'read' || operation.body === 'none') return {description: 'Unused here; may be empty.'}
  return {type: 'array', items: record(operation.resource, operation.body)}
}

function toFilterSchema(operation: Read | Write, place: Filter['place']): JsonSchema {
  const keys = filterKeysOf(operation).filter((key) => filterOf(key).place === place)
  const description = keys.length === 0 ? {description: 'Unused here; may be empty.'} : {}
  const needed = operation.kind === 'write' && keys.length > 0 ? {required: keys} : {}
  return {
    type: 'object',
    ...description,
    properties: Object.fromEntries(keys.flatMap((key) => toFilterProperties(key, operation))),
    ...needed,
  }
}

function toFilterProperties(key: FilterKey, operation: Read | Write): [string, JsonSchema][] {
  const second = operation.alsoSentAs?.[key]
  const schema = {...toFilterValueSchema(key), ...(operation.kind === 'write' && toCounts(key, operation))}
  if (second === undefined) return [[key, schema]]
  return [
    [key, schema],
    [second, {...schema, description: `The same as ${key}.`}],
  ]
}

/** A write by filters needs each of them, and some take one value only. */
function toCounts(key: FilterKey, write: Write): JsonSchema {
  return {minItems: 1, ...(takesOne(write, key) && {maxItems: 1})}
}

function toFilterValueSchema(key: FilterKey): JsonSchema {
  const {kind, about, onWire, orNumbers} = filterOf(key)
  const schemas: Record<Filter['kind'], JsonSchema> = {
    integers: {type: 'array', items: {type: 'integer'}},
    texts: {type: 'array', items: {type: orNumbers ? ['string', 'integer'] : 'string'}},
    dateTime: {type: 'string', pattern: filterMomentPattern},
    flag: {type: 'boolean', default: false},
  }
  return {...schemas[kind], description: onWire ?? about}
}
