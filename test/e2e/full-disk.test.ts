import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

const full = {stdout: '/dev/full'}

const offline = [['--help'], ['explain', '7', '--json'], ['contract', 'show', '--format', 'openapi'], ['quota']]

const online = [
  ['machines', 'list'],
  ['alerts', 'codes', '--json'],
  ['reports', 'transactions'],
  ['api', 'GET', '/machines'],
  ['auth', 'test', '--json'],
]

describe.concurrent('a full disk under standard output is exit 12 and said', () => {
  test.for(offline)('%s', async (words, {alone}) => {
    const ran = await alone(words, full)

    expect(ran.exitCode).toBe(12)
    expect(ran.stderr).toContain('the disk is full')
  })

  test.for(online)('%s', async (words, {start}) => {
    const {run} = await start({batches: 20})

    const ran = await run(words, full)

    expect(ran.exitCode).toBe(12)
    expect(ran.stderr).toContain('the disk is full')
  })

  test('and ends the requests', async ({start}) => {
    const {run, sandbox} = await start({machines: 3_000})

    const ran = await run(['machines', 'list', '--page-size', '50'], full)

    expect(ran.exitCode).toBe(12)
    expect(requestsOf(sandbox)['machines.list']).toBeLessThan(20)
  })
})
