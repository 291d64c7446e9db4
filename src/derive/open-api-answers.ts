import {findRefusal, type GatewayAnswer, gatewayAnswers, type OperationId, operationOf} from '../contract/index.js'
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
            items: {type: ['string', 'number']},
            description: 'What locates the guilty records: ids, places in the body counted from 0, or natural keys.',
          },
          pointerName: {type: 'string', description: 'The field that the pointers hold; index for places.'},
        },
      },
    },
    GatewayMessage: {type: 'object', required: ['message'], properties: {message: {type: 'string'}}},
  }
}

/**
 * Every answer of an operation by status: its success, its refusals, and those of the gateway. A gateway in front of the
 * service may answer any status in its own form.
 */
export function toResponses(id: OperationId): JsonSchema {
  const operation = operationOf(id)
  const refusals = operation.refuses.map((code) => ({code, status: findRefusal(code)?.status ?? 0}))
  const gateway: readonly GatewayAnswer[] = Object.values(gatewayAnswers)
  const statuses = new Set([...gateway, ...refusals].map(({status}) => status))
  const failures = [...statuses].map((status) => {
    const codes = refusals.filter((refusal) => refusal.status === status).map(({code}) => code)
    return [
      String(status),
      toFailure(
        codes,
        gateway.filter((answer) => answer.status === status),
        operation.kind === 'write' && codes.some(isOfSet)
          ? operation.refuses.filter((code) => isOfSet(code) && !codes.includes(code))
          : [],
      ),
    ]
  })
  return {...toSuccess(id), ...Object.fromEntries(failures), default: toFailure([], [])}
}

function toSuccess(id: OperationId): JsonSchema {
  const operation = operationOf(id)
  const schema = toAnswerSchema(id, refer)
  if (!schema) return {'204': {description: 'Done; the answer is empty.'}}
  const {type} = schema
  const asText = type === 'string' ? {'text/plain': {schema}} : {}
  const isPaged = operation.kind === 'read' && !operation.answer
  const headers = isPaged ? {headers: toHeaderReferences(operation.range !== undefined)} : {}
  const description = isPaged
    ? 'One page of records.'
    : operation.kind === 'read'
      ? 'All of it, without pages.'
      : 'Done.'
  return {'200': {description, ...headers, content: {'application/json': {schema}, ...asText}}}
}

/** Whether a code tells of records in a set. Several may come together, and the first decides the status. [dec] */
function isOfSet(code: string): boolean {
  const {status = 0, again} = findRefusal(code) ?? {}
  return status < 500 && again !== 'afterLogin' && code !== 'NO_API_ACCESS'
}

function toFailure(
  codes: readonly string[],
  gateway: readonly GatewayAnswer[],
  others: readonly string[] = [],
): JsonSchema {
  const words = [
    ...codes.map((code) => `${code}: ${findRefusal(code)?.about}`),
    ...(others.length > 0 ? ['Codes of other statuses may follow, for other records of the set.'] : []),
    ...gateway.map(({message, about}) => `From the gateway, ${message}: ${about}`),
  ]
  const forms = ['ErrorList', 'GatewayMessage'].map((name) => ({$ref: `#/components/schemas/${name}`}))
  return {
    description: words.join('\n') || 'Any other failure.',
    ...(codes.length > 0 && {'x-vendorctl-refusals': [...codes, ...others]}),
    content: {'application/json': {schema: {anyOf: forms}}, 'text/html': {schema: {type: 'string'}}},
  }
}
