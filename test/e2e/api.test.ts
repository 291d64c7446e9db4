import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {SandboxOptions} from '../../src/sandbox/server.js'
import {requestsOf, test} from '../support/binary.js'

describe.concurrent('api', () => {
  const [body, record] = ['[{"id":9007199254740993, "price":10.10}]', '{"id":9007199254740993.10}']

  test.for<[string, SandboxOptions, string[], string]>([
    ['prints the body as it came, digit for digit', {faults: [`json(${body})@machines.list`]}, [], body],
    ['--paginate of nothing is an empty array', {world: 'empty'}, ['--paginate'], '[]\n'],
    [
      '--paginate keeps the digits of every page',
      {faults: [`json([${record}])@machines.list`]},
      ['--paginate', '--page-size', '10'],
      `[${record},${record}]\n`,
    ],
  ])('%s', async ([, options, words, stdout], {start}) => {
    const {run} = await start(options)

    expect(await run(['api', 'GET', '/machines', ...words])).toMatchObject({exitCode: 0, stdout, stderr: ''})
  })

  test('--paginate makes one array of all pages', async ({run, sandbox}) => {
    const ran = await run('api GET machines --paginate --page-size 5 --filter siteIds=1001,1002,1003'.split(' '))

    const {length} = sandbox.store.read('machine').filter(({siteId}) => [1001, 1002, 1003].includes(Number(siteId)))
    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toHaveLength(length)
  })

  test('--include prints status and headers first', async ({run}) => {
    const ran = await run(['api', 'GET', '/machines', '--include', '--page-size', '2'])

    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toMatch(/^HTTP 200\n([a-z-]+: .*\n)+\n\[/)
    expect(ran.stdout).toMatch(/^size: 2$/m)
    expect(ran.stdout).toMatch(/^total-pages: 9$/m)
  })

  test('a refusal goes to standard error, and standard output stays empty', async ({run}) => {
    const ran = await run(['api', 'GET', '/reports/transactions', '--filter', 'StartDate=soon'])
    const json = await run(['api', 'GET', '/reports/transactions', '--filter', 'StartDate=soon', '--json'])

    expect(ran).toMatchObject({exitCode: 5, stdout: ''})
    expect(ran.stderr).toContain('DATE_PARSING')
    expect(json.exitCode).toBe(5)
    expect(JSON.parse(json.stdout)).toMatchObject({ok: false, data: null, errors: [{code: 'DATE_PARSING', exit: 5}]})
  })

  test('a write takes its body from a file, is sent once, and in doubt it is exit 7', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-after-commit@sites.create#2']})
    const before = sandbox.store.count('site')
    const file = join(home.path, 'body.json')
    const site = {accountId: 201, orgId: 101, isActive: true, maxChargePrice: 1, maximumMeterSalesJumpAllowed: 1}
    const write = (name: string) =>
      writeFileSync(file, JSON.stringify({body: [{...site, name, commissionTerms: 'Net10'}]}))

    write('One')
    const good = await run(['api', 'PUT', '/sites', '--body', file])
    write('Two')
    const doubtful = await run(['api', 'PUT', '/sites', '--body', file, '--json'])

    expect(good.exitCode).toBe(0)
    expect(JSON.parse(good.stdout)).toHaveLength(1)
    expect(doubtful.exitCode).toBe(7)
    expect(JSON.parse(doubtful.stdout)).toMatchObject({errors: [{changed: 'unknown', retry: 'reconcile-first'}]})
    expect(requestsOf(sandbox)['sites.create']).toBe(2)
    expect(sandbox.store.count('site')).toBe(before + 2)
  })

  test.for([
    [['GET'], 'PATH'],
    [['FETCH', '/machines'], 'FETCH'],
    [['GET', '/machines', '--header', 'nonsense'], 'NAME: VALUE'],
    [['GET', '/machines', '--filter', 'nonsense'], 'KEY=VALUE'],
    [['GET', '/machines', '--body', '/nowhere'], 'cannot read /nowhere: no such file'],
    [['PUT', '/sites', '--body', '-', '--filter', 'siteIds=1'], '--filter'],
    [['GET', '/../../x', '--header', 'x-api-key: mine'], 'x-api-key'],
    [['GET', 'https://example.com/machines'], 'path'],
    [['GET', '/%2e%2e/x'], 'path'],
  ] as const)('%s is refused before anything is sent', async ([words, says], {run, sandbox}) => {
    const ran = await run(['api', ...words], {input: '{}'})

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(requestsOf(sandbox)).toEqual({})
  })
})

describe.concurrent('auth test, doctor and quota', () => {
  test('auth test asks once', async ({run, sandbox}) => {
    const ran = await run(['auth', 'test'])
    const wrong = await run(['auth', 'test'], {environment: {VENDORCTL_API_KEY: 'sandbox-wrong-key'}})

    expect(ran).toMatchObject({exitCode: 0, stdout: ''})
    expect(ran.stderr).toContain('works')
    expect(wrong).toMatchObject({exitCode: 4, stdout: ''})
    expect(requestsOf(sandbox)).toEqual({'auth.test': 1, gateway: 1})
  })

  test('doctor finds nothing wrong with one request for each path that is in question', async ({run, sandbox}) => {
    const ran = await run(['doctor'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines.slice(1).every((line) => line.startsWith('ok'))).toBe(true)
    expect(lines.length).toBe(14)
    expect(Object.values(requestsOf(sandbox)).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(15)
  })

  test.for([
    ['skew(7200)@*', 'clock', 1],
    ['status(403,NO_API_ACCESS)@machines.list', 'NO_API_ACCESS', 4],
    ['status(200,html)@*', 'Check the base URL.\n', 75],
  ] as const)('doctor says what %s is, and sends nobody to doctor', async ([fault, says, exitCode], {start}) => {
    const {run} = await start({faults: [fault]})

    const ran = await run(['doctor'])

    expect(ran.exitCode).toBe(exitCode)
    for (const text of ['failed', says]) expect(ran.stdout).toContain(text)
    expect(ran.stdout).not.toContain('vendorctl doctor')
  })

  test('doctor names a service that is down', async ({run, sandbox}) => {
    await sandbox.close()

    const ran = await run(['doctor'])

    expect(ran.exitCode).toBe(75)
    expect(ran.stdout).toMatch(/failed .* Try again later\.\n/)
  })
})
