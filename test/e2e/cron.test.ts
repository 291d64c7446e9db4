import {appendFileSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Home, requestsOf, test} from '../support/binary.js'

const report = ['reports', 'transactions']
const pagesOf = (sandbox: Sandbox) => requestsOf(sandbox)['reports.transactions'] ?? 0
const heartbeat = (home: Home) => JSON.parse(readFileSync(join(home.path, 'beat'), 'utf8'))

/** Other records than those that are there, under a new id and time. */
function addBatch({store, add}: Sandbox, id: string, at: number): void {
  const [batch = {}] = store.read('batch')
  add('batch', {...batch, id, recordedAtUtc: new Date(at).toISOString().slice(0, -1)})
}

describe.concurrent('an export that runs by itself', () => {
  test('needs to be told where to begin, also for an estimate', async ({run, sandbox}) => {
    const words = [...report, '--since-last', 'nightly', '--output-file', 'a.csv']

    const ran = [await run(words), await run([...words, '--estimate'])]

    expect(ran).toMatchObject(
      Array(2).fill({exitCode: 2, stderr: expect.stringContaining('→ Set the start of the first run')}),
    )
    expect(pagesOf(sandbox)).toBe(0)
  })

  test('says that its start is in the future, and not that none was given or a clock is wrong', async ({run}) => {
    const words = [...report, '--start', '9999-01-01', '--output-file', 'a.csv']

    const ran = [['--since-last', 'later'], ['--gzip'], ['--estimate']].map((flags) => run([...words, ...flags]))

    expect(await Promise.all(ran)).toMatchObject([
      {exitCode: 0, stderr: 'warning: Nothing to read yet: --start 9999-01-01T00:00:00 is in the future\n'},
      {exitCode: 2, stderr: expect.stringContaining('--gzip needs an export: its --start is in the future')},
      {exitCode: 2, stderr: expect.stringContaining('--estimate needs --end where --start is in the future')},
    ])
  })

  test('ends after --max-duration although it waits for an answer, and the same command goes on', async ({start}) => {
    const {run, sandbox, home} = await start({batches: 200, faults: ['status(403)@reports.transactions#3-']})
    const file = ['--output-file', 'a.csv', '--page-size', '10', '--heartbeat-file', 'beat']
    const words = [...report, '--start', '-20d', ...file]

    const refused = await run(words)
    const beat = heartbeat(home)
    sandbox.faults.set(['stall-headers@reports.transactions'])
    const stopped = await run([...words, '--max-duration', '1s', '--json'])
    const beatAgain = heartbeat(home)
    sandbox.faults.clear()
    const ran = await run(words)

    expect(refused.exitCode).toBe(4)
    expect(beat).toMatchObject({state: 'failed', rows: expect.any(Number), pageAt: expect.any(String)})
    expect(beat.rows).toBeGreaterThan(0)
    expect(stopped.exitCode).toBe(8)
    expect(JSON.parse(stopped.stdout).errors).toMatchObject([{code: 'MAX_DURATION', exit: 8, retry: 'safe'}])
    expect(beatAgain).toMatchObject({state: 'failed', rows: beat.rows, pageAt: null})
    expect(ran).toMatchObject({exitCode: 0, stderr: expect.stringContaining('a.csv:')})
    expect(readdirSync(home.path).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe.concurrent('what was read', () => {
  test('is a calendar of days, whose holes are filled', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 100})
    const month = ['--start', '2024-02', '--end', '2024-03-02']
    await run([...report, '--start', '2024-02-10', '--end', '2024-02-28T12:00', '--output-file', 'a.csv'])
    const before = pagesOf(sandbox)

    const looked = await run(['reports', 'coverage', ...month, '--html', 'days.html'])
    const named = await run(['reports', 'coverage', ...month, '--output-file', 'also.html'])
    const piped = await run(['reports', 'coverage', ...month, '-o', 'html'])
    const both = await run(['reports', 'coverage', ...month, '--html', '-', '--json'])
    const page = readFileSync(join(home.path, 'days.html'), 'utf8')
    const asked = pagesOf(sandbox)
    const fill = ['reports', 'coverage', ...month, '--fill']
    const unfit = await run([...fill, '--output-file', '{start}.xlsx'])
    const unread = pagesOf(sandbox)
    const filled = await run([...fill, '--json'])

    expect(unfit).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--fill needs an export')})
    expect(unread).toBe(before)
    expect(named.stdout).toContain('18 days proven')
    expect(both).toMatchObject({exitCode: 2, stdout: expect.stringContaining('both write to standard output')})
    expect(readFileSync(join(home.path, 'also.html'), 'utf8')).toContain('<td class="proven">')
    expect(piped.stdout).toMatch(/^<!DOCTYPE html>[\s\S]*<\/html>\n$/)
    expect(looked.stdout).toContain('2024-02  .........##################+.\n2024-03  ..\n')
    expect(looked.stdout).toContain('18 days proven, 1 partly, 12 not read')
    expect(page.match(/<td class="proven">/g)).toHaveLength(18)
    expect(page.match(/<td class="unread">\d+<span>not read/g)).toHaveLength(12)
    expect(page).toContain('<code>vendorctl reports coverage --start 2024-02-01 --end 2024-03-02')
    expect(asked).toBe(before)
    const files = ['tx-2024-02-01-2024-02-09.csv', 'tx-2024-02-28-2024-03-02.csv']
    expect(JSON.parse(filled.stdout).data).toMatchObject({proven: 31, partly: 0, unread: 0, holes: [], written: files})
    expect(filled.stderr.match(/csv: \d+ rows, 1 page, 1 request, grade A\n/g)).toHaveLength(2)
    expect(readdirSync(home.path)).toEqual(expect.arrayContaining(files))
  })

  test('keeps a hole whose export stays incomplete, and says so by its exit code', async ({start, home}) => {
    const {run} = await start({batches: 200, faults: ['page-ceiling(10)@reports.transactions']})
    const strict = ['--require-grade', 'B', '--no-boundary-checks', '--json']

    const missed = await run(['reports', 'coverage', '--start', '-20d', '--end', '-11d', '--fill', ...strict])

    expect(missed.exitCode).toBe(10)
    expect(JSON.parse(missed.stdout)).toMatchObject({ok: false, errors: [{code: 'GRADE'}], data: {written: []}})
    expect(readdirSync(home.path).filter((name) => name.endsWith('.csv'))).toEqual([])
    expect(JSON.parse(missed.stdout).errors[0].hint).toMatch(/start over: vendorctl reports transactions .* --fresh$/)
    expect(JSON.parse(missed.stdout).errors[0].hint).not.toContain('--no-boundary-checks')
  })

  test('is not filled by a complete file that proves nothing', async ({start}) => {
    const {run} = await start({batches: 200, faults: ['page-ceiling(10)@reports.transactions']})
    const fill = ['reports', 'coverage', '--start', '-20d', '--end', '-11d', '--fill']

    const unchecked = await run([...fill, '--no-boundary-checks'])
    const again = await run([...fill, '--no-boundary-checks', '--json'])
    const refused = await run(fill)
    const filled = await run([...fill, '--overwrite'])

    expect(unchecked.stdout).toContain('0 days proven, 10 partly')
    expect(JSON.parse(again.stdout).data).toMatchObject({partly: 10, written: []})
    expect(refused).toMatchObject({exitCode: 2, stderr: expect.stringContaining('already exists')})
    expect(filled).toMatchObject({exitCode: 0, stdout: expect.stringContaining('10 days proven')})
  })

  test('stays proven when its file is taken away, changed or replaced, and that is shown', async ({start, home}) => {
    const {run} = await start({batches: 100})
    const path = (name: string) => join(home.path, name)
    const read = (first: string, last: string, name: string, ...more: string[]) =>
      run([...report, '--start', `2024-02-${first}`, '--end', `2024-02-${last}`, '--output-file', name, ...more])
    await read('01', '04', 'gone.csv')
    await read('05', '08', 'changed.csv')
    await read('09', '10', 'added.ndjson')
    await read('11', '12', 'added.ndjson', '--append')
    await read('13', '14', 'again.csv')
    await read('15', '16', 'again.csv', '--overwrite')
    await read('04', '05', 'kept.csv')
    rmSync(path('gone.csv'))
    appendFileSync(path('changed.csv'), '\n')
    const words = ['reports', 'coverage', '--start', '2024-02', '--end', '2024-02']

    const [looked, told] = [await run(words), await run([...words, '--json'])]

    expect(looked.stdout).toContain('2024-02  ooo##ooo####oo##.............\n')
    expect(looked.stdout).toContain(`16 days proven, 0 partly, 13 not read\n${path('gone.csv')} is gone\n`)
    const {proven, lost, days} = JSON.parse(told.stdout).data
    expect(proven).toBe(16)
    expect(lost).toEqual([
      {file: path('gone.csv'), is: 'gone'},
      {file: path('changed.csv'), is: 'changed'},
      {file: path('again.csv'), is: 'changed'},
    ])
    expect([days[2], days[4]]).toEqual([
      {day: '2024-02-03', state: 'proven', file: 'gone'},
      {day: '2024-02-05', state: 'proven'},
    ])
  })

  test('is compared with what the service says now: added, changed and removed records', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 100})
    const {store} = sandbox
    const [changed, removed, extended] = store
      .read('batch')
      .slice(-20)
      .map(({id}) => String(id))
    await run([...report, '--start', '-119d', '--end', '-1h', '--output-file', 'a.csv'])
    const before = readdirSync(join(home.state, 'exports'))
    const same = await run(['reports', 'verify', 'a.csv', '--full'])
    addBatch(sandbox, 'B900002', Date.now() - 5 * 86_400_000)
    store.database.run(`UPDATE batch SET json = json_set(json, '$.siteName', 'New') WHERE id = ${changed?.slice(1)}`)
    store.database.run(`UPDATE batch SET json = json_set(json, '$.brandNew', 1) WHERE id = ${extended?.slice(1)}`)
    store.remove('batch', Number(removed?.slice(1)))

    const verified = await run(['reports', 'verify', 'a.csv', '--full'])
    const changes = await run(['reports', 'changes', 'a.csv', '--json'])
    const offline = await run(['reports', 'verify', 'a.csv.manifest.json'])

    expect(same).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('records compared: no differences'),
    })
    expect(verified).toMatchObject({exitCode: 10, stderr: expect.stringContaining('3 differ from a.csv')})
    expect(verified.stderr).toContain('See all of them with: vendorctl reports changes a.csv\n')
    const {data} = JSON.parse(changes.stdout)
    expect(data).toMatchObject({added: 1, changed: 1, removed: 1})
    expect(data.changes).toEqual(
      expect.arrayContaining([
        {id: 'B900002', change: 'added'},
        {id: changed, change: 'changed'},
        {id: removed, change: 'removed'},
      ]),
    )
    expect(readdirSync(join(home.state, 'exports'))).toEqual(before)
    expect(offline).toMatchObject({exitCode: 0, stdout: expect.stringContaining('Matches its manifest')})

    appendFileSync(join(home.path, 'a.csv'), 'x')
    const damaged = await run(['reports', 'changes', 'a.csv'])
    expect(damaged).toMatchObject({exitCode: 10, stdout: '', stderr: expect.stringContaining('but its manifest lists')})
    expect(damaged.stderr).not.toContain('since it was exported')
  })
})
