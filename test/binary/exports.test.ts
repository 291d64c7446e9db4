import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Home, requestsOf, type Service, test} from '../support/binary.js'

type Batch = {id: string; recordedAtUtc: string; lineItems: {id: number}[]}

const day = 86_400_000
const text = (time: number) => new Date(time).toISOString().slice(0, 19)
/** A fixed range in the past that needs four windows. */
const past = ['--start', text(Date.now() - 118 * day), '--end', text(Date.now() - 2 * day)]
const report = (file: string, ...words: string[]) => [
  'reports',
  'transactions',
  ...past,
  '--output-file',
  file,
  ...words,
]
const manifestOf = (home: Home, file: string) =>
  JSON.parse(readFileSync(join(home.path, `${file}.manifest.json`), 'utf8'))
const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const idsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as Batch).id)
const batchesOf = ({store}: Sandbox) => (store.read('batch') as unknown as Batch[]).map(({id}) => id)
const stateOf = (home: Home) => readdirSync(join(home.state, 'exports')).filter((name) => name.endsWith('.db'))
const pagesOf = (sandbox: Sandbox) => requestsOf(sandbox)['reports.transactions'] ?? 0

/** Fails the page requests from the nth on, so that a run stops where a test wants it. */
const stopAt = ({sandbox}: Service, nth: number) => sandbox.faults.set([`status(403)@reports.transactions#${nth}-`])

