import {afterAll, beforeAll, expect, test} from 'vitest'
import {type OperationId, operationIds, operations} from '../../src/contract/index.js'
import {toOpenApi} from '../../src/derive/open-api.js'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type Caller, logIn} from './ask.js'

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

let sandbox: Sandbox
let callers: Caller[]

beforeAll(async () => {
  sandbox = await startSandbox({batches: 400, machines: 20, limits: false})
  callers = [await logIn(sandbox), await logIn(sandbox, sandbox.limited)]
})

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

test.each(asked.map((one) => [one.id, one] as const))(
  '%s never fails, and refuses as the document says',
  async (_id, one) => {
    const random = createRandom(operationIds.indexOf(one.id) + 1)
    for (let request = 0; request < requestsPerOperation; request++) {
      const body = toText(one.schema, random)
      const reply = await callers[request % 4 === 3 ? 1 : 0]?.ask(one.method, one.path, body)

      const codes = Array.isArray(reply?.json) && Number(reply?.status) >= 400 ? (reply.json as {code: string}[]) : []
      expect({body, status: reply?.status}).not.toMatchObject({status: 500})
      for (const {code} of codes) expect(one.refusals.get(String(reply?.status)), body).toContain(code)
    }
  },
)

type Known = {id: OperationId; method: string; path: string; make: (random: Random) => object}

const machineIds = [5001, 5002, 5003, 5004] as const
const selection = (random: Random) => ({
  machineId: pick(random, machineIds),
  selectionNumber: `N${pickInteger(random, 0, 60)}`,
  productId: 801,
  ...{
    price: 1.5,
    invoicePrice: 0.5,
    alertLevel: 2,
    restockAt: 4,
    restockTo: 8,
    depth: 12,
    freeCount: 0,
    tax: null,
    commission: 0,
  },
  count: pickInteger(random, 0, 12),
})
const roleRight = (random: Random) => ({
  roleId: pickInteger(random, 61, 65),
  rightId: pickInteger(random, 1, 9),
  ...{canView: random() < 0.6, canEdit: random() < 0.3, canExecute: false},
})

/** Elements that are right, most of the time. */
const almostRight: [Known, ...Known[]] = [
  {id: 'selections.create', method: 'PUT', path: '/selections', make: selection},
  {
    id: 'selections.update',
    method: 'PATCH',
    path: '/selections',
    make: (random) => ({id: pickInteger(random, 20001, 20120), ...selection(random)}),
  },
  {
    id: 'selections.adjust',
    method: 'POST',
    path: '/selections/apply-delta',
    make: (random) => ({selectionId: pickInteger(random, 20001, 20120), delta: pickInteger(random, -3, 3)}),
  },
  {
    id: 'selections.delete',
    method: 'DELETE',
    path: '/selections',
    make: (random) => ({id: pickInteger(random, 20001, 20120)}),
  },
  {
    id: 'machines.settings.set',
    method: 'PUT',
    path: '/settings',
    make: (random) => ({machineId: pick(random, machineIds), type: pick(random, ['Config', 'Network']), settings: 'x'}),
  },
  {id: 'role-rights.create', method: 'PUT', path: '/role-rights', make: roleRight},
  {
    id: 'role-rights.update',
    method: 'PATCH',
    path: '/role-rights',
    make: (random) => ({id: pickInteger(random, 6001, 6020), ...roleRight(random)}),
  },
]

/** The element with one field replaced, by something or nothing. */
function spoil(element: object, random: Random): string {
  const names = Object.keys(element)
  const name = JSON.stringify(names[pickInteger(random, 0, names.length - 1)])
  const value =
    random() < 0.5
      ? pick(random, numbers)
      : pick<string>(random, ['""', ...odd, ...texts.map((text) => JSON.stringify(text))])
  return `${JSON.stringify(element).slice(0, -1)},${name}:${value}}`
}

test('sets that are almost right are taken or refused, and all rules hold after each', async () => {
  sandbox.reset()
  const caller = await logIn(sandbox)
  const random = createRandom(7)
  const taken = new Set<string>()
  const unbooked = stock() - booked()
  for (let request = 0; request < 600; request++) {
    const {id, method, path, make} = pick(random, almostRight)
    const elements = Array.from({length: pickInteger(random, 1, 2)}, () => make(random))
    const body = elements.map((element) => (random() < 0.15 ? spoil(element, random) : JSON.stringify(element)))

    const {status} = await caller.ask(method, path, `{"body":[${body.join(',')}]}`)

    expect(status, `${id} ${body}`).not.toBe(500)
    if (status < 300) taken.add(id)
  }

  expect([...taken].sort()).toEqual(almostRight.map(({id}) => id).sort())
  expect(stock() - booked()).toBe(unbooked)
  checkStock()
  checkUnique('role_right', (one) => `${one['roleId']} ${one['rightId']}`)
  const inForce = sandbox.store.read('machine_setting').filter((one) => one['isCurrent'])
  expect(new Set(inForce.map((one) => `${one['machineId']} ${one['type']}`)).size).toBe(inForce.length)
})

/** All there is, in deleted selections too. */
function stock(): number {
  const sql = "SELECT sum(json_extract(json, '$.count')) AS stock FROM selection"
  return Number(sandbox.store.database.get(sql)?.['stock'])
}

/** What all adjustments come to. */
function booked(): number {
  return sandbox.store.read('adjustment').reduce((sum, one) => sum + Number(one['adjustmentSize']), 0)
}

function checkUnique(table: 'selection' | 'role_right', keyOf: (record: Record<string, unknown>) => string): void {
  const keys = sandbox.store.read(table).map(keyOf)
  expect(new Set(keys).size).toBe(keys.length)
}

/** Levels are in order, and numbers are unique. */
function checkStock(): void {
  checkUnique('selection', (one) => `${one['machineId']} ${one['selectionNumber']}`)
  for (const one of sandbox.store.read('selection')) {
    const {alertLevel, restockAt, restockTo, depth, count} = one
    const order = [0, alertLevel, restockAt, restockTo, depth].filter((level) => level !== null).map(Number)
    expect([...order].sort((low, high) => low - high)).toEqual(order)
    expect(Number(count)).toBeGreaterThanOrEqual(0)
    expect(Number(count)).toBeLessThanOrEqual(Number(depth))
  }
}
