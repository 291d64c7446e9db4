import {readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, patience, requestsOf, type Service, test} from '../support/binary.js'
import {recordsIn} from '../support/ndjson.js'
import {sharedPostgres, startPostgres} from '../support/postgres.js'

const nightly = ['reports', 'transactions', '--since-last', 'nightly', '--start', '-20d']
const toFile = (file: string, size = 50) => [...nightly, '--output-file', file, '--page-size', String(size)]

/** What makes a run one of another machine. */
const machine = (home: Home, name: string, url: string) => ({
  environment: {VENDORCTL_BUDGET: url, XDG_STATE_HOME: join(home.path, `state-${name}`)},
})
const idsOf = ({path}: Home) =>
  readdirSync(path)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => recordsIn<{id: string}>(join(path, name)))
    .map(({id}) => id)
const pagesOf = ({sandbox}: Service) => requestsOf(sandbox)['reports.transactions'] ?? 0

describe.concurrent('with a shared budget, the marks of --since-last', () => {
  test('start no new file to append to where another machine has the file', async ({start, home}) => {
    const url = await (await sharedPostgres()).database()
    const {run} = await start({batches: 100})
    const [one, other] = [machine(home, 'one', url), machine(home, 'other', url)]
    await run([...toFile('all.ndjson'), '--append'], one)

    const elsewhere = await run([...toFile('new.ndjson'), '--append'], other)
    const there = await run([...toFile('all.ndjson'), '--append'], other)

    expect([elsewhere, there].map(({exitCode}) => exitCode)).toEqual([2, 0])
    expect(elsewhere.stderr).toMatch(/cannot append to .*new\.ndjson: it is not on this machine; \S+ ran the name last/)
    expect(readdirSync(home.path).filter((name) => name.startsWith('new'))).toEqual([])
  })

  test('are those of all machines; one of them reads at a time and is named', async ({start, home}) => {
    const url = await (await sharedPostgres()).database()
    const service = await start({batches: 1_200, faults: ['stall-headers@reports.transactions#4-']})
    const {run, begin, sandbox} = service
    const [one, other] = [machine(home, 'one', url), machine(home, 'other', url)]
    const running = begin(toFile('a.ndjson'), one)
    await expect.poll(() => pagesOf(service), patience).toBeGreaterThan(3)

    const refused = await run(toFile('b.ndjson'), other)
    const seen = await run(['exports', 'list'], other)
    const reset = await run(['exports', 'reset', 'nightly', '--to', '-1d', '--yes'], other)
    running.child.kill('SIGKILL')
    await running.ended
    sandbox.faults.clear()
    const read = await run(toFile('b.ndjson'), other)
    const late = await run(toFile('a.ndjson'), one)
    const shown = await run(['exports', 'list'], one)
    const covered = await run(['reports', 'coverage', '--json'], machine(home, 'third', url))
    const found = idsOf(home)
    const back = await run(['exports', 'reset', 'nightly', '--to', '-3d', '--yes'], one)
    const again = await run(toFile('c.ndjson'), other)

    expect([refused, reset, read, late, back, again].map(({exitCode}) => exitCode)).toEqual([13, 13, 0, 0, 0, 0])
    const holder = new RegExp(
      `^.* on \\S+ \\(pid ${running.child.pid}, since .*: vendorctl reports transactions\\)`,
      'm',
    )
    for (const {stderr} of [refused, reset]) expect(stderr).toMatch(holder)
    expect(JSON.parse(seen.stdout)).toMatchObject({state: 'running', holder: expect.stringContaining('(pid ')})
    expect(late.stderr).toContain('is dropped')
    expect(JSON.parse(shown.stdout)).toMatchObject({state: 'done', host: expect.any(String), holder: null})
    expect(JSON.parse(covered.stdout)).toMatchObject({data: {proven: expect.any(Number)}})
    expect(JSON.parse(covered.stdout).data.proven).toBeGreaterThan(15)
    expect(found.length).toBeGreaterThan(100)
    expect(found.length).toBe(new Set(found).size)
    expect(idsOf(home).length).toBeGreaterThan(found.length)
  })

  test('outlive a machine without a disk; a mark that was there is moved by one command', async ({start, home}) => {
    const url = await (await sharedPostgres()).database()
    const service = await start({batches: 600})
    const {run} = service
    const pod = machine(home, 'pod', url)
    const alone = await run(toFile('0.ndjson'), {environment: {XDG_STATE_HOME: join(home.path, 'state-pod')}})

    const refused = await run(toFile('1.ndjson'), pod)
    const listed = await run(['exports', 'list'], pod)
    const shared = await run(['exports', 'share', 'nightly', '--json'], pod)
    const twice = await run(['exports', 'share', 'nightly'], pod)
    const next = await run(toFile('1.ndjson'), pod)
    const pages = pagesOf(service)
    rmSync(join(home.path, 'state-pod'), {recursive: true})
    const asked = ['reports', 'transactions', '--since-last', 'nightly', '--output-file', '2.ndjson', '--estimate']
    const estimated = await run(asked, pod)
    const fresh = await run(toFile('2.ndjson'), pod)

    expect([alone, refused, listed, shared, twice, next, estimated, fresh].map(({exitCode}) => exitCode)).toEqual([
      0, 3, 0, 0, 2, 0, 0, 0,
    ])
    expect(JSON.parse(listed.stdout)).toMatchObject({next: expect.stringContaining('exports share nightly')})
    expect(shared.stderr).toContain('All machines share the mark of nightly from now on')
    expect(JSON.parse(shared.stdout)).toMatchObject({ok: true, data: {name: 'nightly', mark: expect.any(String)}})
    expect(pagesOf(service) - pages).toBeLessThan(pages / 2)
    expect(idsOf(home).length).toBe(new Set(idsOf(home)).size)
  })

  test('do not move while the store is away; the file is recorded later', async ({start, home, onTestFinished}) => {
    const server = await startPostgres()
    onTestFinished(() => server.close())
    const url = await server.database()
    const service = await start({batches: 480})
    const {run, begin} = service
    const one = machine(home, 'one', url)
    const slowly = toFile('a.ndjson', 12)
    const running = begin(slowly, one)
    await expect.poll(() => pagesOf(service), patience).toBeGreaterThan(2)

    await server.kill()
    const cut = await running.ended
    const pages = pagesOf(service)
    const away = await run(slowly, one)
    const unread = pagesOf(service)
    await server.start()
    const recorded = await run(slowly, one)
    const list = await run(['exports', 'list'], one)

    expect([cut.exitCode, away.exitCode, recorded.exitCode]).toEqual([75, 75, 0])
    expect(cut.stderr).toContain('The mark of --since-last nightly is not moved yet; all of ')
    expect(unread).toBe(pages)
    expect(idsOf(home).length).toBe(new Set(idsOf(home)).size)
    expect(JSON.parse(list.stdout)).toMatchObject({state: 'done', mark: expect.any(String)})
  })
})