describe.concurrent('an export', () => {
  test('has its manifest beside it, and its requests are pages, one login and seams', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 400})
    const cwd = home.path

    const ran = await run(report('a.csv', '--page-size', '60', '--json'), {cwd})

    const manifest = manifestOf(home, 'a.csv')
    const bytes = readFileSync(join(cwd, 'a.csv'))
    expect(ran.exitCode).toBe(0)
    expect(manifest).toMatchObject({
      schema: 'vendorctl-manifest/1',
      file: 'a.csv',
      bytes: bytes.length,
      digest: `sha256:${digestOf(join(cwd, 'a.csv'))}`,
      rows: parse(bytes).length - 1,
      grade: 'B',
      timeBasis: 'local',
      stage: 'v2.1',
      drift: [],
    })
    expect(manifest.windows).toHaveLength(4)
    expect(manifest.pages).toBe(manifest.requests.pages)
    expect(pagesOf(sandbox)).toBe(manifest.requests.pages + manifest.requests.probes)
    expect(requestsOf(sandbox)['auth.login']).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: true, data: {...manifest, file: 'a.csv'}})
    expect(readdirSync(cwd).filter((name) => name.includes('part'))).toEqual([])
    expect(stateOf(home)).toEqual([])
  })

  test('goes on where it was stopped, and ends in the same bytes', async ({start, home}) => {
    const service = await start({batches: 400})
    const {run, sandbox} = service
    const cwd = home.path
    await run(report('whole.csv', '--page-size', '40'), {cwd})
    stopAt(service, 9)

    const stopped = await run(report('a.csv', '--page-size', '40'), {cwd})
    const kept = statSync(join(cwd, 'a.csv.part')).size
    sandbox.faults.clear()
    const resumed = await run(report('a.csv', '--page-size', '40', '--pages-in-flight', '1'), {cwd})

    expect(stopped.exitCode).toBe(4)
    expect(stopped.stderr).toMatch(/a\.csv\.part holds \d+ rows; the same command goes on/)
    expect(kept).toBeGreaterThan(1_000)
    expect(resumed).toMatchObject({exitCode: 0, stderr: expect.stringContaining('Going on with a.csv')})
    expect(digestOf(join(cwd, 'a.csv'))).toBe(digestOf(join(cwd, 'whole.csv')))
    expect(existsSync(join(cwd, 'a.csv.part'))).toBe(false)
  })

  test('that is whole is not read again, until --fresh', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 60})
    const cwd = home.path
    await run(report('a.csv'), {cwd})
    const before = pagesOf(sandbox)

    const again = await run(report('a.csv'), {cwd})
    const afterAgain = pagesOf(sandbox)
    const fresh = await run(report('a.csv', '--fresh', '--overwrite'), {cwd})

    expect(again).toMatchObject({exitCode: 0, stderr: expect.stringContaining('complete already')})
    expect(afterAgain).toBe(before)
    expect(fresh.exitCode).toBe(0)
    expect(pagesOf(sandbox)).toBe(before * 2)
  })

  test('that was changed since, or asks for something else, is not taken for whole', async ({start, home}) => {
    const {run} = await start({batches: 60})
    const cwd = home.path
    await run(report('a.csv'), {cwd})

    const other = await run(report('a.csv', '--rows', 'batches'), {cwd})
    writeFileSync(join(cwd, 'a.csv'), 'changed')
    const changed = await run(report('a.csv'), {cwd})

    expect(other).toMatchObject({exitCode: 2, stderr: expect.stringContaining('exists already')})
    expect(changed).toMatchObject({exitCode: 2, stderr: expect.stringContaining('exists already')})
  })

  test('of another range than the unfinished one begins anew, and says so', async ({start, home}) => {
    const service = await start({batches: 300})
    const {run, sandbox} = service
    const cwd = home.path
    stopAt(service, 5)
    await run(report('a.csv', '--page-size', '20'), {cwd})
    sandbox.faults.clear()

    const ran = await run(report('a.csv', '--rows', 'batches'), {cwd})

    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toContain('The unfinished export to a.csv had another rows')
    expect(manifestOf(home, 'a.csv').rows).toBe(manifestOf(home, 'a.csv').batches)
  })

  test('whose unfinished file was cut short or changed is refused, and --fresh starts over', async ({start, home}) => {
    const service = await start({batches: 300})
    const {run, sandbox} = service
    const cwd = home.path
    const part = join(cwd, 'a.ndjson.part')
    stopAt(service, 6)
    await run(report('a.ndjson', '--page-size', '20'), {cwd})
    sandbox.faults.clear()
    const bytes = readFileSync(part)
    truncateSync(part, bytes.length - 1)

    const short = await run(report('a.ndjson', '--page-size', '20'), {cwd})
    writeFileSync(part, Buffer.concat([bytes.subarray(0, -9), Buffer.from('x'.repeat(9))]))
    const changed = await run(report('a.ndjson', '--page-size', '20'), {cwd})
    const fresh = await run(report('a.ndjson', '--page-size', '20', '--fresh'), {cwd})

    expect(short).toMatchObject({exitCode: 12, stderr: expect.stringContaining('--fresh')})
    expect(changed).toMatchObject({exitCode: 12, stderr: expect.stringContaining('was changed')})
    expect(fresh.exitCode).toBe(0)
    expect(new Set(idsOf(join(cwd, 'a.ndjson'))).size).toBe(manifestOf(home, 'a.ndjson').batches)
  })

  test('is written by one run at a time', async ({start, home}) => {
    const {run, begin, sandbox} = await start({batches: 60, faults: ['stall-headers@reports.transactions#1']})
    const cwd = home.path
    const first = begin(report('a.csv'), {cwd})
    await expect.poll(() => pagesOf(sandbox), {timeout: 10_000}).toBe(1)

    const second = await run(report('./a.csv'), {cwd})
    first.child.kill('SIGKILL')
    await first.ended

    expect(second).toMatchObject({exitCode: 13, stderr: expect.stringContaining('Another run is writing')})
  })

  test('that is stopped by a signal keeps what it has', async ({start, home}) => {
    const {begin, run, sandbox} = await start({batches: 300, faults: ['stall-headers@reports.transactions#7']})
    const cwd = home.path
    const running = begin(report('a.json.gz', '--page-size', '20', '--pages-in-flight', '1'), {cwd})
    await expect.poll(() => pagesOf(sandbox), {timeout: 10_000}).toBe(7)

    running.child.kill('SIGINT')
    const stopped = await running.ended
    sandbox.faults.clear()
    const resumed = await run(report('a.json.gz', '--page-size', '20'), {cwd})

    expect(stopped).toMatchObject({exitCode: 130, stderr: expect.stringContaining('the same command goes on')})
    expect(resumed.exitCode).toBe(0)
    const batches = JSON.parse(gunzipSync(readFileSync(join(cwd, 'a.json.gz'))).toString()) as Batch[]
    expect(batches).toHaveLength(manifestOf(home, 'a.json.gz').batches)
  })

  test('stops at --max-requests with exit 8 and goes on', async ({start, home}) => {
    const {run} = await start({batches: 300})
    const cwd = home.path

    const stopped = await run(report('a.csv', '--page-size', '20', '--max-requests', '9'), {cwd})
    const resumed = await run(report('a.csv', '--page-size', '20'), {cwd})

    expect(stopped.exitCode).toBe(8)
    expect(resumed).toMatchObject({exitCode: 0, stderr: expect.stringContaining('Going on')})
  })

  test('that cannot fit within the day says so, with three ways out', async ({start, home}) => {
    const {run} = await start({batches: 300})
    const cwd = home.path
    const environment = {VENDORCTL_DAILY_QUOTA: '20'}

    const ran = await run(report('a.csv', '--page-size', '5'), {cwd, environment})

    expect(ran.exitCode).toBe(8)
    for (const way of ['--until-quota', '--spread DAYS', 'narrow']) expect(ran.stderr).toContain(way)
  })

  test('of a condition holds only what matches, also after a stop', async ({start, home}) => {
    const service = await start({batches: 300})
    const {run, sandbox} = service
    const cwd = home.path
    const where = ['--where', 'lineItem.quantity=2', '--page-size', '30']
    await run(report('whole.json', ...where, '--rows', 'lines'), {cwd})
    stopAt(service, 6)
    await run(report('a.json', ...where, '--rows', 'lines'), {cwd})
    sandbox.faults.clear()

    const ran = await run(report('a.json', ...where, '--rows', 'lines'), {cwd})

    expect(ran.exitCode).toBe(0)
    const rows = JSON.parse(readFileSync(join(cwd, 'a.json'), 'utf8')) as {lineItem: {quantity: number}}[]
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.every(({lineItem}) => lineItem.quantity === 2)).toBe(true)
    expect(digestOf(join(cwd, 'a.json'))).toBe(digestOf(join(cwd, 'whole.json')))
  })

  test('flags of exports without a file are refused', async ({start}) => {
    const {run} = await start()

    const ran = await run(['reports', 'transactions', '--start', '-3d', '--gzip'])

    expect(ran).toMatchObject({exitCode: 2, stderr: expect.stringContaining('--gzip needs an export')})
  })
})

