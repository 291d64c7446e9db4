import {beforeEach, expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const {sandbox, caller} = await openSandbox({clock: createManualClock('2026-03-01T10:00:00Z')})

beforeEach(() => sandbox.store.change(`UPDATE selection SET json = json_set(json, '$.count', 5)`))

const route = '/selections/apply-delta'
const countOf = (id: number) => sandbox.store.find('selection', id)?.['count']

/** Adjustments since a moment that nothing of the seed reaches: place, size, level and user. */
async function trace(): Promise<unknown[]> {
  const dates = {StartDate: '2026-03-01T10:00:00', EndDate: '2026-03-01T10:00:00'}
  const reply = await caller.ask('GET', '/inventory', {requestFilter: {...dates, machineIdentifiers: ['5001']}})
  const records = reply.json as Record<string, unknown>[]
  return records.map((one) => [one['selection'], one['adjustmentSize'], one['newStockLevel'], one['userId']])
}

test('the same change twice counts twice', async () => {
  for (let time = 0; time < 2; time++) await caller.ask('POST', route, {body: [{selectionId: 20001, delta: 2}]})

  expect(countOf(20001)).toBe(9)
})

test('a change of stock does not wait for the machine', async () => {
  sandbox.store.change(`UPDATE machine SET json = json_set(json, '$.hasPlanogramChange', json('false'))`)

  await caller.ask('POST', route, {body: [{selectionId: 20001, delta: 2}]})

  expect(sandbox.store.find('machine', 5001)?.['hasPlanogramChange']).toBe(false)
})

test.each([
  [[{selectionId: 20001, delta: -6}], 422, 'SELECTION_VALIDATION', [20001]],
  [[{selectionId: 20001, delta: 6}], 422, 'SELECTION_VALIDATION', [20001]],
  [[{selectionId: 20001, delta: 0}], 422, 'SELECTION_VALIDATION', [20001]],
  [
    [
      {selectionId: 20001, delta: 1},
      {selectionId: 20001, delta: 1},
    ],
    422,
    'SELECTION_VALIDATION',
    [20001],
  ],
  [[{selectionId: 20001, delta: 1e300}], 400, 'DESERIALIZATION_ERROR', [20001]],
  [[{selectionId: 20001, delta: 1.5}], 400, 'DESERIALIZATION_ERROR', [20001]],
  [[{selectionId: 20001, delta: '1'}], 400, 'DESERIALIZATION_ERROR', [20001]],
  [[{selectionId: 20001}], 421, 'MISSING_REQUIRED_DATA', [20001]],
  [[{selectionId: 999_999, delta: 1}], 404, 'MISSING_RECORD', [999_999]],
])('refuses %j and changes nothing', async (guilty, status, code, pointers) => {
  const reply = await caller.ask('POST', route, {body: [{selectionId: 20003, delta: 1}, ...guilty]})

  expect(reply).toMatchObject({status, json: [{code, pointers, pointerName: 'selectionId'}]})
  expect([countOf(20001), countOf(20003)]).toEqual([5, 5])
  expect(await trace()).toEqual([])
})

test('a change without a selection is named by its place', async () => {
  const reply = await caller.ask('POST', route, {body: [{selectionId: 20001, delta: 1}, {delta: 1}]})

  expect(reply).toMatchObject({status: 421, json: [{pointers: [1], pointerName: 'index'}]})
})

test('a stock beyond what a number holds is counted exactly', async () => {
  sandbox.store.change(
    `UPDATE selection SET json = replace(json_set(json, '$.count', 5), '"count":5', '"count":9007199254740993') WHERE id = 20001`,
  )
  sandbox.store.change(
    `UPDATE selection SET json = replace(json, '"depth":10', '"depth":9007199254741999') WHERE id = 20001`,
  )

  const reply = await caller.ask('POST', route, {body: [{selectionId: 20001, delta: 2}]})

  expect(reply.text).toContain('"count":9007199254740995')
})

test('machines sell at the places of a request, before and after it', async () => {
  sandbox.faults.set(['sell(2)@selections.adjust#1'])

  const reply = await caller.ask('POST', route, {body: [{selectionId: 20001, delta: 3}]})

  expect(reply.json).toMatchObject([{count: 6}])
  expect(await trace()).toEqual([
    ['A0', -1, 4, 0],
    ['A0', -1, 3, 0],
    ['A0', 3, 6, 1],
    ['A0', -1, 5, 0],
    ['A0', -1, 4, 0],
  ])
})

test('machines sell anywhere while a request names no place, and only what there is', async () => {
  sandbox.store.change(`UPDATE selection SET json = json_set(json, '$.count', 0) WHERE id <> 20001`)
  sandbox.faults.set(['sell(3)@machines.list'])

  await caller.ask('GET', '/machines', {})

  expect(countOf(20001)).toBe(0)
  expect(await trace()).toHaveLength(5)
})

test('another person restocks what a request names, where there is room, also when the request is lost', async () => {
  sandbox.store.change(`UPDATE selection SET json = json_set(json, '$.count', 9) WHERE id = 20002`)
  sandbox.faults.set(['restock(5)@selections.adjust#1', 'reset-before@selections.adjust#1'])

  const lost = caller.ask('POST', route, {
    body: [
      {selectionId: 20001, delta: 5},
      {selectionId: 20002, delta: -1},
    ],
  })

  await expect(lost).rejects.toThrow('ECONNRESET')
  expect(await trace()).toEqual([['A0', 5, 10, 12]])
  expect(sandbox.faults.list()).toMatchObject([{fired: 1}, {fired: 1}])
})

test('a restock does not show where a request names no selection', async () => {
  sandbox.faults.set(['restock(1)@*'])

  await caller.ask('GET', '/selections', {requestFilter: {selectionIds: [20001]}})
  await caller.ask('POST', route, 'garbage')

  expect(sandbox.faults.list()).toMatchObject([{fired: 0}])
})

test.each(['restock@selections.adjust', 'restock(0)@selections.adjust', 'restock(x)@*', 'sell(x)@*'])(
  'refuses the fault %s',
  (fault) => {
    expect(() => sandbox.faults.set([fault])).toThrow(/is no/)
  },
)

test('seeded stock agrees with its adjustments', async () => {
  const world = await startSandbox({batches: 3_000, machines: 20, limits: false})
  const levels = new Map<string, unknown>()
  const people = new Set<unknown>()
  for (const one of world.store.read('adjustment')) {
    const place = `${one['machineId']} ${one['selection']}`
    const before = levels.get(place)
    if (before !== undefined) expect(Number(before) + Number(one['adjustmentSize'])).toBe(one['newStockLevel'])
    expect(Number(one['newStockLevel'])).toBeGreaterThanOrEqual(0)
    expect(Number(one['adjustmentSize']) < 0).toBe(one['userId'] === 0)
    people.add(one['userId'])
    levels.set(place, one['newStockLevel'])
  }

  const wrong = world.store
    .read('selection')
    .filter((one) => (levels.get(`${one['machineId']} ${one['selectionNumber']}`) ?? one['count']) !== one['count'])
  expect(wrong).toEqual([])
  expect(levels.size).toBeGreaterThan(200)
  expect(people.size).toBeGreaterThan(2)
  await world.close()
})
