import {afterAll, expect, test} from 'vitest'
import {proveSandbox} from '../../src/cli/sandbox/control-client.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {logIn, send} from './ask.js'

const sandbox = await startSandbox({batches: 20})

afterAll(() => sandbox.close())

function steer(method: string, path: string, body?: unknown, token = sandbox.adminToken) {
  return send(sandbox, {
    method,
    path: `/__sandbox/${path}`,
    headers: {'x-sandbox-admin': token},
    ...(body !== undefined && {body: JSON.stringify(body)}),
  })
}

test.each([
  ['GET', 'status'],
  ['GET', 'faults'],
  ['PUT', 'faults'],
  ['DELETE', 'faults'],
  ['GET', 'requests'],
  ['GET', 'log'],
  ['GET', 'log/1'],
  ['GET', 'clock'],
  ['PUT', 'clock'],
  ['POST', 'reset'],
  ['POST', 'stop'],
])('opens %s %s to the admin token only', async (method, path) => {
  const replies = [
    await steer(method, path, undefined, 'wrong'),
    await steer(method, path, undefined, sandbox.apiKey),
    await send(sandbox, {method, path: `/__sandbox/${path}`}),
    await send(sandbox, {
      method,
      path: `/__sandbox/${path}`,
      headers: {'x-sandbox-admin': sandbox.adminToken, origin: 'http://evil.test'},
    }),
  ]

  for (const reply of replies) expect(reply).toMatchObject({status: 403, json: {message: 'Forbidden'}})
})

test('proves itself for its own port, and for each challenge anew', async () => {
  const own = await startSandbox({world: 'empty', adminToken: sandbox.adminToken})
  const prove = (url: string) => proveSandbox(url, sandbox.adminToken)
  const ask = (challenge: string) =>
    send(sandbox, {method: 'GET', path: '/__sandbox/proof', headers: {'x-sandbox-challenge': challenge}})

  const replies = [await ask('a'), await ask('b'), await ask('a')]
  const texts = replies.map(({text}) => text)

  await expect(prove(sandbox.url)).resolves.toBeUndefined()
  await expect(prove(own.url)).resolves.toBeUndefined()
  await expect(proveSandbox(sandbox.url, sandbox.apiKey)).resolves.toBeUndefined()
  await expect(proveSandbox(sandbox.url, 'another')).rejects.toMatchObject({code: 'SANDBOX_REPLACED'})
  await own.close()
  await expect(prove(own.url)).rejects.toMatchObject({code: 'SANDBOX_GONE'})
  expect(texts[0]).toBe(texts[2])
  expect(texts[0]).not.toBe(texts[1])
  for (const secret of [sandbox.adminToken, sandbox.apiKey]) expect(texts.join()).not.toContain(secret)
})

test('tells its state, and no secret', async () => {
  const reply = await steer('GET', 'status')

  expect(reply.json).toMatchObject({
    pid: process.pid,
    database: 'temporary',
    world: 'seeded',
    scale: 'small',
    limits: true,
    globalChargeKeyId: 306,
    records: {organization: 5, account: 12, site: 38, machine: 298, alert_code: 6, batch: 20},
    faults: [],
  })
  for (const secret of [sandbox.apiKey, sandbox.password, sandbox.adminToken]) expect(reply.text).not.toContain(secret)
})

test('refuses faults it does not know, and names those it knows', async () => {
  const unknown = await steer('PUT', 'faults', {faults: ['explode@*']})
  const shapeless = await steer('PUT', 'faults', {fault: 'quota@*'})

  expect(unknown).toMatchObject({status: 400, json: {message: 'There is no fault "explode".'}})
  expect((unknown.json as {hints: string[]}).hints.join('\n')).toContain('reset-after-commit')
  expect(shapeless.status).toBe(400)
})

test('restores the seed world, and clears faults, counters, limits and tokens', async () => {
  const {ask} = await logIn(sandbox)
  const before = sandbox.store.read('site')
  const {json} = await ask('GET', '/sites', {requestFilter: {siteIds: [1001]}})
  const [site] = json as object[]
  await ask('PATCH', '/sites', {body: [{...site, name: 'Changed'}]})
  await ask('PUT', '/machines/custom-data', {body: [{machineId: 5001, key: 'k'}]})
  sandbox.faults.set(['quota@*'])

  const reply = await steer('POST', 'reset')
  const after = await ask('GET', '/sites')

  expect(reply).toMatchObject({status: 200, json: {reset: true, records: {site: 38, custom_data: 0}}})
  expect(sandbox.store.read('site')).toEqual(before)
  expect(sandbox.faults.list()).toEqual([])
  expect(after).toMatchObject({status: 401, json: [{code: 'API_TOKEN'}]})
  expect((await logIn(sandbox)).headers['access-token']).toMatch(/^sandbox-token-/)
})
