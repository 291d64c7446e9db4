import {limits, operationIds, operations} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {toErrorSchemas} from './open-api-answers.js'
import {tagOf, toOperationObject} from './open-api-operation.js'
import {toHeaderComponents, toPagingParameters, toSecuritySchemes, toServers} from './open-api-parts.js'
import {toRecordSchemas} from './record-schemas.js'

/**
 * The whole contract as an OpenAPI 3.1 document. `version` is the version of this program, because the contract
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
