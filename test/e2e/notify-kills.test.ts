import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import {patience, type Service, test} from '../support/binary.js'
import {type Monitor, startMonitor} from '../support/monitor.js'

const id = '0f2c7c1e-9d6a-4a55-8b1e-3a1d7f0c9b42'

/** An export that waits for the service, as what watches it and as what runs it. */
async function beginStalled({begin, sandbox}: Service, monitor: Monitor) {
  const running = begin(exportTo('night.csv', monitor))
  await vi.waitUntil(() => sandbox.faults.list()[0]?.fired === 1, patience)
  const watcher = running.child.pid ?? 0
  const child = Number(readFileSync(`/proc/${watcher}/task/${watcher}/children`, 'utf8'))
  return {running, watcher, child}
}

function exportTo(file: string, {url}: Monitor): string[] {
  const range = ['--start', '2024-07-01', '--end', '2024-07-02']
  const files = ['--output-file', file, '--metrics-file', 'night.prom']
  return ['reports', 'transactions', ...range, ...files, '--notify-url', `${url}/${id}`]
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

const stalled = {faults: ['stall-headers@reports.transactions#1']}

describe.concurrent('a command that is killed', () => {
  test('is reported by what watches it, which had told nobody the address', async ({start, home, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const {running, child} = await beginStalled(await start(stalled), monitor)

    const known = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${child}/${name}`, 'utf8')).join('')
    process.kill(child, 'SIGKILL')
    const ran = await running.ended

    expect(known).not.toContain(id)
    expect(ran).toMatchObject({exitCode: 137, signal: null})
    expect(monitor.paths()).toEqual([`/${id}/start`, `/${id}/137`])
    expect(monitor.pings[1]?.body).toMatch(/^reports transactions failed: killed by SIGKILL; /)
    const metrics = readFileSync(join(home.path, 'night.prom'), 'utf8')
    expect(metrics).toMatch(/^vendorctl_last_run_exit_code{name="reports transactions",.*} 137$/m)
  })

  test('reports by itself when what watched it was killed', async ({start, home, onTestFinished}) => {
    const monitor = await startMonitor()
    onTestFinished(monitor.close)
    const {watcher, child} = await beginStalled(await start(stalled), monitor)

    process.kill(watcher, 'SIGKILL')
    await vi.waitUntil(() => !isRunning(watcher), patience)
    process.kill(child, 'SIGTERM')
    await vi.waitUntil(() => !isRunning(child), patience)

    expect(monitor.paths()).toEqual([`/${id}/143`])
    expect(monitor.pings[0]?.body).toContain('error: Stopped by SIGTERM.')
    expect(readdirSync(join(home.state, 'notifications'))).toEqual([])
  })
})

/** A secret as services and people repeat it. */
function forms(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), JSON.stringify(secret)]
}

test('no notification, message or other process holds a secret', async ({sandbox, run, home, onTestFinished}) => {
  const monitor = await startMonitor()
  onTestFinished(monitor.close)
  const [password, proxy] = ['pass/wörd "of" the=user', 'proxy-pass+word']
  const url = `${monitor.url}/${id}?key=private-query-1`
  const secrets = [sandbox.apiKey, password, proxy, url, id]
  const columns = secrets.flatMap(forms).join(' ')
  const told = join(home.path, 'told.json')

  const ran = await run(['reports', 'transactions', '--start', columns, '--notify-command', `tee ${told}`], {
    environment: {
      VENDORCTL_PASSWORD: password,
      VENDORCTL_NOTIFY_URL: url,
      HTTPS_PROXY: `http://user:${encodeURIComponent(proxy)}@127.0.0.1:1`,
    },
  })
  const shown = [ran.stderr, readFileSync(told, 'utf8'), ...monitor.pings.map(({body}) => body)]

  expect(ran.exitCode).toBe(2)
  expect(monitor.pings).toHaveLength(2)
  for (const text of shown) for (const secret of secrets.flatMap(forms)) expect(text).not.toContain(secret)
})
