import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {createRequestLog, type Handled} from '../../src/sandbox/request-log.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type Caller, logIn, send} from './ask.js'

let sandbox: Sandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({batches: 5, machines: 10})
})
beforeEach(async () => {
  sandbox.reset()
  caller = await logIn(sandbox)
})
afterAll(() => sandbox.close())

async function steer(path: string, method = 'GET', body?: unknown) {
  const headers = {'x-sandbox-admin': sandbox.adminToken}
  const reply = await send(sandbox, {
    ...{method, path: `/__sandbox/${path}`, headers},
    ...(body !== undefined && {body: JSON.stringify(body)}),
  })
  return reply
}

async function readLog(after = 0) {
  return ((await steer(`log?after=${after}`)).json as {requests: Record<string, unknown>[]}).requests
}

test('has each request with who sent it, for how many records, and what it met', async () => {
  sandbox.faults.set(['reset-after-commit@sites.list#1', 'status(503)@machines.list#1', 'slow(30)@machines.list#2'])
  await caller.ask('GET', '/machines?a=1')
  await caller.ask('GET', '/machines', {}, {size: '3'})
  await expect(caller.ask('GET', '/sites')).rejects.toThrow()
  await caller.ask('PUT', '/sites', {body: [{}, {}]})
  await caller.ask('GET', '/nothing')
  await caller.ask('GET', '/sites', {}, {'x-api-key': 'wrong'})

  const [login, refused, slow, reset, write, unknown, stranger] = await readLog()

  const who = {user: sandbox.username, key: 'main'}
  const none = {records: null, user: null}
  expect(login).toMatchObject({
    operation: 'auth.login',
    method: 'POST',
    status: 200,
    ...who,
    records: null,
    fault: null,
  })
  expect(refused).toEqual({
    ...{id: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/), operation: 'machines.list', method: 'GET'},
    ...{path: '/v2.1/machines?a=1', status: 503, milliseconds: expect.any(Number), records: null, ...who},
    fault: 'status(503)@machines.list#1',
  })
  expect(slow).toMatchObject({status: 200, records: 3, ...who, fault: 'slow(30)@machines.list#2'})
  expect(slow?.['milliseconds']).toBeGreaterThan(25)
  expect(reset).toMatchObject({status: null, ...who, fault: 'reset-after-commit@sites.list#1'})
  expect(write).toMatchObject({operation: 'sites.create', status: 421, records: 2, ...who})
  expect(unknown).toMatchObject({operation: 'gateway', path: '/v2.1/nothing', status: 403, ...none, key: 'main'})
  expect(stranger).toMatchObject({operation: 'sites.list', status: 403, ...none, key: null})
  expect(await readLog(Number(stranger?.['id']) - 1)).toEqual([stranger])
})

test('shows headers and bodies without secrets, and nothing of a request that it does not keep', async () => {
  const body = '{"username":"a","Password" : "se\\"cret", "x": "\u001b[31m'
  const headers = {'x-api-key': sandbox.apiKey, authorization: 'Bearer secret', 'content-type': 'application/json'}
  await send(sandbox, {method: 'POST', path: '/v2.1/authenticate', headers, body})
  const [login, broken] = await readLog()

  const told = await Promise.all([login, broken].map((one) => steer(`log/${one?.['id']}`)))

  const texts = told.map(({text}) => text).join()
  for (const secret of [sandbox.apiKey, sandbox.password, 'secret', 'cret"', 'sandbox-token-'])
    expect(texts).not.toContain(secret)
  expect(told[0]?.json).toMatchObject({
    body: JSON.stringify({username: sandbox.username, password: '(hidden)'}),
    requestHeaders: {'x-api-key': '(hidden)', 'content-type': 'application/json'},
    responseHeaders: {'content-type': expect.stringContaining('json')},
    answer: expect.stringContaining('"accessToken":"(hidden)"'),
  })
  expect(told[1]?.json).toMatchObject({
    body: '{"username":"a","Password" : "(hidden)", "x": "\u001b[31m',
    requestHeaders: {authorization: '(hidden)'},
    answer: expect.stringContaining('GENERIC_ERROR'),
  })
  sandbox.reset()
  expect(await steer(`log/${login?.['id']}`)).toMatchObject({
    status: 400,
    json: {message: `The log of the sandbox does not have request ${login?.['id']}.`},
  })
})

