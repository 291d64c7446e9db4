import {expect, test} from 'vitest'

import {RawRefused} from '../../src/client/raw-call.js'
import {createTestClient, failureOf, meetVendor, secrets} from '../support/client.js'
import {answering, faults} from '../support/faults.js'
import {errorList, reply, startVendor} from '../support/vendor.js'

test('sends what it is given, with key and token, on any stage', async () => {
  const {vendor, client} = await meetVendor((socket) => socket.write(reply(200, '{"any":1.0}', {'x-more': 'a'})), {
    settings: {stage: 'v1'},
  })

  const answer = await client.call({
    method: 'post',
    path: '/files?kind=photo',
    headers: {'Content-Type': 'text/plain', page: '2'},
    body: 'raw',
  })

  expect(answer).toMatchObject({status: 200, headers: {'x-more': 'a'}})
  expect(answer.body.toString()).toBe('{"any":1.0}')
  expect(vendor.seen[0]).toMatchObject({method: 'POST', path: '/v1/files?kind=photo', body: 'raw'})
  expect(vendor.seen[0]?.headers).toMatchObject({
    'content-type': 'text/plain',
    page: '2',
    'x-api-key': secrets.apiKey,
    'access-token': secrets.token,
  })
})

test('a body is JSON unless said otherwise, and no body is of no type', async () => {
  const {vendor, client} = await meetVendor(answering(200, '{}'))

  await client.call({method: 'PUT', path: '/files', body: '{}'})
  await client.call({method: 'PUT', path: '/files'})

  expect(vendor.seen.map(({headers}) => headers['content-type'])).toEqual(['application/json', undefined])
})

test.each(['GET', 'PUT'])('a %s beyond the limit of requests is not sent', async (method) => {
  const {client} = await meetVendor(answering(200, '{}'), {settings: {maximumRequests: 0}})

  expect(await failureOf(client.call({method, path: '/files'}))).toMatchObject({code: 'MAX_REQUESTS', exit: 'limited'})
})

test.each(['GET', 'HEAD', 'DELETE'])('%s without a body', async (method) => {
  const {vendor, client} = await meetVendor((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))

  expect((await client.call({method, path: 'users'})).status).toBe(204)

  expect(vendor.seen[0]).toMatchObject({method, path: '/v2.1/users', body: ''})
})

test('a refusal keeps the answer, so that its body can be printed', async () => {
  const body = errorList('MISSING_RECORD', [5])
  const {client} = await meetVendor(answering(404, body))

  const failure = await failureOf(client.call({method: 'GET', path: '/users'}))

  expect(failure).toBeInstanceOf(RawRefused)
  expect(failure).toMatchObject({exit: 'refused', code: 'MISSING_RECORD', exitCode: 5})
  expect((failure as RawRefused).answer.body.toString()).toBe(body)
})

test.each([
  ['503', answering(503, 'soon')],
  ['a reset', faults.resetBefore],
])('a GET that meets %s is tried again like any read', async (_name, fault) => {
  const {vendor, client} = await meetVendor(fault)

  expect(await failureOf(client.call({method: 'GET', path: '/users'}))).toMatchObject({exit: 'unavailable'})

  expect(vendor.seen).toHaveLength(5)
})

test('a call that is stopped ends, though the service answers nothing', async () => {
  const stop = new AbortController()
  const {client, log} = await meetVendor(() => stop.abort(new Error('Ctrl-C')), {signal: stop.signal})

  await expect(client.call({method: 'GET', path: '/users'})).rejects.toThrow('Ctrl-C')

  expect(log).toMatchObject([{failure: expect.stringContaining('stopped on request')}])
})

test.each([
  ['reset', faults.resetBefore],
  ['cut', faults.cutByLength],
  ['500', answering(500, errorList('UNKNOWN_ERROR'))],
  ['503', answering(503, '')],
  ['303', answering(303, '', {location: '/'})],
  ['400 result count', answering(400, errorList('UNEXPECTED_RESULT_COUNT'))],
])('a write that meets %s is in doubt and never sent again', async (_name, fault) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const {vendor, client} = await meetVendor(fault)

    const failure = await failureOf(client.call({method, path: '/users', body: '[]'}))

    expect(failure).toMatchObject({exit: 'inDoubt', changed: 'unknown', retry: 'reconcile-first'})
    expect(vendor.seen).toHaveLength(1)
    client.close()
  }
})

test('a refused write is refused, a redirected one unsafe, one that never left unavailable', async () => {
  await using refusing = await startVendor(answering(422, errorList('SITE_VALIDATION', [1])))
  await using redirecting = await startVendor(answering(307, '', {location: 'https://evil.test'}))
  const closed = await startVendor(() => {})
  await closed.close()
  const exits: string[] = []

  for (const url of [refusing.url, redirecting.url, closed.url]) {
    const {client} = createTestClient(url)
    exits.push((await failureOf(client.call({method: 'PUT', path: '/users', body: '[]'}))).exit)
    expect(client.requestsUsed).toBe(1)
    client.close()
  }

  expect(exits).toEqual(['refused', 'unsafe', 'unavailable'])
})

test.each([
  [{method: 'CONNECT', path: '/x'}, 'METHOD'],
  [{method: 'GET /x HTTP/1.1', path: '/x'}, 'METHOD'],
  [{method: 'GET', path: '/x', headers: {'X-Api-Key': 'other'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {'Access-Token': 'other'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {host: 'evil.test'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {TE: 'trailers'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {Upgrade: 'h2c'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {'a b': 'c'}}, 'HEADER'],
  [{method: 'GET', path: '/x', headers: {a: 'b\r\nx-api-key: c'}}, 'HEADER'],
  [{method: 'GET', path: 'https://evil.test/x'}, 'PATH_OUTSIDE'],
])('%j is refused before anything is sent', async (request, code) => {
  const {vendor, client} = await meetVendor(answering(200, '[]'))

  expect(await failureOf(client.call(request))).toMatchObject({exit: 'usage', code})

  expect(vendor.seen).toHaveLength(0)
})
