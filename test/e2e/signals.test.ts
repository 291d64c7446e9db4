import {type ChildProcess, execFileSync} from 'node:child_process'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, vi} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {patience, requestsOf, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

async function untilFired({faults}: Sandbox): Promise<void> {
  await vi.waitUntil(() => faults.list()[0]?.fired === 1, patience)
}

/** Shorter than what the program would wait for. */
const waitMilliseconds = 40_000

/** A second signal counts only half a second after the program has met the first: it is repeated until that is over. */
async function killAgain<Ended>({child, ended}: {child: ChildProcess; ended: Promise<Ended>}, signal: NodeJS.Signals) {
  const again = setInterval(() => child.kill(signal), 1_500)
  return ended.finally(() => clearInterval(again))
}

/** Whether a thread of a process waits for somebody to write into a pipe. */
function waitsForWriter(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.some((thread) => readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8') === 'wait_for_partner')
}

describe.concurrent('a read', () => {
  test.for([
    ['SIGINT', 130, 'Stopped by Ctrl-C.'],
    ['SIGTERM', 143, 'Stopped by SIGTERM.'],
    ['SIGHUP', 129, 'Stopped by SIGHUP.'],
  ] as const)('that waits for the service ends at once on %s', async ([signal, exitCode, says], {start}) => {
    const {begin, sandbox} = await start({faults: ['stall-headers@machines.list']})
    const running = begin(['machines', 'list'])
    await untilFired(sandbox)
    const at = performance.now()

    running.child.kill(signal)
    const ran = await running.ended

    expect(ran).toMatchObject({exitCode, signal: null, stdout: ''})
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).toContain('\n→ Run the same command again.\n')
    expect(performance.now() - at).toBeLessThan(waitMilliseconds)
  })

  test('says so in the envelope too', async ({start}) => {
    const {begin, sandbox} = await start({faults: ['stall-headers@machines.list']})
    const running = begin(['machines', 'list', '--json'])
    await untilFired(sandbox)

    running.child.kill('SIGINT')
    const ran = await running.ended

    expect(ran.exitCode).toBe(130)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, errors: [{code: 'SIGINT', exit: 130, retry: 'safe'}]})
  })

  test('of standard input that does not end is stopped', async ({begin}) => {
    const {child, ended} = begin(['lint', '-', '--operation', 'sites.update'], {input: '', isInputOpen: true})
    await new Promise((resolve) => child.stdin?.write(`id,name\n${'1001,Pier\n'.repeat(30_000)}`, resolve))

    child.kill('SIGINT')

    expect(await ended).toMatchObject({exitCode: 130, signal: null, stdout: ''})
  })
})

test('a pipe that nobody writes to does not keep a stopped program from ending', async ({begin, home}) => {
  const pipe = join(home.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const running = begin(['lint', pipe, '--operation', 'sites.update'])
  await vi.waitUntil(() => waitsForWriter(running.child.pid ?? 0), patience)

  running.child.kill('SIGTERM')

  expect(await killAgain(running, 'SIGTERM')).toMatchObject({
    signal: 'SIGTERM',
    stderr: expect.stringContaining('Stopped immediately'),
  })
})

describe.concurrent('a write', () => {
  test('two signals at once are one: the set is waited for, and all is reported', async ({start, home}) => {
    const {begin, sandbox} = await start({faults: ['drip(150)@sites.create#1']})
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, siteFile('One', 'Two'))
    const running = begin(['sites', 'create', '-f', file, '--set-size', '1'])
    await untilFired(sandbox)

    running.child.kill('SIGINT')
    await vi.waitUntil(() => running.stderr().includes('Ctrl-C again stops immediately'), patience)
    running.child.kill('SIGINT')
    const ran = await running.ended

    expect(ran.exitCode).toBe(130)
    expect(ran.stderr).toContain('applied 1 · refused 0 · rolledBack 0 · inDoubt 0 · unsent 1')
    expect(ran.stderr).toContain('vendorctl runs resume ')
    expect(ran.stderr).not.toContain('Stopped immediately')
  })

  test('that is resumed names the run when it is left', async ({start, home}) => {
    const {begin, run, sandbox} = await start({faults: ['reset-after-commit@sites.create#1']})
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, siteFile('One', 'Two'))
    const first = await run(['sites', 'create', '-f', file, '--set-size', '1', '--json'])
    const {runId} = JSON.parse(first.stdout)
    sandbox.faults.set(['stall-headers@sites.create'])
    const running = begin(['runs', 'resume', runId])
    await untilFired(sandbox)

    running.child.kill('SIGINT')
    const ran = await killAgain(running, 'SIGINT')

    expect(first.exitCode).toBe(7)
    expect(ran.exitCode).toBe(130)
    expect(ran.stderr).toContain(`Stopped immediately: what was answered is kept`)
    expect(ran.stderr).toMatch(new RegExp(`vendorctl runs resume ${runId}\\n$`))
    expect(ran.stderr).not.toMatch(/nothing was sent|Warning/)
  })

  test('that is never answered is left at the second signal', async ({start, home}) => {
    const {begin, sandbox} = await start({faults: ['stall-headers@sites.create']})
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, siteFile('One'))
    const running = begin(['sites', 'create', '-f', file, '--yes', '--json'])
    await untilFired(sandbox)

    running.child.kill('SIGINT')
    await vi.waitUntil(() => running.stderr().includes('Ctrl-C again stops immediately'), patience)
    const isWaiting = running.child.exitCode === null
    const ran = await killAgain(running, 'SIGINT')

    expect(isWaiting).toBe(true)
    expect(ran.exitCode).toBe(130)
    expect(ran.stderr).toContain('Stopped immediately: 0 of 1 rows were answered')
    expect(ran.stderr).toContain('may or may not have been applied')
    expect(ran.stderr).toMatch(/vendorctl runs resume \S+\n$/)
    const {runId, errors} = JSON.parse(ran.stdout)
    expect(errors).toMatchObject([
      {code: 'STOPPED_EARLY', hint: expect.stringMatching(new RegExp(`vendorctl runs resume ${runId}$`))},
    ])
    expect(requestsOf(sandbox)['sites.create'] ?? 0).toBeLessThanOrEqual(1)
  })
})
