import {expect, test} from 'vitest'

import type {Token, TokenStore} from '../../src/client/types.js'
import {createTestClient, failureOf, meetVendor, readAll, secrets} from '../support/client.js'
import {answering} from '../support/faults.js'
import {errorList, paged, reply, type Seen, startVendor} from '../support/vendor.js'

const fresh = 'TOKEN-fresh'
const loginAnswer = `{"accessToken":"${fresh}","userName":"ana@example.test","issued":"9/3/2020 11:17:40 PM","expires":"9/6/2020 11:17:40 PM"}`

/** A service that wants `fresh` as token and gives it to whoever logs in. */
function startStrict() {
  return startVendor((socket, seen) => {
    if (seen.path.endsWith('/authenticate')) socket.write(reply(200, loginAnswer))
    else if (seen.headers['access-token'] !== fresh) socket.write(reply(401, errorList('API_TOKEN')))
    else if (seen.method === 'PUT') socket.write(reply(200, '[1]'))
    else socket.write(reply(200, '[{"id":1}]', paged(Number(seen.headers['page']), 1, 2)))
  })
}

const paths = (seen: Seen[]) => seen.map(({method, path}) => `${method} ${path}`)

test('logs in before the first request when it has no token, and keeps the token', async () => {
  await using vendor = await startStrict()
  const {client, stored} = createTestClient(vendor.url, {token: null})

  await readAll(client, 'machines.list')

  expect(paths(vendor.seen)).toEqual(['POST /v2.1/authenticate', 'GET /v2.1/machines', 'GET /v2.1/machines'])
  expect(vendor.seen[0]?.body).toBe(`{"username":"ana@example.test","password":"${secrets.password}"}`)
  expect(vendor.seen[0]?.headers).not.toHaveProperty('access-token')
  expect(stored()).toMatchObject({accessToken: fresh, expires: '9/6/2020 11:17:40 PM'})
  expect(client.requestsUsed).toBe(3)
})

test('logs in once more when the token expired, then sends the same request again', async () => {
  await using vendor = await startStrict()
  const {client} = createTestClient(vendor.url, {token: 'TOKEN-expired'})

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer.fate).toBe('applied')
  expect(paths(vendor.seen)).toEqual(['PUT /v2.1/sites', 'POST /v2.1/authenticate', 'PUT /v2.1/sites'])
  expect(vendor.seen[2]?.body).toBe(vendor.seen[0]?.body)
})

test.each([
  ['TOKEN-expired', 8],
  [null, 0],
])('many requests at once with the token %s share one login', async (token, refused) => {
  await using vendor = await startStrict()
  const {client} = createTestClient(vendor.url, {token})

  await Promise.all(Array.from({length: 8}, () => readAll(client, 'machines.list')))

  expect(vendor.seen.filter(({path}) => path.endsWith('/authenticate'))).toHaveLength(1)
  expect(vendor.seen).toHaveLength(1 + refused + 8 * 2)
})

test('clients that share a store log in once, one of them, when it lets one at a time', async () => {
  await using vendor = await startStrict()
  let kept: Token | undefined = {accessToken: 'TOKEN-expired'}
  let turn: Promise<unknown> = Promise.resolve()
  const tokens: TokenStore = {
    read: async () => kept,
    write: async (token) => {
      kept = token
    },
    exclusively(work) {
      const done = turn.then(work)
      turn = done.catch(() => undefined)
      return done
    },
  }
  const clients = Array.from({length: 4}, () => createTestClient(vendor.url, {tokens}).client)

  await Promise.all(clients.map((client) => readAll(client, 'machines.list')))

  expect(vendor.seen.filter(({path}) => path.endsWith('/authenticate'))).toHaveLength(1)
  for (const client of clients) client.close()
})

test('takes the token that another process stored in the meantime', async () => {
  const {vendor, client, store} = await meetVendor(
    (socket, seen, number) => {
      if (number === 1) {
        store({accessToken: fresh})
        socket.write(reply(401, errorList('API_TOKEN')))
      } else socket.write(reply(200, '[]', {seen: seen.path, ...paged(1, 2000, 0)}))
    },
    {token: 'TOKEN-expired'},
  )

  await readAll(client, 'machines.list')

  expect(paths(vendor.seen)).toEqual(['GET /v2.1/machines', 'GET /v2.1/machines'])
  expect(vendor.seen[1]?.headers['access-token']).toBe(fresh)
})

