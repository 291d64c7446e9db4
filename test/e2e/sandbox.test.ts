import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {expect, vi} from 'vitest'
import {test as base, patience, type Run} from '../support/binary.js'
import {startBinary} from '../support/run-binary.js'

/** No test leaves a sandbox behind. */
const test = base.extend<{alone: Run}>({
  alone: async ({alone, home}, use) => {
    await use(alone)
    if (existsSync(join(home.state, 'sandbox.json'))) await alone(['sandbox', 'stop'])
  },
})

test.concurrent('a detached sandbox is used, steered and stopped by other commands', async ({alone, home}) => {
  const started = await alone(['sandbox', 'start', '--detach', '--batches', '50', '--json'])
  const list = await alone(['machines', 'list', '-p', 'sandbox', '--limit', '2'])
  const status = await alone(['sandbox', 'status', '--json'])
  const second = await alone(['sandbox', 'start'])
  const set = await alone(['sandbox', 'faults', 'set', 'status(503)@machines.list#1', '--json'])
  const retried = await alone(['machines', 'list', '-p', 'sandbox', '--limit', '2'])
  const fired = await alone(['sandbox', 'faults', '--json'])
  const wrong = await alone(['sandbox', 'faults', 'set', 'rest@machines.list'])
  const cleared = await alone(['sandbox', 'faults', 'clear'])
  const usedBefore = await alone(['quota', '-p', 'sandbox', '--json'])
  const reset = await alone(['sandbox', 'reset', '--json'])
  const usedAfter = await alone(['quota', '-p', 'sandbox', '--json'])
  const stopped = await alone(['sandbox', 'stop', '--json'])
  const after = await alone(['sandbox', 'status'])
  const again = await alone(['sandbox', 'stop'])

  expect(started.exitCode).toBe(0)
  const {data} = JSON.parse(started.stdout)
  expect(data).toMatchObject({url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), profile: 'sandbox'})
  expect(data.apiKey).toMatch(/^sandbox-/)
  expect(list).toMatchObject({exitCode: 0})
  expect(JSON.parse(status.stdout)).toMatchObject({ok: true, data: {records: {batch: 50}}})
  expect(second).toMatchObject({exitCode: 13, stdout: ''})
  expect(second.stderr).toContain('Use it with --profile sandbox, or stop it with: vendorctl sandbox stop')
  expect(JSON.parse(set.stdout).data).toMatchObject([{fault: 'status(503)@machines.list#1', seen: 0, fired: 0}])
  expect(retried.exitCode).toBe(0)
  expect(JSON.parse(fired.stdout).data).toMatchObject([{seen: 2, fired: 1}])
  expect(wrong).toMatchObject({exitCode: 2, stdout: ''})
  expect(wrong.stderr).toContain('reset-before')
  expect(cleared).toMatchObject({exitCode: 0, stdout: 'No faults are set.\n'})
  expect(JSON.parse(reset.stdout)).toMatchObject({ok: true, warnings: []})
  expect(JSON.parse(usedBefore.stdout).data).toMatchObject({used: 4, leftIs: 'counted'})
  expect(JSON.parse(usedAfter.stdout).data).toMatchObject({used: 0, runs: [], leftIs: 'counted'})
  expect(JSON.parse(stopped.stdout)).toMatchObject({ok: true, data: {stopped: data.url}})
  expect(after).toMatchObject({exitCode: 2, stdout: ''})
  expect(after.stderr).toContain('vendorctl sandbox start')
  expect(again).toMatchObject({exitCode: 0, stderr: 'No sandbox is running; nothing to stop.\n'})
  expect(existsSync(join(home.state, 'sandbox.json'))).toBe(false)
})

test.concurrent('a sandbox is used without its name, from another home, too, until it is gone', async ({
  alone,
  home,
}) => {
  await alone(['sandbox', 'start', '--detach', '--batches', '0'])
  const list = ['machines', 'list', '--limit', '1', '--columns', 'id', '-o', 'csv']
  const environment = {XDG_STATE_HOME: join(home.path, 'state-of-another-home')}

  const here = await alone(list)
  const elsewhere = await alone(list, {environment})
  await alone(['sandbox', 'stop'])
  const later = await alone(list, {environment})

  for (const ran of [here, elsewhere]) expect(ran).toMatchObject({exitCode: 0, stdout: 'id\n5001\n'})
  expect(later).toMatchObject({exitCode: 75, stderr: expect.stringContaining('No sandbox is running at http')})
})

