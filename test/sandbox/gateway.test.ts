import {connect} from 'node:net'
import {afterAll, expect, test} from 'vitest'
import {startSandbox} from '../../src/sandbox/server.js'
import {logIn, send} from './ask.js'
import {createManualClock} from './manual-clock.js'

const sandbox = await startSandbox({batches: 50, limits: false})
const caller = await logIn(sandbox)

afterAll(() => sandbox.close())

test.each([undefined, '', 'sandbox-key-wrong', 'x'.repeat(100)])('refuses the key %j as forbidden', async (key) => {
  const headers = key === undefined ? {} : {'x-api-key': key}

  const reply = await send(sandbox, {method: 'POST', path: '/v2.1/token-test', headers})

  expect(reply).toMatchObject({status: 403, json: {message: 'Forbidden'}})
})

test('tells a right key without a token', async () => {
  const headers = {'x-api-key': sandbox.apiKey}

  const reply = await send(sandbox, {method: 'POST', path: '/v1/token-test', headers})

  expect(reply).toMatchObject({status: 200, json: 'Access token was valid'})
})

test.each([
  ['GET', '/v3/machines'],
  ['GET', '/machines'],
  ['GET', '/v2.1/nothing'],
  ['GET', '/v1/machines'],
  ['PUT', '/v1/sites'],
  ['DELETE', '/v2.1/machines'],
  ['OPTIONS', '/v2.1/sites'],
  ['HEAD', '/v2.1/machines'],
  ['GET', '/'],
])('does not know %s %s', async (method, path) => {
  const reply = await send(sandbox, {method, path, headers: caller.headers})

  expect(reply.status).toBe(403)
  if (method !== 'HEAD') expect(reply.json).toEqual({message: 'Missing Authentication Token'})
})

test.each(['rc', 'v2', 'v2.1'])('serves bulk routes under stage %s', async (stage) => {
  const reply = await send(sandbox, {method: 'GET', path: `/${stage}/organizations`, headers: caller.headers})

  expect(reply.status).toBe(200)
  expect(reply.json).toHaveLength(5)
})

test.each([
  ['GET', '/machines/'],
  ['POST', '/machines'],
  ['POST', '/alerts'],
  ['POST', '/alerts/codes/'],
  ['GET', '/transactions'],
  ['POST', '/reports/transactions'],
])('reads with %s %s', async (method, path) => {
  const reply = await caller.ask(method, path, {})

  expect(reply.status).toBe(200)
  expect(reply.json).toBeInstanceOf(Array)
})

test.each(['evil.test', 'evil.test:80', '127.0.0.1.evil.test', '169.254.1.1'])('refuses the host %s', async (host) => {
  const reply = await send(sandbox, {method: 'GET', path: '/v2.1/machines', headers: {...caller.headers, host}})

  expect(reply).toMatchObject({status: 403, json: {message: 'Forbidden'}})
})

test.each(['http://evil.test', 'null', 'http://127.0.0.1'])('refuses the web page %s', async (origin) => {
  const reply = await send(sandbox, {method: 'GET', path: '/v2.1/machines', headers: {...caller.headers, origin}})

  expect(reply.status).toBe(403)
  expect(Object.keys(reply.headers).join()).not.toContain('access-control')
})

test('listens on 127.0.0.1 and on no other address', async () => {
  const attempt = new Promise((resolve, reject) => {
    connect({host: '127.0.0.2', port: sandbox.port}).once('connect', resolve).once('error', reject)
  })

  await expect(attempt).rejects.toMatchObject({code: 'ECONNREFUSED'})
})

test('refuses a body of more than 10 MB', async () => {
  const body = Buffer.alloc(10_485_761, ' ')

  const reply = await send(sandbox, {method: 'POST', path: '/v2.1/machines', headers: caller.headers, body})

  expect(reply).toMatchObject({status: 413, json: {message: 'Request Too Long'}})
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/json-ish', ''])(
  'takes no write as %j',
  async (type) => {
    const before = sandbox.store.count('site')
    const site = {accountId: 201, orgId: 101, name: 'Plain', isActive: true}
    const rest = {maxChargePrice: 1, maximumMeterSalesJumpAllowed: 1, commissionTerms: 'Net10'}

    const reply = await caller.ask('PUT', '/sites', {body: [{...site, ...rest}]}, {'content-type': type})

    expect(reply).toMatchObject({status: 415, json: {message: 'Unsupported Media Type'}})
    expect(sandbox.store.count('site')).toBe(before)
  },
)

test.each([
  ['a request cut short', '{"body": [', 'not JSON'],
  ['a list', '[]', 'one JSON object'],
  ['a text', '"text"', 'one JSON object'],
  ['a control character', '\u0000', 'not JSON'],
  ['a pit', `{"body":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nested too deeply'],
])('explains why %s cannot be read', async (_name, body, words) => {
  const reply = await caller.ask('GET', '/machines', body)

  expect(reply).toMatchObject({status: 400, json: [{code: 'GENERIC_ERROR', pointers: []}]})
  expect(reply.text).toContain(words)
})

test('explains that a request is not UTF-8', async () => {
  const body = Buffer.from([0x7b, 0xff, 0x7d])

  const reply = await send(sandbox, {method: 'POST', path: '/v2.1/machines', headers: caller.headers, body})

  expect(reply).toMatchObject({status: 400, json: [{code: 'GENERIC_ERROR'}]})
  expect(reply.text).toContain('UTF-8')
})

test('lets 100 requests through at once and 20 more a second', async () => {
  const clock = createManualClock('2024-07-30T12:00:00Z')
  const limited = await startSandbox({world: 'empty', clock})
  const burst = async (count: number) => {
    const statuses: number[] = []
    for (let sent = 0; sent < count; sent++) {
      const {status} = await send(limited, {
        method: 'POST',
        path: '/v2.1/token-test',
        headers: {'x-api-key': limited.apiKey},
      })
      statuses.push(status)
    }
    return statuses.filter((status) => status === 200).length
  }

  const passed = [await burst(103)]
  clock.advance(1_000)
  passed.push(await burst(23))
  const reply = await send(limited, {
    method: 'POST',
    path: '/v2.1/token-test',
    headers: {'x-api-key': limited.apiKey},
  })
  await limited.close()

  expect(passed).toEqual([100, 20])
  expect(reply).toMatchObject({status: 429, json: {message: 'Too Many Requests'}})
})

test('counts the requests of a key up to its quota, until the day turns in UTC', async () => {
  const clock = createManualClock('2024-07-30T23:59:58Z')
  const limits = {requestsPerSecond: 20, burst: 100, requestsPerDay: 3}
  const limited = await startSandbox({world: 'empty', clock, limits})
  const test = (key = limited.apiKey) =>
    send(limited, {method: 'POST', path: '/v2.1/token-test', headers: {'x-api-key': key}})

  const replies = [await test(), await test(), await test(), await test(), await test(limited.limited.apiKey)]
  clock.advance(2_000)
  replies.push(await test())
  await limited.close()

  expect(replies.map(({status}) => status)).toEqual([200, 200, 200, 429, 200, 200])
  expect(replies[3]?.json).toEqual({message: 'Limit Exceeded'})
})

test('answers an error of its own as UNKNOWN_ERROR', async () => {
  const broken = await startSandbox({world: 'empty', limits: false})
  const {ask} = await logIn(broken)
  broken.store.database.exec('DROP TABLE machine')

  const reply = await ask('GET', '/machines')
  await broken.close()

  expect(reply).toMatchObject({status: 500, json: [{code: 'UNKNOWN_ERROR'}]})
})
