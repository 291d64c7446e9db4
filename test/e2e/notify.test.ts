import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'
import {startMonitor} from '../support/monitor.js'

describe.concurrent('a command that notifies', () => {
  test('reports start and success, under one id, with its messages', async ({start, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const {run} = await start()

    const ran = await run(['reports', 'transactions', '--start', 'yesterday', '--notify-url', `${monitor.url}/id?a=1`])

    expect(ran.exitCode).toBe(0)
    expect(monitor.paths()).toEqual(['/id/start', '/id'])
    expect(monitor.pings.map(({query}) => query.get('a'))).toEqual(['1', '1'])
    expect(new Set(monitor.pings.map(({query}) => query.get('rid'))).size).toBe(1)
    expect(monitor.pings[1]?.body).toContain(ran.stderr.trim().split('\n')[0])
  })

  test('reports a failure by its exit code, and leaves the code as it is', async ({start, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const {run} = await start()

    const ran = await run(['reports', 'transactions', '--nix', `--notify-url=${monitor.url}/id`])

    expect(ran.exitCode).toBe(2)
    expect(monitor.paths()).toEqual(['/id/start', '/id/2'])
    expect(monitor.pings[1]?.body).toContain('Unknown flag --nix.')
  })
})