test.concurrent('of sandboxes that start at the same time one runs, and the others name it', async ({alone, home}) => {
  const start = () => alone(['sandbox', 'start', '--detach', '--batches', '0'])

  const starts = await Promise.all([start(), start(), start()])

  expect(starts.map(({exitCode}) => exitCode).sort()).toEqual([0, 13, 13])
  const {url} = JSON.parse(readFileSync(join(home.state, 'sandbox.json'), 'utf8')) as {url: string}
  for (const {exitCode, stderr} of starts) if (exitCode === 13) expect(stderr).toContain(`already running at ${url}`)
})

test.concurrent('a sandbox whose profile was removed is not used by it; the next makes it again', async ({alone}) => {
  const start = ['sandbox', 'start', '--detach', '--batches', '0']
  await alone(start)
  await alone(['profiles', 'remove', 'sandbox'])

  const second = await alone(start)
  await alone(['sandbox', 'stop'])
  const third = await alone(start)
  const list = await alone(['machines', 'list', '-p', 'sandbox', '--limit', '1'])
  await alone(['sandbox', 'stop'])

  expect(second).toMatchObject({exitCode: 13, stdout: ''})
  expect(second.stderr).not.toContain('--profile sandbox')
  expect(second.stderr).toContain('no longer points to it')
  expect([third.exitCode, list.exitCode]).toEqual([0, 0])
})

test.concurrent('a sandbox in the foreground tells its use, keeps secrets, ends on Ctrl-C', async ({alone, home}) => {
  const running = startBinary(['sandbox', 'start', '--batches', '0'], {environment: home.environment})
  await vi.waitUntil(() => running.stdout().includes('vendorctl machines list --profile sandbox'), patience)
  const modes = ['state/vendorctl/sandbox.json', 'config/vendorctl/credentials.json'].map(
    (name) => statSync(join(home.path, name)).mode & 0o777,
  )
  const list = await alone(['machines', 'list', '-p', 'sandbox', '--columns', 'id', '--limit', '1'])

  running.child.kill('SIGINT')
  const ran = await running.ended
  const later = await alone(['machines', 'list', '-p', 'sandbox', '--timeout', '1', '--max-requests', '1'])

  expect(modes).toEqual([0o600, 0o600])
  expect(list).toMatchObject({exitCode: 0, stdout: '{"id":5001}\n'})
  expect(ran.exitCode).toBe(130)
  expect(later.exitCode).not.toBe(0)
  expect(existsSync(join(home.state, 'sandbox.json'))).toBe(false)
})

test.concurrent('what a killed sandbox left behind does not stop the next one', async ({alone, home}) => {
  const killed = startBinary(['sandbox', 'start', '--batches', '0', '--db', join(home.path, 'world.db')], {
    environment: home.environment,
  })
  await vi.waitUntil(() => killed.stdout().includes('Sandbox at'), patience)
  killed.child.kill('SIGKILL')
  await killed.ended

  const status = await alone(['sandbox', 'status'])
  const started = await alone(['sandbox', 'start', '--detach', '--db', join(home.path, 'world.db')])
  const list = await alone(['machines', 'list', '-p', 'sandbox', '--limit', '1'])
  const stopped = await alone(['sandbox', 'stop'])

  expect(status.exitCode).toBe(2)
  expect(started.exitCode).toBe(0)
  expect(list.exitCode).toBe(0)
  expect(stopped).toMatchObject({exitCode: 0, stdout: ''})
})

test.concurrent.for([
  ['a port that is taken', (port: number) => ['--port', String(port)], 2],
  ['a database in a folder that does not exist', () => ['--db', '/nowhere/at/all/world.db'], 12],
] as const)('%s is said, in the foreground and detached', async ([, toArguments, exitCode], {sandbox, alone}) => {
  const foreground = await alone(['sandbox', 'start', ...toArguments(sandbox.port)])
  const detached = await alone(['sandbox', 'start', '--detach', ...toArguments(sandbox.port)])

  for (const ran of [foreground, detached]) {
    expect(ran.exitCode).toBe(exitCode)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).not.toContain('Unexpected')
  }
})