test('keeps the last 1,000 requests and 64 MB of bodies, each cut at 256 kB', () => {
  const log = createRequestLog(() => undefined)
  const answer = {status: 200, headers: {}, body: Buffer.alloc(300_000, 'b')}
  const request: Handled = {
    ...{method: 'GET', headers: {}, time: 0, operation: 'sites.list', path: '/', milliseconds: 0, status: 200},
  }
  for (let count = 1; count <= 1_200; count++) log.add(request, Buffer.alloc(100_000, 'a'), answer)

  const kept = log.list(0)

  expect([kept.length, kept[0]?.['id'], kept.at(-1)?.['id']]).toEqual([1_000, 201, 1_200])
  const bodies = kept.map(({id}) => log.require(Number(id)))
  const whole = bodies.filter(({body}) => String(body).length === 100_000)
  expect(whole.map(({id}) => id)).toEqual(kept.slice(-whole.length).map(({id}) => id))
  expect(whole.length * (100_000 + 262_144)).toBeGreaterThan(50_000_000)
  expect(whole.length * (100_000 + 262_144)).toBeLessThanOrEqual(67_108_864)
  expect(bodies[0]).toMatchObject({body: '(100000 bytes, no longer kept)', answer: '(300000 bytes, no longer kept)'})
  expect(bodies.at(-1)?.['answer']).toMatch(/^b{262144}… \(the first 262144 of 300000 bytes\)$/)
  expect(() => log.require(200)).toThrow('does not have request 200')
})

test('a clock that is moved lets tokens expire, dates answers, and can be stopped and set back', async () => {
  const day = 86_400
  const move = async (to: string) => (await steer('clock', 'PUT', {to})).json as Record<string, number>
  const before = await caller.ask('GET', '/sites')
  const moved = [await move('+1d'), await move('+1d')]
  const valid = await caller.ask('GET', '/sites')
  const midnight = await move('midnight')
  const frozen = await move('freeze')
  const later = await move('+72h')
  const expired = await caller.ask('GET', '/sites')
  const wrong = await Promise.all(['+1', '-1d', 'noon', '+0d', 'toString'].map((to) => steer('clock', 'PUT', {to})))
  const shown = (await steer('clock')).json
  for (let times = 0; times < 2; times++) await move('+999999d')
  const beyond = await steer('clock', 'PUT', {to: '+999999d'})
  const back = await move('now')

  expect(moved.map(({secondsAhead}) => secondsAhead)).toEqual([day, 2 * day])
  expect([before.status, valid.status, expired.status]).toEqual([200, 200, 401])
  expect(Date.parse(valid.headers['date'] ?? '') - Date.parse(before.headers['date'] ?? '')).toBeGreaterThan(
    172_000_000,
  )
  expect(midnight).toMatchObject({time: expect.stringMatching(/T00:00:00/), isFrozen: false})
  expect(later).toMatchObject({isFrozen: true})
  expect(Date.parse(String(later['time'])) - Date.parse(String(frozen['time']))).toBe(3 * day * 1_000)
  expect(expired.headers['date']).toBe(new Date(later['time'] ?? 0).toUTCString())
  for (const reply of wrong) expect(reply).toMatchObject({status: 400, json: {hints: [expect.stringContaining('+1d')]}})
  expect(shown).toMatchObject({time: later['time'], isFrozen: true})
  expect(beyond).toMatchObject({status: 400, json: {message: expect.stringContaining('9999')}})
  expect(back).toMatchObject({secondsAhead: 0, isFrozen: false})
})
