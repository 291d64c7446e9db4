import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, patience, requestsOf, test} from '../support/binary.js'
import {recordsIn} from '../support/ndjson.js'

const nightly = ['reports', 'transactions', '--since-last', 'nightly', '--start', '-20d', '--page-size', '50']
const idsIn = ({path}: Home, file: string) => recordsIn(join(path, file)).map(({id}) => id)
const asRecord = ({stdout}: {stdout: string}) => JSON.parse(stdout) as Record<string, unknown>

describe.concurrent('the names of --since-last', () => {
  test('are listed with mark, last file and what the next run does', async ({start, home}) => {
    const {run} = await start({batches: 1_200})

    const stopped = await run([...nightly, '--output-file', 'a.ndjson', '--max-requests', '4'])
    const left = await run(['exports', 'list'])
    const runs = await run(['runs', 'list'])
    const finished = await run([...nightly, '--output-file', 'b.ndjson'])
    const done = await run(['exports', 'list'])
    const shown = await run(['exports', 'show', 'nightly'])

    expect([stopped.exitCode, finished.exitCode]).toEqual([8, 0])
    const [path, file] = [join(home.path, 'a.ndjson'), expect.stringMatching(/\/b\.ndjson$/)]
    expect(asRecord(left)).toMatchObject({name: 'nightly', state: 'unfinished', mark: null, unfinished: path})
    expect(asRecord(left)['next']).toContain(`finishes ${path} first`)
    expect(stopped.stderr).toContain(`Export nightly has no complete run yet; ${path} is unfinished: `)
    expect(stopped.stderr).toContain(
      `→ The next run finishes ${path} first, then reads on: vendorctl reports transactions`,
    )
    expect(asRecord(runs)).toMatchObject({state: 'unfinished', rows: asRecord(left)['unfinishedRows']})
    expect(asRecord(done)).toMatchObject({state: 'done', unfinished: null, from: expect.any(String)})
    expect(asRecord(done)['file']).toEqual(existsSync(join(home.path, 'b.ndjson')) ? file : path)
    expect(shown.stdout).toContain(`mark: complete up to ${asRecord(done)['mark']}`)
  })

  test('tell of the file that was finished, where nothing newer was found', async ({start, home}) => {
    const {run} = await start({batches: 1_200})
    const asked = [...nightly, '--skip-empty', '--fail-on-empty', '--json']
    const stopped = await run([...asked, '--output-file', 'a.ndjson', '--max-requests', '4'])

    const finished = await run([...asked, '--output-file', 'b.ndjson'])
    const none = await run([...asked, '--output-file', 'c.ndjson'])

    expect([stopped, finished, none].map(({exitCode}) => exitCode)).toEqual([8, 0, 9])
    expect(asRecord(finished)).toMatchObject({ok: true, data: {file: join(home.path, 'a.ndjson')}})
    expect(asRecord(none)).toMatchObject({ok: false, data: {file: null}})
  })

  test('are set back to a date, from which all is read again into new files', async ({start, home}) => {
    const {run} = await start({batches: 1_200})
    await run([...nightly, '--output-file', 'a.ndjson'])
    const reset = ['exports', 'reset', 'nightly', '--to', '-20d']

    const unasked = await run(reset, {environment: {VENDORCTL_YES: undefined}})
    const confirmed = await run([...reset, '--yes', '--json'])
    const appended = await run([...nightly, '--output-file', 'a.ndjson', '--append'])
    const again = await run([...nightly, '--output-file', 'b.ndjson'])
    const next = await run([...nightly, '--output-file', 'c.ndjson'])

    expect([unasked, confirmed, appended, again, next].map(({exitCode}) => exitCode)).toEqual([2, 0, 2, 0, 0])
    expect(unasked.stderr).toContain('are read again and written again into new files')
    expect(JSON.parse(confirmed.stdout)).toMatchObject({data: {name: 'nightly', dropped: null}})
    expect(appended.stderr).toContain('it already contains')
    expect(appended.stderr).not.toContain('The next run')
    expect(idsIn(home, 'b.ndjson')).toEqual(idsIn(home, 'a.ndjson'))
    expect(readFileSync(join(home.path, 'c.ndjson'), 'utf8')).toBe('')
  })

  test('are not reset while a run reads them, nor to the future; unfinished reads are dropped', async ({start}) => {
    const {run, begin, sandbox, home} = await start({batches: 1_200, faults: ['stall-headers@reports.transactions#4-']})
    const running = begin([...nightly, '--output-file', 'a.ndjson'])
    await expect.poll(() => requestsOf(sandbox)['reports.transactions'] ?? 0, patience).toBeGreaterThan(3)
    const reset = ['exports', 'reset', 'nightly', '--yes', '--to']

    const locked = await run([...reset, '-1d'])
    const doubled = await run([...nightly, '--output-file', 'b.ndjson'])
    running.child.kill('SIGKILL')
    await running.ended
    sandbox.faults.clear()
    const future = await run([...reset, '9999-01-01'])
    const dropped = await run([...reset, '-20d'])
    const left = readdirSync(home.path).filter((name) => name.startsWith('a.'))
    await run([...nightly, '--output-file', 'b.ndjson'])

    expect([locked.exitCode, doubled.exitCode]).toEqual([13, 13])
    expect(doubled.stderr).toMatch(/Another run is reading --since-last \S+ \(pid \d+, since .*: vendorctl reports/)
    expect(doubled.stderr).toContain('Export nightly has no complete run yet; another run is reading it (pid ')
    expect(locked.stderr).toMatch(
      new RegExp(`\\(pid ${running.child.pid}, since .*: vendorctl reports transactions\\)`),
    )
    expect([future.exitCode, dropped.exitCode, left]).toEqual([2, 0, []])
    expect(new Set(idsIn(home, 'b.ndjson')).size).toBe(idsIn(home, 'b.ndjson').length)
    expect(existsSync(join(home.path, 'a.ndjson'))).toBe(false)
  })
})
