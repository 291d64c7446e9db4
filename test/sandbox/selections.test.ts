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
const awaits = (machine: number) => sandbox.store.find('machine', machine)?.['hasPlanogramChange']
const adjustments = () => sandbox.store.read('adjustment')

/** Nothing waits for a machine, so that a change shows. */
function pickUp(): void {
  sandbox.store.change(`UPDATE machine SET json = json_set(json, '$.hasPlanogramChange', json('false'))`)
}

test('an update replaces the record: what is left out becomes null, and what is read only stays', async () => {
  const {alertLevel: _level, restockAt: _at, tax: _tax, productId: _product, ...given} = first

  const reply = await caller.ask('PATCH', route, {body: [{...given, isActive: false, friendlyNumber: 'no'}]})

  const expected = {...first, productId: null, alertLevel: null, restockAt: null, tax: null}
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual([{...expected, friendlyNumber: 'A0', isActive: true}])
  expect(find(20001)).toEqual({...expected, friendlyNumber: 'A0', isActive: true})
})

test('another count is written as an adjustment of the caller', async () => {
  const before = adjustments().length

  await caller.ask('PATCH', route, {body: [{...first, count: 3}]})

  const [written, ...others] = adjustments().slice(before)
  expect(others).toEqual([])
  expect(written).toEqual({
    id: expect.stringMatching(/^B\d+$/),
    adjustmentOccurredAt: '2026-03-01T10:00:00',
    takeOccurredAt: '2026-03-01T10:00:00',
    siteId: 1001,
    siteExternalId: 'S-01001',
    machineId: '5001',
    machineExternalId: 'M-005001',
    selection: 'A0',
    productId: '800',
    userId: 1,
    externalUserIdentifier: 'U-1',
    adjustmentSize: -4,
    newStockLevel: 3,
  })
})

test('the same count writes no adjustment', async () => {
  const before = adjustments().length

  await caller.ask('PATCH', route, {body: [{...first, price: 3}]})

  expect(adjustments()).toHaveLength(before)
})

test.each([
  ['price', {price: 1.5}, true],
  ['product', {productId: 801}, true],
  ['levels', {alertLevel: 1}, true],
  ['count', {count: 5}, false],
  ['nothing', {}, false],
])('a change of %s waits for the machine: %j %s', async (_what, change, waits) => {
  const {friendlyNumber: _friendly, isActive: _active, ...current} = find(20001) ?? {}
  pickUp()

  const reply = await caller.ask('PATCH', route, {body: [{...current, ...change}]})

  expect(reply.status).toBe(200)
  expect(awaits(5001)).toBe(waits)
  expect(awaits(5002)).toBe(false)
})

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

test.each([
  ['an exact bound', {...first, count: 10, alertLevel: 0, restockAt: 0, restockTo: 10}],
  ['the smallest price', {...first, price: 0.0001, invoicePrice: 0, commission: 0}],
  ['no product', {...first, productId: -1}],
  ['null for what may be null', {...first, productId: null, alertLevel: null, restockAt: null, tax: null}],
])('accepts %s', async (_what, element) => {
  const reply = await caller.ask('PATCH', route, {body: [element]})

  expect(reply).toMatchObject({status: 200, json: [element]})
})

test('two selections of a machine may swap their numbers in one set', async () => {
  const swapped = [
    {...first, selectionNumber: 'B1'},
    {...first, id: 20002, selectionNumber: 'A0'},
  ]

  const reply = await caller.ask('PATCH', route, {body: swapped})

  expect(reply.status).toBe(200)
  expect([find(20001), find(20002)]).toMatchObject([{friendlyNumber: 'B1'}, {friendlyNumber: 'A0'}])
})

test('a selection number that is sent as a number is kept as text', async () => {
  const reply = await caller.ask('PATCH', route, {body: [{...first, selectionNumber: 7}]})

  expect(reply).toMatchObject({status: 200, json: [{selectionNumber: '7', friendlyNumber: '7'}]})
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
  [{...first, id: 999_999}, 404, 'MISSING_RECORD', 'id', 999_999],
  [{...first, machineId: 999_999}, 404, 'MISSING_RECORD', 'machineId', 999_999],
  [{...first, machineId: 5010}, 404, 'MISSING_RECORD', 'machineId', 5010],
])('an update does not find %j', async (element, status, code, pointerName, pointer) => {
  const reply = await caller.ask('PATCH', route, {body: [element]})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
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

test('deletes softly: the record is listed with includeDeleted only, and is not active', async () => {
  pickUp()

  const reply = await caller.ask('DELETE', route, {body: [{id: 20001}, {id: 20002}]})

  expect(reply).toMatchObject({status: 204, text: ''})
  const filter = {selectionIds: [20001, 20003]}
  const plain = await caller.ask('GET', route, {requestFilter: filter})
  const all = await caller.ask('GET', route, {requestFilter: {...filter, includeDeleted: true}})
  expect(plain.json).toMatchObject([{id: 20003, isActive: true}])
  expect(all.json).toMatchObject([
    {id: 20001, isActive: false, count: 7},
    {id: 20003, isActive: true},
  ])
  expect([awaits(5001), awaits(5002)]).toEqual([true, false])
})

test('a selection that is deleted already is missing, and so is the set', async () => {
  await caller.ask('DELETE', route, {body: [{id: 20001}]})

  const reply = await caller.ask('DELETE', route, {body: [{id: 20002}, {id: 20001}, {id: 7}]})

  expect(reply).toMatchObject({status: 404, json: [{code: 'MISSING_RECORD', pointers: [20001, 7], pointerName: 'id'}]})
  expect(find(20002)).toBeDefined()
})

test('the number of a deleted selection is free again', async () => {
  await caller.ask('DELETE', route, {body: [{id: 20001}]})

  const reply = await caller.ask('PUT', route, {body: [fields]})

  expect(reply.status).toBe(200)
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

test('a record named twice would affect fewer rows', async () => {
  const reply = await caller.ask('DELETE', route, {body: [{id: 20001}, {id: 20001}]})

  expect(reply).toMatchObject({status: 400, json: [{code: 'UNEXPECTED_RESULT_COUNT', pointers: [20001]}]})
  expect(find(20001)).toBeDefined()
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
