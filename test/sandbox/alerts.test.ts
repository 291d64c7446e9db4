import {beforeEach, expect, test} from 'vitest'
import {openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2024-07-30T18:07:05.477Z')
const {sandbox, caller} = await openSandbox({machines: 40, clock})
let open: {id: number; code: string; machineId: number; organizationId: number}[]

beforeEach(() => {
  open = sandbox.store.read('alert').filter(({isCleared}) => isCleared === false) as typeof open
})

/** Machine 5002 stands in UTC-5/-4, 5003 in +05:45, 5004 in +10:30/+11, 5005 in +14, 5006 in -12. */
const alert = {machineId: 5003, code: 'CJ', message: 'Coin jam, again'}

async function create(...set: unknown[]) {
  return caller.ask('PUT', '/alerts', {body: set})
}

function find(id: unknown) {
  return sandbox.store.find('alert', Number(id))
}

test.each([
  [5002, '2024-03-10T06:59:59', '2024-03-10T01:59:59'],
  [5002, '2024-03-10T07:00:00', '2024-03-10T03:00:00'],
  [5002, '2024-11-03T05:30:00Z', '2024-11-03T01:30:00'],
  [5002, '2024-11-03T06:30:00', '2024-11-03T01:30:00'],
  [5003, '2024-01-01T00:00:00.5', '2024-01-01T05:45:00.500'],
  [5004, '2024-06-01T00:00:00', '2024-06-01T10:30:00'],
  [5004, '2024-12-01', '2024-12-01T11:00:00'],
  [5005, '2024-12-31T10:00:00', '2025-01-01T00:00:00'],
  [5006, '2024-03-01T11:00', '2024-02-29T23:00:00'],
])('keeps a time sent for machine %i as UTC %s and as local %s', async (machineId, sent, local) => {
  const reply = await create({...alert, machineId, raisedAt: sent, clearedAt: sent})

  const record = find((reply.json as number[])[0])
  const server = new Date(Date.parse(`${sent.length === 10 ? `${sent}T00:00` : sent.replace('Z', '')}Z`))
  expect(record).toMatchObject({raisedAt: local, clearedAt: local, isCleared: true})
  expect(Date.parse(`${record?.['raisedAtServerTime']}Z`)).toBe(server.getTime())
  expect(record?.['clearedAtServerTime']).toBe(record?.['raisedAtServerTime'])
})

test.each([
  [{machineId: undefined}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{code: undefined}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{message: null}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{isCleared: 'no'}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{isCleared: null}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{raisedAt: 5}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{raisedAt: '2024-02-30'}, 400, 'DATE_PARSING', 'index', 1],
  [{clearedAt: 'soon'}, 400, 'DATE_PARSING', 'index', 1],
  [{alertMetadata: {key: 1}}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{code: 'XX'}, 404, 'MISSING_RECORD', 'index', 1],
  [{machineId: 999_999}, 404, 'MISSING_RECORD', 'machineId', 999_999],
  [{machineId: 5040}, 404, 'MISSING_RECORD', 'machineId', 5040],
])('refuses a create with %j and creates nothing', async (change, status, code, pointerName, pointer) => {
  const before = sandbox.store.count('alert')

  const reply = await create(alert, {...alert, ...change})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(sandbox.store.count('alert')).toBe(before)
})

test.each([
  [{id: 999_999}, 404, 'MISSING_RECORD', 999_999, 'id'],
  [{message: 'x'}, 421, 'MISSING_REQUIRED_DATA', 0, 'index'],
  [{id: 70_001, message: 5}, 400, 'DESERIALIZATION_ERROR', 70_001, 'id'],
  [{id: 70_001, clearedAt: '2024-02-30'}, 400, 'DATE_PARSING', 70_001, 'id'],
])('refuses an update with %j', async (change, status, code, pointer, pointerName) => {
  const reply = await caller.ask('PATCH', '/alerts', {body: [change]})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
})

test.each([
  [{}, 421, 'MISSING_REQUIRED_DATA'],
  [{routeFilter: {alertIds: []}}, 421, 'MISSING_REQUIRED_DATA'],
  [{routeFilter: {alertIds: ['70001']}}, 400, 'DESERIALIZATION_ERROR'],
])('clears nothing without ids: %j', async (body, status, code) => {
  const reply = await caller.ask('POST', '/alerts/clear', body)

  expect(reply).toMatchObject({status, json: [{code}]})
  expect(sandbox.store.read('alert').filter(({isCleared}) => isCleared === false)).toHaveLength(open.length)
})

test('clears what both places name, and nothing when no alert is named in both', async () => {
  const [one, two, three] = open.map(({id}) => id)

  const both = await caller.ask('POST', '/alerts/clear', {
    requestFilter: {alertIds: [one, two]},
    routeFilter: {alertIds: [two, three]},
  })
  const none = await caller.ask('POST', '/alerts/clear', {
    requestFilter: {alertIds: [one]},
    routeFilter: {alertIds: [three]},
  })

  expect([both.status, none.status]).toEqual([204, 421])
  expect([one, two, three].map((id) => find(id)?.['isCleared'])).toEqual([false, true, false])
})

test('names the records that a set holds twice beside everything else that is wrong', async () => {
  const [one, two] = open.map(({id}) => id)

  const reply = await caller.ask('PATCH', '/alerts', {
    body: [{id: one}, {id: 9, message: 'x'}, {id: one}, {id: two, message: null}, {id: 1.5}],
  })

  expect(reply).toMatchObject({
    status: 400,
    json: [
      {code: 'DESERIALIZATION_ERROR', message: 'message must not be null.', pointers: [two]},
      {code: 'DESERIALIZATION_ERROR', message: 'id must be an integer.', pointers: [1.5]},
      {code: 'MISSING_RECORD', pointers: [9], pointerName: 'id'},
      {code: 'UNEXPECTED_RESULT_COUNT', pointers: [one], pointerName: 'id'},
    ],
  })
})