test.concurrent('a damaged record of a sandbox counts as none', async ({alone, home}) => {
  await alone(['sandbox', 'start', '--detach', '--batches', '0'])
  await alone(['sandbox', 'stop'])
  writeFileSync(join(home.state, 'sandbox.json'), '{', {mode: 0o600})

  const ran = await alone(['sandbox', 'status'])

  expect(ran).toMatchObject({exitCode: 2, stdout: ''})
  expect(readFileSync(join(home.state, 'sandbox.json'), 'utf8')).toBe('{')
})

test.concurrent('nothing secret goes to who listens where a sandbox was', async ({alone, home, onTestFinished}) => {
  const started = await alone(['sandbox', 'start', '--detach', '--batches', '0', '--json'])
  const {url, apiKey, password} = JSON.parse(started.stdout).data
  const path = join(home.state, 'sandbox.json')
  const state = JSON.parse(readFileSync(path, 'utf8'))
  const live = {environment: {VENDORCTL_API_KEY: 'live-key', VENDORCTL_PASSWORD: 'live-password'}}
  const early = await alone(['machines', 'list', '-p', 'sandbox'], live)
  await alone(['sandbox', 'stop'])
  const dead = await alone(['machines', 'list', '-p', 'sandbox'])
  const stranger = await listenAs(new URL(url).port)
  onTestFinished(stranger.close)
  writeFileSync(path, JSON.stringify({...state, pid: process.pid}), {mode: 0o600})

  const commands = ['stop', 'status', 'reset', 'faults', 'faults clear', 'faults set quota@*', 'log', 'clock']
  const steered = await Promise.all(commands.map((words) => alone(['sandbox', ...words.split(' ')])))
  const read = await alone(['machines', 'list', '-p', 'sandbox'])
  const later = await alone(['machines', 'list', '-p', 'sandbox'], live)
  const again = await alone(['sandbox', 'start', '--detach', '--batches', '0'])

  expect([early, later].map(({exitCode}) => exitCode)).toEqual([14, 14])
  expect(dead).toMatchObject({exitCode: 75, stdout: ''})
  for (const ran of [...steered, read]) {
    expect(ran).toMatchObject({exitCode: 14, stdout: ''})
    expect(ran.stderr).toContain('is not the sandbox that was started there; nothing was sent to it')
  }
  const heard = stranger.heard()
  expect(heard).toContain('/__sandbox/proof')
  for (const secret of [state.adminToken, apiKey, password, 'live-']) expect(heard).not.toContain(secret)
  expect(again.exitCode).toBe(0)
})

/** A server that hears everything and says yes to all of it. */
async function listenAs(port: string): Promise<{heard: () => string; close: () => void}> {
  const parts: string[] = []
  const server = createServer((request, response) => {
    parts.push(`${request.method} ${request.url}`, ...request.rawHeaders)
    request.setEncoding('utf8').on('data', (text: string) => parts.push(text))
    request.on('end', () => response.end('{"stopping":true,"proofs":["yes"],"faults":[]}'))
  })
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
  return {heard: () => parts.join('\n'), close: () => server.close()}
}

test.concurrent('a sandbox that is gone while its process number lives on is none to stop', async ({alone, home}) => {
  await alone(['sandbox', 'start', '--detach', '--batches', '0'])
  const path = join(home.state, 'sandbox.json')
  const state = JSON.parse(readFileSync(path, 'utf8'))
  await alone(['sandbox', 'stop'])
  await vi.waitUntil(() => !existsSync(path), patience) // removed by the sandbox as it ends
  writeFileSync(path, JSON.stringify({...state, pid: process.pid}), {mode: 0o600})

  const status = await alone(['sandbox', 'status'])
  const stopped = await alone(['sandbox', 'stop'])

  expect(status).toMatchObject({exitCode: 75, stdout: ''})
  expect(stopped).toMatchObject({exitCode: 0, stderr: 'No sandbox is running; nothing to stop.\n'})
})