test('does not take a token that was refused out of a store that cannot be written', async () => {
  const tokens: TokenStore = {read: async () => ({accessToken: 'TOKEN-expired'}), write: async () => undefined}
  let logins = 0
  await using vendor = await startVendor((socket, {path, headers}, number) => {
    if (path.endsWith('/authenticate')) socket.write(reply(200, `{"accessToken":"TOKEN-${++logins}"}`))
    else if (headers['access-token'] === 'TOKEN-1' && number < 4) socket.write(reply(200, '[1]'))
    else if (headers['access-token'] === 'TOKEN-2') socket.write(reply(200, '[2]'))
    else socket.write(reply(401, errorList('API_TOKEN')))
  })
  const {client} = createTestClient(vendor.url, {tokens})

  const answers = [
    await client.write('sites.create', {records: [{name: 'A'}]}),
    await client.write('sites.create', {records: [{name: 'B'}]}),
  ]

  expect(answers.map(({fate}) => fate)).toEqual(['applied', 'applied'])
  expect(logins).toBe(2)
})

test('a token refused right after the login is dropped, and the read is denied', async () => {
  const {vendor, client, stored} = await meetVendor((socket, seen) => {
    const isLogin = seen.path.endsWith('/authenticate')
    socket.write(isLogin ? reply(200, loginAnswer) : reply(401, errorList('API_TOKEN')))
  })

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'denied', code: 'API_TOKEN', hints: ['Log in again: vendorctl auth login']})
  expect(vendor.seen).toHaveLength(3)
  expect(stored()).toBeUndefined()
})

test('a write whose token is refused twice is refused', async () => {
  const {client} = await meetVendor((socket, seen) => {
    const isLogin = seen.path.endsWith('/authenticate')
    socket.write(isLogin ? reply(200, loginAnswer) : reply(401, errorList('API_TOKEN')))
  })

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'refused', status: 401, refusals: [{code: 'API_TOKEN'}]})
})

test.each([{}, {username: 'ana@example.test'}, {password: secrets.password}])(
  'with no more than %j it sends what it has and says how to log in',
  async (known) => {
    await using vendor = await startVendor(answering(401, errorList('API_TOKEN')))
    const credentials = async () => ({apiKey: 'K1', ...known})
    const {client} = createTestClient(vendor.url, {token: null, credentials})

    const failure = await failureOf(readAll(client, 'machines.list'))

    expect(failure).toMatchObject({exit: 'denied', code: 'API_TOKEN'})
    expect(failure.hints.join()).toContain('vendorctl auth login')
    expect(vendor.seen).toHaveLength(1)
  },
)

test('a wrong password is denied, by a login and by a write', async () => {
  const {vendor, client} = await meetVendor(answering(403, errorList('INVALID_LOGIN')), {token: null})

  expect(await failureOf(client.login())).toMatchObject({exit: 'denied', code: 'INVALID_LOGIN'})
  expect(await client.write('sites.create', {records: []})).toMatchObject({
    fate: 'unsent',
    failure: {exit: 'denied', code: 'INVALID_LOGIN'},
  })
  expect(vendor.seen).toHaveLength(2)
})

test.each(['{}', '<html>', '', '{"accessToken":"a\\nb"}', '{"accessToken":5}'])('a login answered %s', async (body) => {
  const {client, stored} = await meetVendor(answering(200, body), {token: null})

  expect(await failureOf(client.login())).toMatchObject({exit: 'unavailable', code: 'LOGIN_ANSWER'})
  expect(stored()).toBeUndefined()
})

test.each([
  [200, ''],
  [200, '""'],
  [204, ''],
  [206, '"Access token was valid"'],
  [200, '[{"code":"NO_API_ACCESS","message":"no","pointers":[]}]'],
  [200, '{"message":"Forbidden"}'],
  [200, '<html>'],
])('a key test answered %i %s proves nothing', async (status, body) => {
  const {client} = await meetVendor(answering(status, body))

  expect(await failureOf(client.testKey())).toMatchObject({exit: 'unavailable', code: 'ANSWER_SENSELESS'})
})

test('a key that no header can carry is denied before anything is sent', async () => {
  await using vendor = await startVendor(answering(200, '[]'))
  const credentials = async () => ({apiKey: 'two words\n'})
  const {client} = createTestClient(vendor.url, {credentials})

  expect(await failureOf(client.testKey())).toMatchObject({exit: 'denied', code: 'API_KEY'})
  expect(vendor.seen).toHaveLength(0)
})

test('the token travels in the header that the settings name', async () => {
  const {vendor, client} = await meetVendor(answering(200, '[]', paged(1, 2000, 0)), {
    settings: {tokenHeader: 'X-Session'},
  })

  await readAll(client, 'machines.list')

  expect(vendor.seen[0]?.headers).toMatchObject({'x-session': secrets.token})
  expect(vendor.seen[0]?.headers).not.toHaveProperty('access-token')
})
