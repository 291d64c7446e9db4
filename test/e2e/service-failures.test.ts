import {chmodSync, mkdirSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {describe, expect, onTestFinished} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const list = ['machines', 'list', '--json']

/** Another server on this machine, which answers everything with one text. */
async function startForeign(body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(200, {'content-type': 'text/html'}).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('who may not', () => {
  test.concurrent('a wrong key is exit 4 and one request', async ({start}) => {
    const {run, sandbox} = await start()

    const ran = await run(list, {environment: {VENDORCTL_API_KEY: 'sandbox-key-wrong'}})

    expect(ran.exitCode).toBe(4)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, data: null, errors: [{exit: 4, changed: 'none'}]})
    expect(ran.stderr).toMatch(/API key/)
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('sandbox-key-wrong')
    expect(requestsOf(sandbox)).toEqual({gateway: 1})
  })

  test.concurrent.for([
    ['noAccess', 4, 'NO_API_ACCESS'],
    ['accessError', 75, 'ACCESS_ERROR'],
  ] as const)('the user %s is exit %d', async ([user, exitCode, code], {start}) => {
    const {run, sandbox} = await start()
    const {username, password} = sandbox[user]

    const ran = await run(list, {environment: {VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password}})

    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stderr).toContain(code)
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(password)
  })

  test.concurrent('no credentials say how to start', async ({alone}) => {
    const ran = await alone(['machines', 'list'], {environment: {VENDORCTL_BASE_URL: 'http://127.0.0.1:9'}})

    expect(ran).toMatchObject({exitCode: 4, stdout: ''})
    expect(ran.stderr).toContain('vendorctl auth login')
    expect(ran.stderr).toContain('vendorctl sandbox start')
  })
})

describe('where the service is', () => {
  test.concurrent.for([
    ['http://192.0.2.1', 14],
    ['api.example.com', 2],
  ] as const)('%s is refused before anything is sent', async ([url, exitCode], {start}) => {
    const {run} = await start()

    const ran = await run(['machines', 'list'], {environment: {VENDORCTL_BASE_URL: url}})

    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/https|URL/)
  })

  test.concurrent('a service that is down is exit 75 within some tries', async ({start}) => {
    const {run} = await start()
    const nothingThere = 'http://127.0.0.1:1' // a port that was free a moment ago may be another test's by now

    const ran = await run(list, {environment: {VENDORCTL_BASE_URL: nothingThere}})

    expect(ran.exitCode).toBe(75)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: [{exit: 75, changed: 'none', retry: 'safe'}]})
    expect(ran.stderr).toMatch(/refused|ECONNREFUSED/)
  })

  test.concurrent('a stage that does not exist is refused, v1 refuses bulk writes', async ({start}) => {
    const {run, sandbox} = await start()

    const unknown = await run(['machines', 'list', '--stage', 'v3'])
    const old = await run(['sites', 'create', '-f', '-', '--stage', 'v1'], {input: 'name\nx\n'})

    expect(unknown).toMatchObject({exitCode: 2, stdout: ''})
    expect(unknown.stderr).toContain('v2.1')
    expect(old).toMatchObject({exitCode: 2, stdout: ''})
    expect(old.stderr).toContain('v1')
    expect(requestsOf(sandbox)).toEqual({})
  })
})

describe('what is no answer', () => {
  test.concurrent('a server that is no such service is told apart from a wrong password', async ({start}) => {
    const foreign = await startForeign('<html>\u001b[31mWelcome</html>')
    const {run} = await start()

    const ran = await run(list, {environment: {VENDORCTL_BASE_URL: foreign}})

    expect(ran.exitCode).toBe(75)
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('\u001b')
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false})
  })
})

describe('a filter that is lost on the way', () => {
  test.concurrent.for(['csv', 'json'])('is exit 10 before a row is printed: %s', async (format, {start}) => {
    const {run, sandbox} = await start({faults: ['strip-get-body@*']})

    const ran = await run(['machines', 'list', '--site', '1001', '-o', format])

    expect(ran).toMatchObject({exitCode: 10, stdout: ''})
    expect(ran.stderr).toContain('POST')
    expect(requestsOf(sandbox)['machines.list']).toBe(1)
  })

  test.concurrent('is kept by reading with POST', async ({start}) => {
    const {run} = await start({faults: ['strip-get-body@*']})

    const ran = await run(['machines', 'list', '--site', '1001'], {environment: {VENDORCTL_READ_METHOD: 'POST'}})

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    const lines = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines.map(({siteId}) => siteId))).toEqual(new Set([1001]))
  })

  test.concurrent.for([
    ['strip-get-body@*', 10],
    ['reject-get-body@*', 75],
  ] as const)('is found by doctor, which names what works: %s', async ([fault, exitCode], {start}) => {
    const {run} = await start({faults: [fault]})

    const ran = await run(['doctor', '--json'])

    const {data, ok} = JSON.parse(ran.stdout) as {ok: boolean; data: {name: string; ok: boolean; text: string}[]}
    expect(ran.exitCode).toBe(exitCode)
    expect(ok).toBe(false)
    expect(data.find(({name}) => name === 'read by GET')).toMatchObject({ok: false})
    expect(data.find(({name}) => name === 'read by POST')).toMatchObject({ok: true})
  })

  test.concurrent('doctor without a service or credentials checks what it can, and lists the rest', async ({
    alone,
    start,
    home,
  }) => {
    const {sandbox} = await start()
    const checks = async (environment: Record<string, string>) => {
      const {exitCode, stdout} = await alone(['doctor', '--json'], {environment})
      const {data, errors} = JSON.parse(stdout) as {
        data: {name: string; ok: boolean | null; text: string}[]
        errors: []
      }
      const named = (ok: boolean | null) => data.filter((check) => check.ok === ok).map(({name}) => name)
      const why = [...new Set(data.filter(({ok}) => ok === null).map(({text}) => text))]
      return {exitCode, ok: named(true), failed: named(false), errors: errors.length, why, count: data.length}
    }

    const bare = await checks({})
    const keyless = await checks({VENDORCTL_BASE_URL: sandbox.url})
    mkdirSync(home.config, {recursive: true})
    chmodSync(home.config, 0o777)
    const open = await checks({VENDORCTL_BASE_URL: sandbox.url})

    const folders = ['config folder', 'state folder']
    expect(bare).toEqual({
      ...{exitCode: 2, ok: folders, failed: ['service'], errors: 1, count: 12},
      why: ['not run: first fix "service"'],
    })
    expect(keyless).toEqual({
      ...{exitCode: 4, ok: [...folders, 'service', 'proxy', 'name'], failed: ['credentials'], errors: 1, count: 12},
      why: ['not run: first fix "credentials"'],
    })
    expect(open).toEqual({
      ...{exitCode: 14, ok: ['state folder'], failed: ['config folder'], errors: 1, count: 12},
      why: ['not run: first fix "config folder"'],
    })
  })

  test.concurrent('a GET body that is refused with HTML says to read by POST', async ({start}) => {
    const {run} = await start({faults: ['reject-get-body@*']})

    const ran = await run(['machines', 'list'])

    expect(ran).toMatchObject({exitCode: 75, stdout: ''})
    expect(ran.stderr).toContain('readMethod=POST')
  })
})
