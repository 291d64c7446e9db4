import {expect, test} from 'vitest'
import {idsOf, openSandbox} from './ask.js'

const {sandbox, caller} = await openSandbox()

const list = (includeDeleted: boolean) =>
  caller.ask('GET', '/sites', {requestFilter: {siteIds: [1001, 1002, 1003], includeDeleted}})

test('a deleted site is listed with includeDeleted only, and is not enabled', async () => {
  const reply = await caller.ask('DELETE', '/sites', {body: [{id: 1001}, {id: 1003}]})

  expect(reply).toMatchObject({status: 204, text: ''})
  expect(idsOf(await list(false))).toEqual([1002])
  expect((await list(true)).json).toMatchObject([
    {id: 1001, isEnabled: false, name: 'Ferry Quay', isActive: true},
    {id: 1002, isEnabled: true},
    {id: 1003, isEnabled: false},
  ])
})

test('the machines of a deleted site stay', async () => {
  await caller.ask('DELETE', '/sites', {body: [{id: 1001}]})

  const reply = await caller.ask('GET', '/machines', {requestFilter: {siteIds: [1001]}})

  expect(reply.json).toMatchObject([{id: 5001, siteId: 1001}])
})

test('the name of a deleted site is free again', async () => {
  const {id: _id, isEnabled: _enabled, ...site} = sandbox.store.find('site', 1001) ?? {}
  await caller.ask('DELETE', '/sites', {body: [{id: 1001}]})

  const reply = await caller.ask('PUT', '/sites', {body: [site]})

  expect(reply.status).toBe(200)
})

test.each([
  [[{id: 1001}, {id: 1040}, {id: 9}], 404, 'MISSING_RECORD', [1040, 9], 'id'],
  [[{id: 1001}, {id: 1001}], 400, 'UNEXPECTED_RESULT_COUNT', [1001], 'id'],
  [[{id: 1001}, {}], 421, 'MISSING_REQUIRED_DATA', [1], 'index'],
  [[{id: 1001}, {id: null}], 421, 'MISSING_REQUIRED_DATA', [1], 'index'],
  [[{id: 1001}, {id: '1002'}], 400, 'DESERIALIZATION_ERROR', [1], 'index'],
  [[{id: 1001}, 1002], 400, 'DESERIALIZATION_ERROR', [1], 'index'],
  [[], 421, 'MISSING_REQUIRED_DATA', ['body'], 'name'],
])('refuses %j and deletes nothing', async (body, status, code, pointers, pointerName) => {
  const reply = await caller.ask('DELETE', '/sites', {body})

  expect(reply).toMatchObject({status, json: [{code, pointers, pointerName}]})
  expect(idsOf(await list(false))).toEqual([1001, 1002, 1003])
})
