import {inspect} from 'node:util'

import {expect, test} from 'vitest'

import {createTestClient, failureOf, meetVendor, readAll, secrets} from '../support/client.js'
import {faults} from '../support/faults.js'
import {paged, reply, startVendor} from '../support/vendor.js'

test('one entry for each request, of headers that are allowed and nothing else', async () => {
  const {vendor, client, log} = await meetVendor(
    (socket, {path}) => {
      const hidden = {'set-cookie': 'a=b', 'x-echo': secrets.apiKey}
      if (path.endsWith('/authenticate')) socket.write(reply(200, `{"accessToken":"${secrets.token}"}`, hidden))
      else socket.write(reply(200, '[{"id":1}]', {...paged(1, 2000, 1), ...hidden}))
    },
    {token: null},
  )

  await readAll(client, 'machines.list', {siteIds: [1]})
  await client.call({method: 'GET', path: `/users?secret=${secrets.password}&x=1`})

  expect(log).toHaveLength(3)
  expect(log[1]).toEqual({
    at: '2024-07-30T18:07:05.000Z',
    method: 'GET',
    url: `${vendor.url}/v2.1/machines`,
    operation: 'machines.list',
    attempt: 1,
    requestHeaders: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      page: '1',
      size: '2000',
      'user-agent': expect.any(String),
    },
    requestBytes: 60,
    status: 200,
    responseHeaders: {
      'content-length': '10',
      'content-type': 'application/json',
      ...paged(1, 2000, 1),
    },
    responseBytes: 10,
    milliseconds: expect.any(Number),
  })
  expect(log[2]?.url).toBe(`${vendor.url}/v2.1/users?secret=…&x=…`)
  for (const secret of Object.values(secrets)) expect(JSON.stringify(log)).not.toContain(secret)
})

test('tries that broke are entries as well', async () => {
  const {client, log} = await meetVendor(faults.resetBefore)

  await failureOf(readAll(client, 'machines.list'))

  expect(log.map(({attempt}) => attempt)).toEqual([1, 2, 3, 4, 5])
  expect(log[4]).toMatchObject({failure: expect.stringContaining('broke')})
  expect(log[4]).not.toHaveProperty('status')
})

test('a service that repeats key, token or password in its words does not get them shown', async () => {
  const message = `no: ${secrets.apiKey} ${secrets.token}`
  const bodies = [
    JSON.stringify([
      {code: 'X', message},
      {code: 'Y', message},
    ]),
    JSON.stringify({message}),
    message,
  ]
  const {client} = await meetVendor((socket, {path}, number) => {
    const isLogin = path.endsWith('/authenticate')
    socket.write(
      reply(400, isLogin ? JSON.stringify({message: `no: ${secrets.password}`}) : (bodies[number - 1] ?? '')),
    )
  })

  for (const attempt of ['list', 'message', 'rubbish', 'login']) {
    const failure = await failureOf(attempt === 'login' ? client.login() : readAll(client, 'machines.list'))
    const everything = `${inspect(failure, {depth: 20, showHidden: true})}${JSON.stringify(failure)}${failure.stack}`
    for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret)
    expect(everything).toContain('[hidden]')
  }
})

test.each([
  ['with signs that JSON escapes', 'p"a\\s/wörd', (form: string) => JSON.stringify(form)],
  ['in pure ASCII', 'p"a\\s/wörd', (form: string) => JSON.stringify(form).replace('ö', '\\u00f6').replace('/', '\\/')],
  ['that is short', 'kiwi7', (form: string) => JSON.stringify(form)],
  ['in base64', 'a long pass phrase', (form: string) => JSON.stringify(Buffer.from(form).toString('base64'))],
] as const)('a password %s is not shown when the login repeats it', async (_, password, quote) => {
  await using vendor = await startVendor((socket) => {
    const entry = `{"code":"INVALID_LOGIN","message":${quote(password)}}`
    socket.write(reply(401, `[${entry},${entry}]`))
  })
  const {client} = createTestClient(vendor.url, {
    token: null,
    credentials: async () => ({apiKey: secrets.apiKey, username: 'ana', password}),
  })

  const failure = await failureOf(readAll(client, 'machines.list'))

  const everything = `${inspect(failure, {depth: 20, showHidden: true})}${JSON.stringify(failure)}`
  expect(failure).toMatchObject({exit: 'denied', code: 'API_TOKEN'})
  for (const form of [password, Buffer.from(password).toString('base64')]) expect(everything).not.toContain(form)
  expect(everything).toContain('[hidden]')
})

test('a short password that is part of another word leaves that as it is', async () => {
  await using vendor = await startVendor((socket) => {
    socket.write(reply(401, '[{"code":"INVALID_LOGIN","message":"No kiwis: kiwi."}]'))
  })
  const {client} = createTestClient(vendor.url, {
    token: null,
    credentials: async () => ({apiKey: secrets.apiKey, username: 'ana', password: 'kiwi'}),
  })

  const failure = await failureOf(client.login())

  expect(failure.message).toContain('No kiwis: [hidden].')
})

test('a password that another answer than that of the login repeats is not shown', async () => {
  const {client} = await meetVendor((socket) => {
    socket.write(reply(400, `[{"code":"X","message":"no: ${secrets.password}"}]`))
  })

  expect((await failureOf(readAll(client, 'machines.list'))).message).toContain('no: [hidden]')
  expect((await failureOf(client.testKey())).message).toContain('no: [hidden]')
})
