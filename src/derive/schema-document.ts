import {
  allFieldsOf,
  allOperations,
  changedResource,
  type Fields,
  fields,
  findOperation,
  type OperationId,
  type Read,
  type Use,
  useOf,
  type Write,
} from '../contract/index.js'
import {toEnvelopeSchema} from './envelope-schema.js'
import {dialect, type JsonSchema, toJsonSchema} from './json-schema.js'
import {inline, toRequestSchema} from './operation-schema.js'
import {toPlanSchema} from './plan-schema.js'

/** Schemas of what this program itself writes, by the names of their documents. */
export const ownSchemas: Readonly<Record<'envelope' | 'plan', () => JsonSchema>> = {
  envelope: toEnvelopeSchema,
  plan: toPlanSchema,
}

/**
 * A document on its own: for an operation the array of records of a file for it, or that it returns;
 * without one the records of every resource in every use, under `$defs`. Undefined for an unknown operation.
 */
export function toSchemaDocument(id?: string): JsonSchema | undefined {
  if (id === undefined) return {$schema: dialect, $id: 'urn:vendorctl:contract', $defs: toRecordSchemas()}
  const operation = findOperation(id)
  if (!operation) return undefined
  const head = {$schema: dialect, $id: `urn:vendorctl:contract:${id}`, title: id, description: operation.about}
  if (operation.kind === 'session') return {...head, ...toRequestSchema(id as OperationId)}
  return {...head, type: 'array', items: toJsonSchema(fileFieldsOf(operation), useOf(operation))}
}

/** The fields of the records in a file for a write, or that a read returns, in the order of columns. */
export function fileFieldsOf(operation: Read | Write): Fields {
  const all = allFieldsOf(operation.resource)
  if (operation.kind === 'read' || operation.body !== 'none') return all
  return Object.fromEntries(operation.identity.flatMap((name) => (all[name] ? [[name, {...all[name], ...key}]] : [])))
}

const key = {uses: ['update'], required: ['update']} as const

const uses = ['read', 'create', 'update', 'delete'] as const satisfies Use[]

/** The schema of every record that an operation returns or takes, by name. */
export function toRecordSchemas(): JsonSchema {
  const all = Object.keys(fields).flatMap((resource) => uses.map((use) => ({resource, use})))
  const used = all.filter(({resource, use}) => isUsed(resource, use))
  return Object.fromEntries(used.map(({resource, use}) => [schemaNameOf(resource, use), inline(resource, use)]))
}

/** The name of the schema of a record: `Site` as it is read, `SiteCreate`, `SiteUpdate` and `SiteDelete` as it is sent. */
function schemaNameOf(resource: string, use: Use): string {
  return use === 'read' ? capitalize(resource) : capitalize(resource) + capitalize(use)
}

/** A reference to the schema of a record in a document with `toRecordSchemas` among its components. */
export function refer(resource: string, use: Use): JsonSchema {
  return {$ref: `#/components/schemas/${schemaNameOf(resource, use)}`}
}

function isUsed(resource: string, use: Use): boolean {
  return allOperations.some((row) => {
    if (row.kind === 'session') return false
    if (use !== 'read') return row.kind === 'write' && row.resource === resource && row.body === use
    if (row.kind === 'read') return row.resource === resource && !row.answer
    return changedResource(row) === resource && row.answer === 'records'
  })
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
