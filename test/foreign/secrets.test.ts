import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {accounts, test} from '../support/foreign.js'
import {secrets} from '../support/foreign-server.js'

test.for([[], ['--json']])('a service that repeats the login shows no secret %j', async (words, {visit}) => {
  const service = await visit({
    answer: ({path, body, headers}) =>
      path === '/authenticate'
        ? {status: 400, body: JSON.stringify([{code: 'GENERIC_ERROR', message: `${body} ${headers['x-api-key']}`}])}
        : undefined,
  })

  const ran = await service.run(['accounts', 'list', '--log-http', 'requests.log', ...words])

  expect(ran.exitCode).toBe(5)
  expect(`${ran.stdout}${ran.stderr}`).toContain('GENERIC_ERROR')
  expect(`${ran.stdout}${ran.stderr}`).not.toContain('wörd')
  const log = readFileSync(join(service.home, 'requests.log'), 'utf8')
  expect(log).not.toContain('wörd')
  expect(log).not.toContain(secrets.apiKey)
  expect(service.calls()).toEqual(['POST /authenticate'])
})

test('logging out takes away the token of a run on environment alone, and says so', async ({visit}) => {
  const service = await visit({rows: {'/accounts': accounts(1)}})
  await service.run(['accounts', 'list'])

  const first = await service.run(['auth', 'logout'])
  const second = await service.run(['auth', 'logout'])

  expect(first).toMatchObject({exitCode: 0, stderr: 'Deleted the secrets of default/v2.1.\n'})
  expect(second).toMatchObject({exitCode: 0, stderr: 'Nothing was stored.\n'})
  await service.run(['accounts', 'list'])
  expect(service.calls().filter((call) => call === 'POST /authenticate')).toHaveLength(2)
  expect(existsSync(join(service.home, 'config', 'vendorctl'))).toBe(false)
})

test.for(['/../../x', '/%2e%2e/x', 'http://elsewhere.test/x'])(
  'a raw path that is outside the stage is refused before a login is spent: %s',
  async (path, {visit}) => {
    const service = await visit()

    const ran = await service.run(['api', 'GET', path])

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(service.calls()).toEqual([])
  },
)

test('the examination reads, and needs no route but those of the specification', async ({visit}) => {
  const service = await visit({rows: {'/machines': ['{"id":1,"prose":"P1"}']}})

  const ran = await service.run(['doctor'])

  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).not.toContain('failed')
  expect(service.calls().filter((call) => !call.startsWith('GET '))).toEqual(['POST /token-test', 'POST /authenticate'])
  expect(service.calls().length).toBeLessThanOrEqual(17)
})
