import {type Operation, type OperationId, operationOf} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {toResponses} from './open-api-answers.js'
import {toRequestSchema} from './operation-schema.js'
import {refer} from './record-schemas.js'

/** The first word of an operation id. */
export function tagOf(id: OperationId): string {
  return id.split('.')[0] ?? id
}

/** One operation of the document, with what only this program knows under names that begin with `x-vendorctl-`. */
export function toOperationObject(id: OperationId): JsonSchema {
  const operation = operationOf(id)
  const {about, since, command} = operation
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary: about,
    ...describe(operation),
    'x-vendorctl-command': command,
    'x-vendorctl-since': since,
    ...toExtensions(operation),
    ...(operation.kind === 'session' && {security: [{apiKey: []}]}),
    ...(operation.kind === 'read' && {parameters: pagingReferences}),
    ...toRequestBody(id),
    responses: toResponses(id),
  }
}

const pagingReferences = ['page', 'size'].map((name) => ({$ref: `#/components/parameters/${name}`}))

function describe(operation: Operation): JsonSchema {
  const words = [
    ...(operation.kind === 'read'
      ? ['A GET with a JSON body; without filters every record of the caller returns.']
      : []),
    ...(operation.kind === 'read' && operation.range ? [describeRange(operation.range.maximumDays)] : []),
    ...(operation.kind === 'write' && operation.merge === 'full-replace'
      ? ['A field that is left out becomes null.']
      : []),
    ...(operation.kind === 'write' ? ['An atomic set: one bad element, and the whole set is rolled back.'] : []),
  ]
  return words.length === 0 ? {} : {description: words.join(' ')}
}

function describeRange(days: number): string {
  return `A range longer than ${days} days is clamped; the answer then says which dates were used.`
}

function toExtensions(operation: Operation): JsonSchema {
  if (operation.kind !== 'read') return {}
  return {
    ...(operation.range && {'x-vendorctl-maximum-days': operation.range.maximumDays}),
    ...(operation.alsoAt && {'x-vendorctl-also-at': [...operation.alsoAt]}),
  }
}

function toRequestBody(id: OperationId): JsonSchema {
  const schema = toRequestSchema(id, refer)
  if (!schema) return {}
  return {requestBody: {required: operationOf(id).kind !== 'read', content: {'application/json': {schema}}}}
}
