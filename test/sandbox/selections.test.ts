import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const {sandbox, caller, limited} = await openSandbox({clock: createManualClock('2026-03-01T10:00:00Z')})

const route = '/selections'

/** The first place of machine 5001, as the seeded world has it. */
const first = {
  id: 20001,
  machineId: 5001,
  selectionNumber: 'A0',
  productId: 800,
  price: 1.1,
  invoicePrice: 0.5,
  restockTo: 8,
  depth: 10,
  count: 7,
  alertLevel: 2,
  restockAt: 4,
  freeCount: 0,
  tax: 10.1,
  commission: 0.5,
}
const {id: _id, ...fields} = first
const fresh = {...fields, selectionNumber: 'Z9'}

const without = (name: keyof typeof first) => Object.fromEntries(Object.entries(first).filter(([key]) => key !== name))
const find = (id: number) => sandbox.store.find('selection', id)
test.each([
  [{...first, price: 0}, 422, 'SELECTION_VALIDATION'],
  [{...first, price: -1.5}, 422, 'SELECTION_VALIDATION'],
  [{...first, invoicePrice: -0.01}, 422, 'SELECTION_VALIDATION'],
  [{...first, commission: -0.01}, 422, 'SELECTION_VALIDATION'],
  [{...first, freeCount: -1}, 422, 'SELECTION_VALIDATION'],
  [{...first, productId: 0}, 422, 'SELECTION_VALIDATION'],
  [{...first, productId: -2}, 422, 'SELECTION_VALIDATION'],
  [{...first, alertLevel: -1}, 422, 'SELECTION_VALIDATION'],
  [{...first, alertLevel: 5}, 422, 'SELECTION_VALIDATION'],
  [{...first, restockAt: 9}, 422, 'SELECTION_VALIDATION'],
  [{...first, restockAt: null, alertLevel: 9}, 422, 'SELECTION_VALIDATION'],
  [{...first, restockTo: 11}, 422, 'SELECTION_VALIDATION'],
  [{...first, count: 11}, 422, 'SELECTION_VALIDATION'],
  [{...first, count: -1}, 422, 'SELECTION_VALIDATION'],
  [{...first, selectionNumber: 'B1'}, 422, 'SELECTION_VALIDATION'],
  [without('count'), 421, 'MISSING_REQUIRED_DATA'],
  [without('price'), 421, 'MISSING_REQUIRED_DATA'],
  [without('depth'), 421, 'MISSING_REQUIRED_DATA'],
  [{...first, selectionNumber: ''}, 421, 'MISSING_REQUIRED_DATA'],
  [{...first, count: null}, 400, 'DESERIALIZATION_ERROR'],
  [{...first, price: '1.50'}, 400, 'DESERIALIZATION_ERROR'],
  [{...first, count: 1.5}, 400, 'DESERIALIZATION_ERROR'],
  [{...first, selectionNumber: true}, 400, 'DESERIALIZATION_ERROR'],
])('refuses %j and rolls the set back', async (element, status, code) => {
  const reply = await caller.ask('PATCH', route, {
    body: [{...first, id: 20004, selectionNumber: 'D3', price: 9}, element],
  })

  expect(reply).toMatchObject({status, json: [{code, pointers: [20001], pointerName: 'id'}]})
  expect(find(20004)).toMatchObject({selectionNumber: 'D3', productId: 803})
  expect(find(20001)).toMatchObject({productId: 800})
})

test('the numbers 7 and "7" are the same within a machine', async () => {
  const set = [
    {...fresh, selectionNumber: 7},
    {...fresh, selectionNumber: '7'},
  ]

  const reply = await caller.ask('PUT', route, {body: set})

  expect(reply).toMatchObject({
    status: 422,
    json: [{code: 'SELECTION_VALIDATION', pointers: [1], pointerName: 'index'}],
  })
})

test.each([
  [{...fresh, selectionNumber: 'A0'}, 422, 'SELECTION_VALIDATION', 'index', 1],
  [{...fresh, restockTo: 11}, 422, 'SELECTION_VALIDATION', 'index', 1],
  [{...fresh, machineId: 0}, 422, 'SELECTION_VALIDATION', 'index', 1],
  [{...fresh, count: undefined}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{...fresh, freeCount: undefined}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{...fresh, machineId: 999_999}, 404, 'MISSING_RECORD', 'machineId', 999_999],
])('creates nothing with %j', async (element, status, code, pointerName, pointer) => {
  const before = sandbox.store.count('selection')

  const reply = await caller.ask('PUT', route, {body: [{...fresh, selectionNumber: 'fine'}, element]})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(sandbox.store.count('selection')).toBe(before)
})

test.each([
  ['PATCH', [{}], 421],
  ['DELETE', [{}], 421],
  ['DELETE', [{id: '20001'}], 400],
  ['DELETE', [], 421],
  ['DELETE', {id: 20001}, 400],
  ['DELETE', undefined, 421],
])('%s %j names no record', async (method, body, status) => {
  const reply = await caller.ask(method, route, {body})

  expect(reply.status).toBe(status)
})

test('a site takes its machines, their selections and what happened there into another organization', async () => {
  const happened = {machineId: 5003, siteId: 1003, recordedAtUtc: '2026-03-01T09:00:00'}
  sandbox.add('metadata', {transactionId: 'B7', ...happened})
  await caller.ask('POST', '/selections/apply-delta', {body: [{selectionId: 20061, delta: -1}]})
  const ask = () => limited.ask('GET', route, {requestFilter: {selectionIds: [20061]}})
  expect((await ask()).status).toBe(403)

  const site = sandbox.store.find('site', 1003)
  const reply = await caller.ask('PATCH', '/sites', {body: [{...site, orgId: 101, accountId: 201, chargeKeyId: null}]})

  expect(reply.status).toBe(204)
  expect(await ask()).toMatchObject({status: 200, json: [{id: 20061, machineId: 5003}]})
  const filter = {requestFilter: {machineIdentifiers: ['5003'], accountIds: [201]}}
  const inventory = await limited.ask('GET', '/inventory', filter)
  expect((inventory.json as unknown[]).at(-1)).toMatchObject({machineId: '5003', adjustmentSize: -1})
  const metadata = await limited.ask('GET', '/transactions/metadata', filter)
  expect(metadata.json).toContainEqual({transactionId: 'B7', ...happened})
})
