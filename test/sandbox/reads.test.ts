import {afterAll, expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {idsOf, logIn} from './ask.js'

const sandbox = await startSandbox({batches: 500, limits: false})
const caller = await logIn(sandbox)

afterAll(() => sandbox.close())

const all = {size: '2000'}

test('serves page 1 of 50 unless asked otherwise, in the order of ids', async () => {
  const reply = await caller.ask('GET', '/machines')

  expect(reply.headers).toMatchObject({page: '1', size: '50', 'total-pages': '6'})
  expect(idsOf(reply)).toEqual(Array.from({length: 50}, (_, index) => 5_001 + index))
})

test('serves the asked page and size, and the last page short', async () => {
  const reply = await caller.ask('GET', '/machines', {}, {page: '3', size: '120'})

  expect(reply.headers).toMatchObject({page: '3', size: '120', 'total-pages': '3'})
  expect(idsOf(reply)).toEqual(Array.from({length: 58}, (_, index) => 5_241 + index))
})

test('clamps the size to 2000', async () => {
  const reply = await caller.ask('POST', '/machines', {}, {size: '2001'})

  expect(reply.headers).toMatchObject({page: '1', size: '2000', 'total-pages': '1'})
  expect(reply.json).toHaveLength(298)
})

test.each(['7', '123456789012345678901234567890'])('serves page %s, past the end, empty', async (page) => {
  const reply = await caller.ask('GET', '/machines', {}, {page})

  expect(reply).toMatchObject({status: 200, text: '[]', headers: {page, size: '50', 'total-pages': '6'}})
})

test.each(['0', '-1', '1.5', 'x', '', '1e3'])('refuses the page header %j', async (text) => {
  const replies = [
    await caller.ask('GET', '/sites', {}, {page: text}),
    await caller.ask('GET', '/sites', {}, {size: text}),
  ]

  for (const reply of replies) expect(reply).toMatchObject({status: 400, json: [{code: 'GENERIC_ERROR'}]})
})

test('says no pages of an empty result', async () => {
  const reply = await caller.ask('GET', '/sites', {requestFilter: {siteIds: [1]}})

  expect(reply).toMatchObject({status: 200, text: '[]', headers: {page: '1', size: '50', 'total-pages': '0'}})
})

test.each([
  ['/organizations', {organizationIds: [104, 101]}, [101, 104]],
  ['/accounts', {organizationIds: [103]}, [203, 208]],
  ['/accounts', {organizationIds: [103], accountIds: [208, 201]}, [208]],
  ['/sites', {accountIds: [202], siteIds: [1002, 1014, 1003]}, [1002, 1014]],
  ['/machines', {machineIdentifiers: ['5003', 'PRS100001', 'nobody', '005004']}, [5002, 5003]],
  ['/machines', {siteIds: [1001], accountIds: [202]}, []],
  ['/machines', {siteIds: [1001], machineIdentifiers: ['5039', '5002']}, [5039]],
])('narrows %s by %j', async (path, requestFilter, ids) => {
  const reply = await caller.ask('GET', path, {requestFilter})

  expect(idsOf(reply)).toEqual(ids)
})

test('narrows alerts by code', async () => {
  const reply = await caller.ask('GET', '/alerts', {routeFilter: {alertCodes: ['NS', 'DO']}}, all)

  const codes = (reply.json as {code: string}[]).map(({code}) => code)
  expect([...new Set(codes)].sort()).toEqual(['DO', 'NS'])
})

test('narrows transactions by identifier', async () => {
  const reply = await caller.ask('GET', '/transactions', {
    routeFilter: {transactionIdentifiers: ['B1960', 'B1961', 'B01962', '1963', "B1964' OR 1=1 --"]},
  })

  expect(idsOf(reply)).toEqual(['B1960', 'B1961'])
})

test.each([
  ['/sites', 'siteIds', 1040, 38],
  ['/machines', 'machineIdentifiers', '5300', 298],
])('leaves deleted records of %s out unless asked', async (path, key, id, alive) => {
  const without = await caller.ask('GET', path, {}, all)
  const named = await caller.ask('GET', path, {requestFilter: {[key]: [id]}})
  const withDeleted = await caller.ask('GET', path, {requestFilter: {[key]: [id], includeDeleted: true}})

  expect(without.json).toHaveLength(alive)
  expect(named.json).toEqual([])
  expect(idsOf(withDeleted)).toEqual([Number(id)])
})

test('matches property names without regard to case', async () => {
  const reply = await caller.ask('GET', '/sites', {REQUESTFILTER: {SITEids: [1003], IncludeDELETED: false}})

  expect(idsOf(reply)).toEqual([1003])
})

test.each([
  {requestFilter: {nothing: [1], siteIds: null}, routeFilter: null, body: []},
  {requestFilter: {selectionIds: ['x'], StartDate: 'never', alertIds: 1}},
  {requestFilter: {siteIds: []}},
  {routeFilter: {siteIds: [1001]}},
])('passes over what the route does not know: %j', async (body) => {
  const reply = await caller.ask('GET', '/sites', body, all)

  expect(reply.json).toHaveLength(38)
})

test.each([
  ['/sites', {requestFilter: {siteIds: ['1001', 1002]}}, 'siteIds', ['1001']],
  ['/sites', {requestFilter: {siteIds: [1001.5]}}, 'siteIds', ['1001.5']],
  ['/sites', {requestFilter: {siteIds: 1001}}, 'siteIds', []],
  ['/sites', '{"requestFilter":{"siteIds":[99999999999999999999]}}', 'siteIds', ['99999999999999999999']],
  ['/machines', {requestFilter: {machineIdentifiers: [5001]}}, 'machineIdentifiers', ['5001']],
  ['/machines', {requestFilter: {includeDeleted: 'yes'}}, 'includeDeleted', []],
  ['/sites', {requestFilter: [1]}, 'name', ['requestFilter']],
  ['/alerts', {routeFilter: {alertIds: 'all'}}, 'alertIds', []],
  ['/alerts', {requestFilter: {StartDate: 20_240_101}}, 'StartDate', []],
])('refuses a filter of the wrong type on %s: %j', async (path, body, pointerName, pointers) => {
  const reply = await caller.ask('GET', path, body)

  expect(reply).toMatchObject({status: 400, json: [{code: 'DESERIALIZATION_ERROR', pointerName, pointers}]})
})

test('finds nothing, and breaks nothing, by texts that look like SQL', async () => {
  const texts = ["' OR 1=1 --", '"; DROP TABLE machine; --', '%', '_', '\u0000', '\\', '5001 ']

  const reply = await caller.ask('GET', '/machines', {requestFilter: {machineIdentifiers: texts}})

  expect(reply.json).toEqual([])
  expect(sandbox.store.count('machine')).toBe(298)
})

test('keeps the digits of every number', async () => {
  const machines = await caller.ask('GET', '/machines')
  const transactions = await caller.ask('GET', '/transactions', {}, all)

  expect(machines.text).toContain('"assetId":9007199254740993,')
  expect(machines.text).toMatch(/"taxPercentage":(7\.50|0\.00|19\.00|10\.10),/)
  expect(transactions.text).toContain('"taxRate":10.10,')
  expect(transactions.text).toMatch(/"invoiceNumber":9007199254741\d{3},/)
})

test('keeps every character of a name', async () => {
  const reply = await caller.ask('GET', '/sites', {}, all)

  const names = (reply.json as {name: string}[]).map(({name}) => name)
  expect(names).toEqual(
    expect.arrayContaining(['Dock 4\nUpper deck', 'Café Ångström ☕️🥐', '\u001b[31mRed Gate\u001b[0m', '東側ロビー']),
  )
})

test('lists alert codes with both flags', async () => {
  const reply = await caller.ask('GET', '/alerts/codes')

  expect(reply.json).toContainEqual({
    id: 1,
    code: 'NS',
    description: 'No sales',
    onlyOneExists: true,
    uiClearOnly: false,
  })
  expect(reply.json).toContainEqual({
    id: 4,
    code: 'TMP',
    description: 'Temperature too high',
    onlyOneExists: false,
    uiClearOnly: true,
  })
})