describe.concurrent('records that come and go between pages', () => {
  test('deletes that nothing shows are found at a seam, and what is still there is there once', async ({
    start,
    home,
  }) => {
    const {run, sandbox} = await start({batches: 300, faults: ['mutate(0,1)@reports.transactions#5']})
    const cwd = home.path

    const ran = await run(report('a.ndjson', '--page-size', '20', '--pages-in-flight', '1'), {cwd})

    const manifest = manifestOf(home, 'a.ndjson')
    const ids = idsOf(join(cwd, 'a.ndjson'))
    expect(ran.exitCode).toBe(0)
    expect(manifest.drift.length).toBeGreaterThan(0)
    expect(['A', 'B']).toContain(manifest.grade)
    expect(new Set(ids).size).toBe(ids.length)
    const range = manifest.range.asked
    expect(batchesOf(sandbox).length).toBeGreaterThan(200)
    const now = await run([...report('b.ndjson'), '--page-size', '2000'], {cwd})
    expect(now.exitCode, range.join()).toBe(0)
    expect(idsOf(join(cwd, 'b.ndjson')).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('without probes a report that drifted is read in narrower windows, or says what it did not prove', async ({
    start,
    home,
  }) => {
    const {run} = await start({batches: 300})
    const cwd = home.path

    const ran = await run(report('a.csv', '--page-size', '30', '--no-seam-probes'), {cwd})
    const strict = await run(report('b.csv', '--page-size', '30', '--no-seam-probes', '--require-grade', 'B'), {cwd})

    expect(ran.exitCode).toBe(0)
    expect(manifestOf(home, 'a.csv')).toMatchObject({grade: 'C', requests: {probes: 0}})
    expect(strict.exitCode).toBe(10)
    expect(existsSync(join(cwd, 'b.csv'))).toBe(false)
    expect(strict.stderr).toContain('proved grade C, and --require-grade asks for B')
  })

  test('data that never holds still is not called whole', async ({start, home}) => {
    const {run} = await start({batches: 500, faults: ['shuffle@reports.transactions']})
    const cwd = home.path
    const range = ['--start', text(Date.now() - 60 * day), '--end', text(Date.now() - 60 * day + 5_000_000)]
    const words = ['reports', 'transactions', ...range, '--output-file', 'a.csv', '--page-size', '1']

    const ran = await run([...words, '--json'], {cwd})

    const {data} = JSON.parse(ran.stdout)
    if (ran.exitCode === 0) expect(['A', 'B', 'C']).toContain(data.grade)
    else expect(ran).toMatchObject({exitCode: 10})
  })

  test('--require-grade A takes windows that one answer holds', async ({start, home}) => {
    const {run} = await start({batches: 400})
    const cwd = home.path

    const ran = await run(report('a.csv', '--page-size', '60', '--require-grade', 'A'), {cwd})

    const {grade, windows} = manifestOf(home, 'a.csv')
    expect(ran.exitCode).toBe(0)
    expect(grade).toBe('A')
    expect(
      windows
        .filter((one: {grade: string | null}) => one.grade !== null)
        .every((one: {pages: number}) => one.pages === 1),
    ).toBe(true)
  })
})
