import {beforeEach, expect, test} from 'vitest'
import {idsOf, openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2024-07-30T18:07:05.477Z')
const {sandbox, caller, limited} = await openSandbox({machines: 40, clock})
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

test('finds an alert by its local time', async () => {
  const {json} = await create({...alert, machineId: 5005, raisedAt: '2024-07-28T22:00:00'})
  const day = (date: string) =>
    caller.ask('GET', '/alerts', {requestFilter: {StartDate: date, EndDate: date, machineIdentifiers: ['5005']}})

  const [utcDay, localDay] = [await day('2024-07-28'), await day('2024-07-29')]

  const [id] = json as number[]
  expect(utcDay.text).not.toContain(`"id":${id},`)
  expect(localDay.text).toContain(`"id":${id},`)
})

test('allows one open alert of a code that only exists once, per machine', async () => {
  const busy = open.find(({code}) => code === 'NS')
  const set = [
    {...alert, code: 'NS', machineId: 5007},
    {...alert, code: 'NS', machineId: busy?.machineId},
    {...alert, code: 'NS', machineId: 5008},
    {...alert, code: 'NS', machineId: 5007},
    {...alert, code: 'NS', machineId: 5009, isCleared: true},
    {...alert, code: 'NS', machineId: 5009},
  ]

  const refused = await create(...set)
  const before = sandbox.store.count('alert')
  const accepted = await create(set[0], set[2], set[4], set[5])
  const again = await create(set[0])

  expect(refused).toMatchObject({status: 400, json: [{code: 'ALERT_EXISTS', pointers: [1, 3], pointerName: 'index'}]})
  expect(before).toBe(open.length + sandbox.store.read('alert').filter(({isCleared}) => isCleared).length - 1)
  expect(accepted.json).toHaveLength(4)
  expect(again).toMatchObject({status: 400, json: [{code: 'ALERT_EXISTS', pointers: [0]}]})
})

test('allows a second alert once the first is cleared, and many of other codes', async () => {
  const [first] = (await create({...alert, code: 'DO'})).json as number[]
  const cleared = await caller.ask('POST', '/alerts/clear', {routeFilter: {alertIds: [first]}})

  const second = await create({...alert, code: 'DO'}, alert, alert)

  expect(cleared.status).toBe(204)
  expect(second.json).toHaveLength(3)
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

test('changes message, isCleared and clearedAt only, and answers the records in the order of the request', async () => {
  const [first, second] = open
  const set = [
    {id: second?.id, isCleared: true, machineId: 1, code: 'XX', raisedAt: '2000-01-01'},
    {id: first?.id, message: 'Said "twice"', isCleared: false},
  ]
  const before = [find(second?.id), find(first?.id)]

  const reply = await caller.ask('PATCH', '/alerts', {body: set})

  const expected = [
    {...before[0], isCleared: true, clearedAt: expect.any(String), clearedAtServerTime: '2024-07-30T18:07:05.477'},
    {...before[1], message: 'Said "twice"'},
  ]
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual(expected)
  expect([find(second?.id), find(first?.id)]).toEqual(expected)
})

test.each([{isCleared: false}, {clearedAt: null}, {isCleared: false, message: 'x'}])(
  'never unclears: %j',
  async (change) => {
    const [cleared] = (await create({...alert, isCleared: true})).json as number[]
    const before = find(cleared)

    const reply = await caller.ask('PATCH', '/alerts', {
      body: [
        {id: open[0]?.id, message: 'x'},
        {id: cleared, ...change},
      ],
    })

    expect(reply).toMatchObject({status: 400, json: [{code: 'GENERIC_ERROR', pointers: [cleared], pointerName: 'id'}]})
    expect(find(cleared)).toEqual(before)
    expect(find(open[0]?.id)?.['message']).not.toBe('x')
  },
)

test('leaves a cleared alert as cleared as it was', async () => {
  const [id] = (await create({...alert, clearedAt: '2024-07-01'})).json as number[]
  const before = find(id)

  const reply = await caller.ask('PATCH', '/alerts', {body: [{id, isCleared: true, clearedAt: null}]})

  expect(reply.status).toBe(200)
  expect(reply.json).toEqual([before])
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

test('clears by alertIds in either place, also what people clear in the user interface', async () => {
  const [first, second, third] = (await create({...alert, code: 'TMP'}, alert, alert)).json as number[]

  const replies = [
    await caller.ask('POST', '/alerts/clear', {routeFilter: {alertIds: [first, second]}, body: []}),
    await caller.ask('POST', '/alerts/clear', {requestFilter: {alertIds: [third]}}),
  ]

  for (const reply of replies) expect(reply).toMatchObject({status: 204, text: ''})
  for (const id of [first, second, third]) {
    expect(find(id)).toMatchObject({
      isCleared: true,
      clearedAt: '2024-07-30T23:52:05.477',
      clearedAtServerTime: '2024-07-30T18:07:05.477',
    })
  }
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

test.each([
  [[0, 1], [1, 2], [1]],
  [[0], [1], []],
  [[], [0], [0]],
  [[0], [], [0]],
  [[0, 3], [], [0]],
])('reads alerts whose ids stand in both places: %j and %j', async (inRoute, inRequest, expected) => {
  const created = await create(alert, alert, alert)
  const ids = [...(created.json as number[]), '9007199254740993']
  const list = (places: number[]) =>
    `{"alertIds":[${places.map((place) => ids[place]).join()}],"StartDate":"2024-07-01"}`

  const reply = await caller.ask(
    'GET',
    '/alerts',
    `{"routeFilter":${list(inRoute)},"requestFilter":${list(inRequest)}}`,
  )

  expect(reply.status).toBe(200)
  expect(idsOf(reply)).toEqual(expected.map((place) => ids[place]))
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

test.each(['9007199254740993', '9223372036854775807', '123456789012345678901234567890'])(
  'takes %s as an integer like any other',
  async (id) => {
    const one = (fields: string) => `{"body":[{"machineId":5003,"code":"CJ","message":"x",${fields}}]}`

    const created = await caller.ask('PUT', '/alerts', one(`"organizationId":${id},"siteId":${id}`))
    const foreign = await limited.ask('PUT', '/alerts', one(`"organizationId":${id}`))
    const nowhere = await caller.ask('PUT', '/alerts', one(`"machineId":${id}`))
    const updated = await caller.ask('PATCH', '/alerts', `{"body":[{"id":${id},"message":"x"}]}`)

    expect([created.status, foreign.status]).toEqual([200, 403])
    expect(nowhere).toMatchObject({status: 404, json: [{pointers: [id], pointerName: 'machineId'}]})
    expect(updated).toMatchObject({status: 404, json: [{code: 'MISSING_RECORD', pointers: [id], pointerName: 'id'}]})
  },
)

test('names an id beyond 2^53 digit for digit when it cannot be cleared', async () => {
  const reply = await caller.ask('POST', '/alerts/clear', '{"routeFilter":{"alertIds":[9007199254740993]}}')

  expect(reply).toMatchObject({status: 404, json: [{pointers: ['9007199254740993'], pointerName: 'id'}]})
})

test.each([
  [5003, 'raisedAt', '9999-12-31T23:00:00'],
  [5005, 'clearedAt', '9999-12-31T23:00:00'],
  [5006, 'raisedAt', '0001-01-01T00:00:00'],
])('refuses a time that the zone of machine %i puts outside the calendar: %s %s', async (machineId, name, time) => {
  const created = await create({...alert, machineId}, {...alert, machineId, [name]: time})
  const plain = await create({...alert, machineId})
  const [id] = plain.json as number[]
  const updated = await caller.ask('PATCH', '/alerts', {body: [{id, clearedAt: time}]})

  expect(created).toMatchObject({status: 400, json: [{code: 'DATE_PARSING', pointers: [1], pointerName: 'index'}]})
  expect(updated).toMatchObject({status: 400, json: [{code: 'DATE_PARSING', pointers: [id], pointerName: 'id'}]})
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

test('takes another time of clearing for a cleared alert, whatever isCleared says beside it', async () => {
  const cleared = sandbox.store.read('alert').find(({isCleared}) => isCleared === true)

  const reply = await caller.ask('PATCH', '/alerts', {
    body: [{id: cleared?.['id'], isCleared: false, clearedAt: '2024-07-29T00:00:00'}],
  })

  expect(reply).toMatchObject({status: 200, json: [{isCleared: true, clearedAtServerTime: '2024-07-29T00:00:00'}]})
})
