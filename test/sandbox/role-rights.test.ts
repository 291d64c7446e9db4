import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'

const {sandbox, caller} = await openSandbox()

const route = '/role-rights'
const flags = {canView: true, canEdit: false, canExecute: false}
const none = {canView: false, canEdit: false, canExecute: false}
const find = (id: number) => sandbox.store.find('role_right', id)

test('what a change leaves out stays', async () => {
  const before = find(6001) ?? {}

  const reply = await caller.ask('PATCH', route, {body: [{id: 6001, canEdit: false}]})

  expect(reply).toMatchObject({status: 200, json: [{...before, canEdit: false}]})
  expect(find(6001)).toEqual({...before, canEdit: false})
})

test('rights at machines follow those of the role', async () => {
  const rights = async (role: string | number) =>
    (
      await caller.ask('GET', '/roles/role-rights-at-machine', {
        requestFilter: {machineIdentifiers: ['5001']},
        routeFilter: {roleIdentifiers: [role]},
      })
    ).json
  const [manager, driver] = [await rights(61), await rights(62)]

  await caller.ask('PATCH', route, {body: [{id: 6001, ...none}]})
  const without = await rights(61)
  const [id = 0] = (await caller.ask('PUT', route, {body: [{roleId: 61, rightId: 9, ...flags}]})).json as number[]
  const more = await rights(61)
  await caller.ask('PATCH', route, {body: [{id, rightId: 8}]})
  await caller.ask('PUT', route, {body: [{roleId: 61, rightId: 1, ...flags}]})

  expect([manager, driver, without, more]).toEqual([{5001: [1, 2]}, {5001: [3]}, {5001: [2]}, {5001: [2, 9]}])
  expect(await rights(61)).toEqual({5001: [1, 2, 8]})
  expect(await rights(62)).toEqual(driver)
})

test.each(['/roles', route, '/roles/role-rights-at-machine'])(
  '%s knows a role by number, text and name',
  async (path) => {
    const ask = async (...roleIdentifiers: unknown[]) =>
      (await caller.ask('GET', path, {requestFilter: {organizationIds: [101]}, routeFilter: {roleIdentifiers}})).json

    const byText = await ask('62')

    expect(Object.keys(byText as object).length).toBeGreaterThan(0)
    expect(await ask(62)).toEqual(byText)
    if (path !== '/roles/role-rights-at-machine') expect(await ask('driver')).toEqual(byText)
    expect(await ask('62', 61)).not.toEqual(byText)
  },
)

test('a right that was deleted may be created again', async () => {
  await caller.ask('PATCH', route, {body: [{id: 6001, roleId: 61, rightId: 1, ...none}]})

  const reply = await caller.ask('PUT', route, {body: [{roleId: 61, rightId: 1, ...flags}]})

  expect(reply.status).toBe(200)
})

test.each([
  [{roleId: 61, rightId: 1, ...flags}, 400, 'GENERIC_ERROR', 'index', 1],
  [{roleId: 61, rightId: 9, ...flags}, 400, 'GENERIC_ERROR', 'index', 1],
  [{roleId: 61, rightId: 8, ...none}, 400, 'GENERIC_ERROR', 'index', 1],
  [{roleId: 999, rightId: 8, ...flags}, 404, 'MISSING_RECORD', 'roleId', 999],
  [{roleId: 61, rightId: 8, canView: true, canEdit: true}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{roleId: 61, ...flags}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{roleId: 61, rightId: 8, ...flags, canView: 'yes'}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{roleId: 61, rightId: 0, ...flags}, 400, 'GENERIC_ERROR', 'index', 1],
])('creates nothing with %j', async (element, status, code, pointerName, pointer) => {
  const before = sandbox.store.count('role_right')

  const reply = await caller.ask('PUT', route, {body: [{roleId: 61, rightId: 9, ...flags}, element]})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(sandbox.store.count('role_right')).toBe(before)
})

test.each([
  [{id: 6001, roleId: 61, rightId: 2, ...flags}, 400, 'GENERIC_ERROR', 6001],
  [{id: 6001, canView: null}, 400, 'DESERIALIZATION_ERROR', 6001],
  [{id: 9, roleId: 61, rightId: 1, ...flags}, 404, 'MISSING_RECORD', 9],
])('updates nothing with %j', async (element, status, code, pointer) => {
  const before = find(6003)

  const reply = await caller.ask('PATCH', route, {body: [{id: 6003, roleId: 61, rightId: 3, ...flags}, element]})

  expect(reply).toMatchObject({
    status,
    json: expect.arrayContaining([expect.objectContaining({code, pointers: [pointer], pointerName: 'id'})]),
  })
  expect(find(6003)).toEqual(before)
})

test('two role rights may swap their rights in one set', async () => {
  const set = [
    {id: 6001, roleId: 61, rightId: 2, ...flags},
    {id: 6002, roleId: 61, rightId: 1, ...flags},
  ]

  const reply = await caller.ask('PATCH', route, {body: set})

  expect(reply).toMatchObject({status: 200, json: set})
})
