import {
  defaultStage,
  findRefusal,
  type GatewayAnswer,
  gatewayAnswers,
  type Header,
  headers,
  limits,
  type Operation,
  type OperationId,
  operationIds,
  operationOf,
  operations,
  type Read,
  stageNames,
  stages,
  type Write,
} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'
import {toAnswerSchema, toRequestSchema} from './operation-schema.js'
import {refer, toRecordSchemas} from './schema-document.js'

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
  if (operation.kind === 'session') return {}
  const sentences = operation.kind === 'read' ? describeRead(operation) : describeWrite(operation)
  return {description: sentences.join(' ')}
}

function describeRead({range}: Read): string[] {
  const whole = 'A GET with a JSON body; without filters every record of the caller returns.'
  if (!range) return [whole]
  const clamp = `A range longer than ${range.maximumDays} days is clamped; the answer then says which dates were used.`
  return [whole, clamp]
}

function describeWrite({merge}: Write): string[] {
  const set = 'An atomic set: one bad element, and the whole set is rolled back.'
  return merge === 'full-replace' ? ['A field that is left out becomes null.', set] : [set]
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

/** The error list of the service, and what a gateway in front of it answers. [seed] */
function toErrorSchemas(): JsonSchema {
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
            description: 'What locates the records at fault: ids, places in the body counted from 0, or natural keys.',
          },
          pointerName: {type: 'string', description: 'The field whose values the pointers are; index for places.'},
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
function toResponses(id: OperationId): JsonSchema {
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

/** The server URL with the stage as a variable; the base URL is the operator's to name. [seed] */
function toServers(): JsonSchema[] {
  const words = stageNames.map((name) => `${name}: ${stages[name].about}`)
  return [
    {
      url: '{baseUrl}/{stage}',
      variables: {
        baseUrl: {default: 'https://vendor.example', description: 'Where the service is.'},
        stage: {enum: stageNames, default: defaultStage, description: words.join('\n')},
      },
    },
  ]
}

function toSecuritySchemes(): JsonSchema {
  const {apiKey, token} = headers
  return {
    apiKey: {type: 'apiKey', in: 'header', name: apiKey.name, description: apiKey.about},
    token: {type: 'apiKey', in: 'header', name: token.name, description: token.about},
  }
}

function toPagingParameters(): JsonSchema {
  const {page, size} = headers
  const clamp = `A larger value than ${limits.maximumPageSize} is clamped to it.`
  return {
    page: toParameter(page, page.about, 1),
    size: toParameter(size, `${size.about} ${clamp}`, limits.defaultPageSize),
  }
}

function toHeaderComponents(): JsonSchema {
  const {servedPage, servedSize, totalPages, servedStart, servedEnd} = headers
  return Object.fromEntries([servedPage, servedSize, totalPages, servedStart, servedEnd].map(toHeaderComponent))
}

/** References to the headers of an answer of a read; the range only where the operation has one. */
function toHeaderReferences(hasRange: boolean): JsonSchema {
  const {servedPage, servedSize, totalPages, servedStart, servedEnd} = headers
  const paging = [servedPage, servedSize, totalPages]
  const named = hasRange ? [...paging, servedStart, servedEnd] : paging
  return Object.fromEntries(named.map(({name}) => [name, {$ref: `#/components/headers/${name}`}]))
}

function toParameter({name}: Header, description: string, value: number): JsonSchema {
  return {name, in: 'header', required: false, description, schema: {type: 'integer', minimum: 1, default: value}}
}

function toHeaderComponent({name, kind, about}: Header): [string, JsonSchema] {
  return [name, {description: about, schema: {type: kind === 'integer' ? 'integer' : 'string'}}]
}
