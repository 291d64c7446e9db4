import type {Field, Fields, Use} from '../contract/index.js'

/** A JSON Schema (draft 2020-12), or a part of one. */
export type JsonSchema = {[keyword: string]: SchemaValue}
type SchemaValue = null | boolean | number | string | SchemaValue[] | JsonSchema

export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** A number of things. */
export const count = {type: 'integer', minimum: 0}

/** The number of a line, a column and the like, from 1. */
export const place = {type: 'integer', minimum: 1}

/** An object that has no other properties; all of them are required unless some are named. */
export function closed(properties: JsonSchema, required: string[] = Object.keys(properties)): JsonSchema {
  return {type: 'object', properties, ...(required.length > 0 && {required}), additionalProperties: false}
}

/** ISO 8601 without offset and with 0 to 3 digits of a fraction [pub], which is not the `date-time` of RFC 3339. */
const momentPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$'

/** A moment whose time part may be left out, as the two date filters take it. [seed] */
export const filterMomentPattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?)?$'

/**
 * The schema of one record of the given use. Records that are sent name what is required and admit no unknown field;
 * records that are read may lack fields and may carry unknown ones, because the service keeps growing.
 * Numbers have no upper bound: digits beyond 2^53 are valid.
 */
export function toJsonSchema(fields: Fields, use: Use): JsonSchema {
  const used = Object.entries(fields).filter(([, field]) => field.uses.includes(use))
  const required = used.filter(([, field]) => field.required?.includes(use)).map(([name]) => name)

  return {
    type: 'object',
    properties: Object.fromEntries(used.map(([name, field]) => [name, toFieldSchema(field, use)])),
    ...(required.length > 0 && {required}),
    ...(use !== 'read' && {additionalProperties: false}),
  }
}

function toFieldSchema(field: Field, use: Use): JsonSchema {
  const schema = toKindSchema(field, use)
  const words = {description: aboutOf(field), ...(field.example !== undefined && {examples: [field.example]})}
  return field.nullable ? {...toNullable(schema), ...words} : {...schema, ...words}
}

function aboutOf({about, alsoNamed}: Field): string {
  return alsoNamed === undefined ? about : `${about} Also sent as ${alsoNamed.join(' or ')}.`
}

/** A text may be longer in UTF-16 units, which the service counts, than in characters, which a schema counts. */
function toKindSchema(field: Field, use: Use): JsonSchema {
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return {
        type: field.kind === 'integer' ? 'integer' : 'number',
        ...(field.min !== undefined && {minimum: field.min}),
        ...(field.above !== undefined && {exclusiveMinimum: field.above}),
        ...(field.except && {not: {enum: [...field.except]}}),
      }
    case 'text':
      return {
        type: field.orNumber ? ['string', 'number'] : 'string',
        ...(field.maxLength !== undefined && {maxLength: field.maxLength}),
      }
    case 'boolean':
      return {type: 'boolean'}
    case 'dateTime':
      return {type: 'string', pattern: momentPattern}
    case 'choice':
      return {type: 'string', enum: [...(field.of ?? [])]}
    case 'object':
      return toJsonSchema(field.fields ?? {}, use)
    case 'list':
      return {type: 'array', items: toJsonSchema(field.fields ?? {}, use)}
  }
}

function toNullable(schema: JsonSchema): JsonSchema {
  const {type, enum: words, ...rest} = schema
  return {
    type: [type as string | string[], 'null'].flat(),
    ...(Array.isArray(words) && {enum: [...words, null]}),
    ...rest,
  }
}
