import {
  findRefusal,
  type GatewayAnswer,
  gatewayAnswers,
  type Operation,
  type OperationId,
  operations,
} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {toHeaderReferences} from './open-api-parts.js'
import {toAnswerSchema} from './operation-schema.js'
import {refer} from './record-schemas.js'

/** The error list of the service, and what a gateway in front of it answers. [seed] */
export function toErrorSchemas(): JsonSchema {
  return {
    ErrorList: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: {type: 'string', description: 'Machine-readable code; further ones than the listed may come.'},
          message: {type: 'string', description: 'For people.'},
          pointers: {
            type: 'array',
            items: {type: ['string', 'integer']},
            description: 'What locates the guilty records: ids, places in the body counted from 0, or natural keys.',
          },
          pointerName: {type: 'string', description: 'The field that the pointers hold; index for places.'},
        },
      },
    },
    GatewayMessage: {type: 'object', required: ['message'], properties: {message: {type: 'string'}}},
  }
}

/** Every answer of an operation by status: its success, its refusals, and those of the gateway. */
export function toResponses(id: OperationId): JsonSchema {
  const operation: Operation = operations[id]
  return {...toSuccess(id), ...toGatewayRefusals(), ...toRefusals(operation)}
}

function toSuccess(id: OperationId): JsonSchema {
  const operation: Operation = operations[id]
  const schema = toAnswerSchema(id, refer)
  if (!schema) return {'204': {description: 'Done; the answer is empty.'}}
  const {type} = schema
  const asText = type === 'string' ? {'text/plain': {schema}} : {}
  const headers = operation.kind === 'read' ? {headers: toHeaderReferences(operation.range !== undefined)} : {}
  const description = operation.kind === 'read' ? 'One page of records.' : 'Done.'
  return {'200': {description, ...headers, content: {'application/json': {schema}, ...asText}}}
}

function toGatewayRefusals(): JsonSchema {
  const byStatus = Map.groupBy(Object.values(gatewayAnswers), ({status}) => status)
  return Object.fromEntries([...byStatus].map(([status, rows]) => [String(status), toGatewayResponse(wordsOf(rows))]))
}

function wordsOf(rows: readonly GatewayAnswer[]): string {
  return rows.map(({message, about}) => `${message}: ${about}`).join('\n')
}

function toGatewayResponse(description: string): JsonSchema {
  return {description, content: toContent('GatewayMessage')}
}

function toRefusals({refuses}: Operation): JsonSchema {
  const byStatus = Map.groupBy(refuses, (code) => findRefusal(code)?.status ?? 0)
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), toRefusal(status, codes)]))
}

function toRefusal(status: number, codes: string[]): JsonSchema {
  const words = codes.map((code) => `${code}: ${findRefusal(code)?.about}`)
  const forbidden = status === 403 ? [`Or, from the gateway: ${wordsOf([gatewayAnswers.FORBIDDEN])}`] : []
  return {
    description: [...words, ...forbidden].join('\n'),
    'x-vendorctl-refusals': codes,
    content: status === 403 ? toContent('ErrorList', 'GatewayMessage') : toContent('ErrorList'),
  }
}

function toContent(...names: string[]): JsonSchema {
  const schemas: JsonSchema[] = names.map((name) => ({$ref: `#/components/schemas/${name}`}))
  const [only, ...others] = schemas
  return {'application/json': {schema: only && others.length === 0 ? only : {anyOf: schemas}}}
}
