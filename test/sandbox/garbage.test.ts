import {afterAll, expect, test} from 'vitest'
import {type OperationId, operationIds, operations} from '../../src/contract/index.js'
import {toOpenApi} from '../../src/derive/open-api.js'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {logIn} from './ask.js'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  $ref?: string
  anyOf?: Schema[]
}
type Route = {
  operationId?: string
  requestBody?: {content: Record<string, {schema: Schema}>}
  responses: Record<string, {'x-vendorctl-refusals'?: string[]}>
}
type Document = {paths: Record<string, Record<string, Route>>}

const document = toOpenApi('0.0.0') as unknown as Document
const requestsPerOperation = 40

const sandbox = await startSandbox({batches: 400, machines: 20, limits: false})
const callers = [await logIn(sandbox), await logIn(sandbox, sandbox.limited)]

afterAll(() => sandbox.close())

type Asked = {id: OperationId; method: string; path: string; schema: Schema; refusals: Map<string, string[]>}

/** Every bulk operation of the document that people generate clients from. */
const asked: Asked[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, {operationId, requestBody, responses}]) => {
    const id = operationIds.find((known) => known === operationId)
    const schema = requestBody?.content['application/json']?.schema
    if (!id || !schema || operations[id].kind === 'session') return []
    const refusals = Object.entries(responses).map(([status, answer]): [string, string[]] => [
      status,
      answer['x-vendorctl-refusals'] ?? [],
    ])
    return [{id, method: method.toUpperCase(), path, schema, refusals: new Map(refusals)}]
  }),
)

/** Values that belong to something, and values that belong to nothing. */
const texts = [
  ...['', 'A0', '7', 'PRS100000', '5001', 'B1467', 'Config', '2026-01-01', '9999-12-31T23:59:59.999'],
  ...['\u0000', "'; --"],
  '😀'.repeat(99),
] as const
const numbers = [
  ...['0', '-1', '1', '61', '101', '412', '800', '1001', '5001', '5002', '6001', '8001', '20001', '20002'],
  ...['2.50', '1e400', '-0', '9007199254740993'],
  '9'.repeat(40),
] as const
const odd = ['null', 'true', '[]', '{}', '[null]', '{"id":{}}', '"x"', '1', '[[[]]]'] as const

/** A value as JSON text: mostly of the type that the schema wants, at times of another. */
function toText(schema: Schema, random: Random): string {
  const real = resolve(schema)
  if (random() < 0.06) return pick(random, odd)
  const type = [real.type ?? 'object'].flat()[0]
  if (real.enum && random() < 0.8) return JSON.stringify(real.enum[pickInteger(random, 0, real.enum.length - 1)])
  if (type === 'array') {
    return `[${Array.from({length: pickInteger(random, 0, 3)}, () => toText(real.items ?? {}, random)).join(',')}]`
  }
  if (type === 'integer' || type === 'number') return pick(random, numbers)
  if (type === 'boolean') return pick(random, ['true', 'false'])
  if (type === 'string') return JSON.stringify(pick(random, texts))
  const members = Object.entries(real.properties ?? {}).filter(() => random() < 0.9)
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${toText(inner, random)}`).join(',')}}`
}

function resolve(schema: Schema): Schema {
  if (schema.anyOf?.[0]) return resolve(schema.anyOf[0])
  if (!schema.$ref) return schema
  const found = schema.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
  return resolve(found as Schema)
}

test('every bulk operation of the contract is in the document', () => {
  const missing = operationIds.filter((id) => operations[id].kind !== 'session' && !asked.some((one) => one.id === id))

  expect(missing).toEqual([])
})

test.each(asked.map((one) => [one.id, one] as const))('%s never fails, and refuses as is said', async (_id, one) => {
  const random = createRandom(operationIds.indexOf(one.id) + 1)
  for (let request = 0; request < requestsPerOperation; request++) {
    const body = toText(one.schema, random)
    const reply = await callers[request % 4 === 3 ? 1 : 0]?.ask(one.method, one.path, body)

    const codes = Array.isArray(reply?.json) && Number(reply?.status) >= 400 ? (reply.json as {code: string}[]) : []
    expect({body, status: reply?.status}).not.toMatchObject({status: 500})
    for (const {code} of codes) expect(one.refusals.get(String(reply?.status)), body).toContain(code)
  }
})
