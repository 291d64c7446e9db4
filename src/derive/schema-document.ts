import {
  allFieldsOf,
  type Fields,
  findOperation,
  type OperationId,
  type Read,
  useOf,
  type Write,
} from '../contract/index.js'
import {dialect, type JsonSchema, toJsonSchema} from './json-schema.js'
import {toRequestSchema} from './operation-schema.js'
import {toRecordSchemas} from './record-schemas.js'

/**
 * A document on its own: for an operation the array of records that a file for it holds, or that it returns;
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

/** The fields of the records that a file for a write holds, or that a read returns, in the order of columns. */
export function fileFieldsOf(operation: Read | Write): Fields {
  const all = allFieldsOf(operation.resource)
  if (operation.kind === 'read' || operation.body !== 'none') return all
  return Object.fromEntries(operation.identity.flatMap((name) => (all[name] ? [[name, {...all[name], ...key}]] : [])))
}

const key = {uses: ['update'], required: ['update']} as const
