import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import {createTestClient, failureOf} from '../support/client.js'

const key = {'x-api-key': 'KEY-canary-51f0'}

beforeAll(() => nock.disableNetConnect())
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

test('POST /authenticate: a body that is not wrapped, no token, a token for an answer', async () => {
  const scope = nock('https://vendor.test', {
    reqheaders: {...key, 'content-type': 'application/json'},
    badheaders: ['access-token'],
  })
    .post('/v2.1/authenticate', '{"username":"ana@example.test","password":"PASS-canary-9a1c"}')
    .reply(
      200,
      '{"accessToken":"eyJ0","userName":"ana@example.test","issued":"9/3/2020 11:17:40 PM","expires":"9/6/2020 11:17:40 PM"}',
    )
  const {client, stored} = createTestClient('https://vendor.test')

  const token = await client.login()

  expect(token).toEqual({
    accessToken: 'eyJ0',
    userName: 'ana@example.test',
    issued: '9/3/2020 11:17:40 PM',
    expires: '9/6/2020 11:17:40 PM',
  })
  expect(stored()).toEqual(token)
  scope.done()
})

test('POST /authenticate with a wrong password', async () => {
  nock('https://vendor.test')
    .post('/v1/authenticate')
    .reply(403, '[{"code":"INVALID_LOGIN","message":"Wrong login.","pointers":[],"pointerName":null}]')
  const {client} = createTestClient('https://vendor.test', {settings: {stage: 'v1'}})

  expect(await failureOf(client.login())).toMatchObject({exit: 'denied', code: 'INVALID_LOGIN'})
})

test('POST /token-test: no body, no token', async () => {
  const scope = nock('https://vendor.test', {reqheaders: {...key, 'content-length': '0'}, badheaders: ['access-token']})
    .post('/v2.1/token-test', '')
    .reply(200, '"Access token was valid"')
  const {client} = createTestClient('https://vendor.test')

  expect(await client.testKey()).toBe('Access token was valid')

  scope.done()
})

test('POST /token-test with a bad key', async () => {
  nock('https://vendor.test').post('/v2.1/token-test').reply(403, '{"message":"Forbidden"}')
  const {client} = createTestClient('https://vendor.test')

  expect(await failureOf(client.testKey())).toMatchObject({exit: 'denied', code: 'FORBIDDEN'})
})
