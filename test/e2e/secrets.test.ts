import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {patience, type Service, secretsOf, test} from '../support/binary.js'
import {siteHeader} from '../support/site-lines.js'

/** Looks for the secrets of a sandbox in a text, in every encoding. */
function expectClean(text: string, {sandbox}: Service): void {
  expect(text.length).toBeGreaterThan(0)
  for (const secret of secretsOf(sandbox)) expect(text).not.toContain(secret)
}

describe.concurrent('no secret is shown', () => {
  test.for([
    ['NODE_DEBUG', 'http,https,net,tls,child_process'],
    ['DEBUG', '*'],
    ['NODE_DEBUG_NATIVE', 'http'],
  ] as const)('under %s=%s', async ([name, value], {service}) => {
    const environment = {[name]: value}

    const ran = await service.run(['machines', 'list', '--limit', '2'], {environment})
    const login = await service.run(['auth', 'login', '-v'], {environment})

    expect([ran.exitCode, login.exitCode]).toEqual([0, 0])
  })

  test('in the list of processes or in the environment of the program', async ({start}) => {
    const service = await start({faults: ['stall-headers@machines.list']})
    const running = service.begin(['machines', 'list'])
    await vi.waitUntil(() => service.sandbox.faults.list()[0]?.fired === 1, patience)

    const line = readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8')
    running.child.kill('SIGKILL')
    await running.ended

    expectClean(line, service)
  })

  test('by a flag: none takes a secret', async ({alone}) => {
    const help = await Promise.all([
      alone(['auth', 'login', '--help']),
      alone(['machines', 'list', '--help']),
      alone(['sites', 'create', '--help']),
    ])

    for (const {stdout} of help) {
      expect(stdout).toContain('--profile')
      expect(stdout).not.toMatch(/--(api-?key|password|token|secret)(?!-(file|stdin))\b/i)
    }
  })

  test('of a key that stands in a file of rows', async ({service, home}) => {
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, `${siteHeader}\n${service.sandbox.apiKey},101,x,true,1,1,Net10\n`)

    const ran = await service.run(['sites', 'create', '-f', file, '--json'])

    expect(ran.exitCode).toBe(3)
    expect(ran.stderr).toContain('sites.csv:2:1')
  })
})
