import {limits, type Operation, type OperationId, operationIds, operationOf, operations} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {toErrorSchemas, toResponses} from './open-api-answers.js'
import {toHeaderComponents, toPagingParameters, toSecuritySchemes, toServers} from './open-api-parts.js'
import {toRequestSchema} from './operation-schema.js'
import {refer, toRecordSchemas} from './record-schemas.js'

/**
 * The complete contract as an OpenAPI 3.1 document. `version` is the version of this program, because the contract
 * has none of its own; the deployed versions of the service are the stages of the server URL.
 */
export function toOpenApi(version: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {title: 'Vendor Interface Service', version, description: description.join('\n')},
    servers: toServers(),
    security: [{apiKey: [], token: []}],
    tags: [...new Set(operationIds.map(tagOf))].map((name) => ({name})),
    paths: toPaths(),
    components: {
      securitySchemes: toSecuritySchemes(),
      parameters: toPagingParameters(),
      headers: toHeaderComponents(),
      schemas: {...toRecordSchemas(), ...toErrorSchemas()},
    },
  }
}

const {requestsPerSecond, burst, requestsPerDay} = limits

const description = [
  'Bulk operations on organizations, accounts, sites, machines, alerts, machine custom data and transaction reports.',
  `One API key may send ${requestsPerSecond} requests a second, ${burst} at once and ${requestsPerDay} a day.`,
  'Every write is an atomic set: one bad element, and the whole set is rolled back.',
  'A read is a GET with a JSON body. OpenAPI 3.1 allows that and discourages it, because HTTP gives such a body no',
  'meaning; a deployment may take the same reads as POST. A body that is lost on the way returns everything.',
]

function toPaths(): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const id of operationIds) {
    const {path, verb} = operations[id]
    paths[path] = {...paths[path], [verb.toLowerCase()]: toOperationObject(id)}
  }

  return paths
}

/** The first word of an operation id. */
function tagOf(id: OperationId): string {
  return id.split('.')[0] ?? id
}

/** One operation of the document, with what only this program knows under names that begin with `x-vendorctl-`. */
function toOperationObject(id: OperationId): JsonSchema {
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
    ...(operation.kind === 'read' && !operation.answer && {parameters: pagingReferences}),
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
  if (operation.kind === 'session') return {}
  const {unconfirmed} = operation
  const doubtful = unconfirmed && {'x-vendorctl-unconfirmed': [...unconfirmed]}
  if (operation.kind === 'write') return {...doubtful}
  return {
    ...doubtful,
    ...(operation.range && {'x-vendorctl-maximum-days': operation.range.maximumDays}),
    ...(operation.alsoAt && {'x-vendorctl-also-at': [...operation.alsoAt]}),
  }
}

function toRequestBody(id: OperationId): JsonSchema {
  const schema = toRequestSchema(id, refer)
  if (!schema) return {}
  return {requestBody: {required: operationOf(id).kind !== 'read', content: {'application/json': {schema}}}}
}
