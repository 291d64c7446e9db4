import {afterAll, expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {idsOf, logIn, send} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2020-09-03T23:17:40Z')
const sandbox = await startSandbox({batches: 50, limits: false, clock})

afterAll(() => sandbox.close())

function authenticate(body: unknown, apiKey = sandbox.apiKey) {
  const headers = {'x-api-key': apiKey, 'content-type': 'application/json'}
  return send(sandbox, {method: 'POST', path: '/v2.1/authenticate', headers, body: JSON.stringify(body)})
}

test('gives a token that lives three days, with times in US form', async () => {
  const {username, password} = sandbox

  const reply = await authenticate({username, password})

  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({
    accessToken: expect.stringMatching(/^sandbox-token-[0-9a-f]{48}$/),
    userName: username,
    issued: '9/3/2020 11:17:40 PM',
    expires: '9/6/2020 11:17:40 PM',
  })
})

test.each([
  [{username: 'nobody@sandbox.example', password: 'x'}, 403, 'INVALID_LOGIN'],
  [{username: 'demo@sandbox.example', password: 'wrong'}, 403, 'INVALID_LOGIN'],
  [{username: 'demo@sandbox.example'}, 421, 'MISSING_REQUIRED_DATA'],
  [{password: 'x', username: null}, 421, 'MISSING_REQUIRED_DATA'],
  [{username: 1, password: 'x'}, 400, 'GENERIC_ERROR'],
  ['text', 400, 'GENERIC_ERROR'],
])('refuses the login %j', async (body, status, code) => {
  const reply = await authenticate(body)

  expect(reply).toMatchObject({status, json: [{code}]})
})

test('matches the names of a login without regard to case', async () => {
  const {username, password} = sandbox

  const reply = await authenticate({UserName: username, PASSWORD: password})

  expect(reply.status).toBe(200)
})

test.each([{}, {'access-token': ''}, {'access-token': 'sandbox-token-wrong'}])(
  'needs a token: %j',
  async (token: Record<string, string>) => {
    const headers = {'x-api-key': sandbox.apiKey, ...token}

    const reply = await send(sandbox, {method: 'GET', path: '/v2.1/machines', headers})

    expect(reply).toMatchObject({status: 401, json: [{code: 'API_TOKEN', pointers: [], pointerName: ''}]})
  },
)

test('ends a token after three days, and not a second before', async () => {
  const {ask} = await logIn(sandbox)
  clock.advance(72 * 3_600_000 - 1_000)
  const before = await ask('GET', '/accounts')
  clock.advance(1_000)

  const after = await ask('GET', '/accounts')

  expect(before.status).toBe(200)
  expect(after).toMatchObject({status: 401, json: [{code: 'API_TOKEN'}]})
})

test('takes a token with its own key only', async () => {
  const {headers} = await logIn(sandbox)
  const stolen = {...headers, 'x-api-key': sandbox.limited.apiKey}

  const reply = await send(sandbox, {method: 'GET', path: '/v2.1/machines', headers: stolen})

  expect(reply).toMatchObject({status: 401, json: [{code: 'API_TOKEN'}]})
})

test('refuses a user without API access at login', async () => {
  const {username, password} = sandbox.noAccess

  const reply = await authenticate({username, password})

  expect(reply).toMatchObject({status: 403, json: [{code: 'NO_API_ACCESS'}]})
})

test('refuses a user whose API access was taken away after the login', async () => {
  const own = await startSandbox({world: 'empty'})
  const {ask} = await logIn(own)
  own.store.database.run("UPDATE user SET access = 'none'")

  const reply = await ask('GET', '/machines')
  await own.close()

  expect(reply).toMatchObject({status: 403, json: [{code: 'NO_API_ACCESS'}]})
})

test('fails with ACCESS_ERROR when the rights of a user cannot be looked up', async () => {
  const {ask} = await logIn(sandbox, sandbox.accessError)

  const replies = [await ask('GET', '/machines'), await ask('PUT', '/sites', {body: []})]

  for (const reply of replies) expect(reply).toMatchObject({status: 500, json: [{code: 'ACCESS_ERROR'}]})
})

test.each([
  ['/organizations', 'id'],
  ['/accounts', 'organizationId'],
  ['/sites', 'orgId'],
  ['/machines', 'organizationId'],
  ['/alerts', 'organizationId'],
])('narrows %s to the organizations of the key', async (path, field) => {
  const whole = await logIn(sandbox)
  const limited = await logIn(sandbox, sandbox.limited)
  const range = {requestFilter: {EndDate: new Date(clock.now()).toISOString().slice(0, 19)}}

  const all = await whole.ask('GET', path, range, {size: '2000'})
  const some = await limited.ask('GET', path, range, {size: '2000'})

  const organizations = new Set((some.json as Record<string, unknown>[]).map((record) => record[field]))
  expect([...organizations].sort()).toEqual([101, 102])
  expect(idsOf(some).length).toBeLessThan(idsOf(all).length)
})

test('narrows transactions to the organizations of the key', async () => {
  const limited = await logIn(sandbox, sandbox.limited)
  const machines = new Set(idsOf(await limited.ask('GET', '/machines', {}, {size: '2000'})))

  const reply = await limited.ask(
    'GET',
    '/reports/transactions',
    {requestFilter: {EndDate: '2020-09-03'}},
    {size: '2000'},
  )

  const records = reply.json as {machineId: number}[]
  expect(records.length).toBeGreaterThan(0)
  expect(records.filter(({machineId}) => !machines.has(machineId))).toEqual([])
})

test.each([
  ['/organizations', {requestFilter: {organizationIds: [101, 103]}}, 'organizationIds', [103]],
  ['/accounts', {requestFilter: {accountIds: [203, 201, 204]}}, 'accountIds', [203, 204]],
  ['/sites', {requestFilter: {siteIds: [1003]}}, 'siteIds', [1003]],
  [
    '/machines',
    {requestFilter: {machineIdentifiers: ['5003', 'PRS100003']}},
    'machineIdentifiers',
    ['5003', 'PRS100003'],
  ],
  ['/machines', {requestFilter: {organizationIds: [105]}}, 'organizationIds', [105]],
  ['/reports/transactions', {requestFilter: {siteIds: [1004]}}, 'siteIds', [1004]],
])('refuses a read of %s that names foreign records', async (path, body, pointerName, pointers) => {
  const limited = await logIn(sandbox, sandbox.limited)

  const reply = await limited.ask('GET', path, body)

  expect(reply).toMatchObject({status: 403, json: [{code: 'DATA_ACCESS', pointers, pointerName}]})
})

test('takes a record that does not exist as a filter that matches nothing', async () => {
  const limited = await logIn(sandbox, sandbox.limited)

  const reply = await limited.ask('GET', '/machines', {requestFilter: {siteIds: [999_999]}})

  expect(reply).toMatchObject({status: 200, json: []})
})
