import {afterAll, expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {idsOf, logIn} from './ask.js'
import {createManualClock} from './manual-clock.js'

const sandbox = await startSandbox({batches: 2_000, limits: false, clock: createManualClock('2024-07-30T18:07:05Z')})
const caller = await logIn(sandbox)

afterAll(() => sandbox.close())

type Expected = {start?: string; end?: string}

function rangeOf(headers: Record<string, string>): Expected {
  const [start, end] = [headers['search-range-start-date'], headers['search-range-end-date']]
  return {...(start !== undefined && {start}), ...(end !== undefined && {end})}
}

test.each<[string, Record<string, string>, Expected]>([
  ['/reports/transactions', {StartDate: '2024-06-01', EndDate: '2024-06-30'}, {}],
  ['/reports/transactions', {StartDate: '2024-06-01', EndDate: '2024-07-01'}, {}],
  ['/reports/transactions', {StartDate: '2024-06-01', EndDate: '2024-07-02'}, {end: '2024-07-02T00:00:00'}],
  ['/reports/transactions', {StartDate: '2024-06-01T00:00:00', EndDate: '2024-07-02T00:00:00'}, {}],
  [
    '/reports/transactions',
    {StartDate: '2024-06-01T00:00:00', EndDate: '2024-07-02T00:00:00.001'},
    {end: '2024-07-02T00:00:00'},
  ],
  ['/reports/transactions', {StartDate: '2024-01-01T12:30', EndDate: '2024-12-31'}, {end: '2024-02-01T12:30:00'}],
  ['/reports/transactions', {StartDate: '2024-06-01'}, {end: '2024-07-02T00:00:00'}],
  ['/reports/transactions', {StartDate: '2024-06-01T10:11:12.345'}, {end: '2024-07-02T10:11:12.345'}],
  ['/reports/transactions', {EndDate: '2024-07-02'}, {start: '2024-06-01T23:59:59'}],
  ['/reports/transactions', {EndDate: '2024-07-02T08:00:00Z'}, {start: '2024-06-01T08:00:00'}],
  ['/reports/transactions', {}, {start: '2024-06-29T18:07:05', end: '2024-07-30T18:07:05'}],
  ['/alerts', {StartDate: '2024-01-01', EndDate: '2024-03-30'}, {}],
  ['/alerts', {StartDate: '2024-01-01', EndDate: '2024-03-31'}, {end: '2024-03-31T00:00:00'}],
  ['/alerts', {StartDate: '2024-01-01'}, {end: '2024-03-31T00:00:00'}],
  ['/alerts', {EndDate: '2024-03-31T06:00:00'}, {start: '2024-01-01T06:00:00'}],
  ['/alerts', {}, {start: '2024-05-01T18:07:05', end: '2024-07-30T18:07:05'}],
  ['/alerts', {EndDate: '0001-01-02'}, {start: '0001-01-01T00:00:00'}],
  ['/alerts', {StartDate: '9999-12-30'}, {end: '9999-12-31T23:59:59'}],
])('serves %s with %j clamped to %j', async (path, requestFilter, expected) => {
  const reply = await caller.ask('GET', path, {requestFilter})

  expect(reply.status).toBe(200)
  expect(rangeOf(reply.headers)).toEqual(expected)
})

test.each(['/machines', '/sites', '/organizations'])('takes no dates on %s', async (path) => {
  const reply = await caller.ask('GET', path, {requestFilter: {StartDate: '2024-07-30', EndDate: '2024-01-01'}})

  expect(reply.status).toBe(200)
  expect(rangeOf(reply.headers)).toEqual({})
})

test.each([
  ['/reports/transactions', {StartDate: '2024-07-02', EndDate: '2024-07-01'}],
  ['/alerts', {StartDate: '2024-07-01T00:00:01', EndDate: '2024-07-01T00:00:00'}],
])('refuses %s with %j', async (path, requestFilter) => {
  const reply = await caller.ask('GET', path, {requestFilter})

  expect(reply).toMatchObject({status: 400, json: [{code: 'INVALID_DATE_RANGE'}]})
})

test.each([
  ...['yesterday', '2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '2024-07-01T24:00:00'],
  ...['2024-07-01T10', '07/01/2024', '', '0000-01-01', '2024-07-01T10:00:00+02:00', '2024-7-1'],
])('cannot read the date %j', async (date) => {
  const replies = [
    await caller.ask('GET', '/alerts', {requestFilter: {StartDate: date}}),
    await caller.ask('GET', '/transactions', {requestFilter: {EndDate: date}}),
  ]

  expect(replies[0]).toMatchObject({
    status: 400,
    json: [{code: 'DATE_PARSING', pointers: [date], pointerName: 'StartDate'}],
  })
  expect(replies[1]).toMatchObject({
    status: 400,
    json: [{code: 'DATE_PARSING', pointers: [date], pointerName: 'EndDate'}],
  })
})

test.each([
  [1005, 'UTC+14', 14],
  [1006, 'UTC-12', -12],
  [1003, 'UTC+5:45', 5.75],
])('compares transactions of site %i with the local time of the machine, %s', async (site, _zone, hours) => {
  const around = {StartDate: '2024-07-01', EndDate: '2024-07-31', siteIds: [site]}
  const range = {StartDate: '2024-07-08T06:00:00', EndDate: '2024-07-22T18:00:00', siteIds: [site]}

  const everything = await caller.ask('GET', '/transactions', {requestFilter: around}, {size: '2000'})
  const some = await caller.ask('GET', '/transactions', {requestFilter: range}, {size: '2000'})

  const isInside = ({recordedAtUtc}: {recordedAtUtc: string}) => {
    const local = new Date(Date.parse(`${recordedAtUtc}Z`) + hours * 3_600_000).toISOString().slice(0, -1)
    return local >= range.StartDate && local <= range.EndDate
  }
  const expected = (everything.json as {recordedAtUtc: string}[]).filter(isInside)
  expect(expected.length).toBeGreaterThan(3)
  expect(some.json).toEqual(expected)
})

test('takes both edges of a range in, and leaves the fraction of the last second out', async () => {
  const times = ['2024-07-04T23:59:58', '2024-07-04T23:59:59', '2024-07-04T23:59:59.001', '2024-07-05T00:00:00']
  sandbox.add('site', {id: 7, orgId: 101, accountId: 201, name: 'Edge', timeZone: 'UTC'})
  sandbox.add('machine', {id: 8, organizationId: 101, siteId: 7, prose: 'EDGE'})
  for (const [index, recordedAtUtc] of times.entries()) {
    sandbox.add('batch', {id: `B${900_000 + index}`, machineId: 8, siteId: 7, recordedAtUtc})
  }

  const day = await caller.ask('GET', '/transactions', {
    requestFilter: {StartDate: '2024-07-04', EndDate: '2024-07-04', siteIds: [7]},
  })
  const edge = await caller.ask('GET', '/transactions', {
    requestFilter: {StartDate: '2024-07-04T23:59:59.001', EndDate: '2024-07-05T00:00:00', siteIds: [7]},
  })

  expect(idsOf(day)).toEqual(['B900000', 'B900001'])
  expect(idsOf(edge)).toEqual(['B900002', 'B900003'])
})

test('names both dates when both are none', async () => {
  const reply = await caller.ask('GET', '/alerts', {requestFilter: {StartDate: 'soon', EndDate: '2024-02-30'}})

  expect(reply).toMatchObject({
    status: 400,
    json: [
      {code: 'DATE_PARSING', pointers: ['soon'], pointerName: 'StartDate'},
      {code: 'DATE_PARSING', pointers: ['2024-02-30'], pointerName: 'EndDate'},
    ],
  })
})

test('searches from the very last moment of the calendar', async () => {
  const reply = await caller.ask('GET', '/alerts', {requestFilter: {StartDate: '9999-12-31T23:59:59.999'}})

  expect(reply).toMatchObject({status: 200, json: []})
})
