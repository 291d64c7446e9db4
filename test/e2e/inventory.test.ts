import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {type Adjustment, setAdjustments} from '../support/adjustments.js'
import {type Home, requestsOf, test} from '../support/binary.js'

const day = 86_400_000
const report = ['reports', 'inventory']
const text = (time: number) => new Date(time).toISOString().slice(0, 19)
/** A fixed range in the past that needs four windows. */
const [first, last] = [Date.now() - 118 * day, Date.now() - 2 * day]
const past = ['--start', text(first), '--end', text(last)]
const all = {from: first + 1_000, to: last - 1_000}
const pagesOf = (sandbox: Sandbox) => requestsOf(sandbox)['reports.inventory'] ?? 0
const linesOf = (text: string) => text.split('\n').filter(Boolean)
const idsOf = (text: string) => linesOf(text).map((line) => (JSON.parse(line) as {id: string}).id)
const idsIn = ({path}: Home, file: string) => idsOf(readFileSync(join(path, file), 'utf8'))
const ids = (added: readonly Adjustment[]) => added.map(({id}) => id)
const sorted = (texts: readonly string[]) => [...texts].sort()

/** Another change of stock, at a time. */
function addAdjustment({store, add}: Sandbox, id: string, at: number): void {
  const [known = {}] = store.read('adjustment')
  add('adjustment', {...known, id, adjustmentOccurredAt: new Date(at).toISOString().slice(0, -1)})
}

describe.concurrent('the inventory report', () => {
  test('on standard output is read in windows, each adjustment once, numbers stay texts', async ({run, sandbox}) => {
    setAdjustments(sandbox, {count: 450, ...all})

    const ran = await run([...report, ...past])

    const texts = sandbox.store.database
      .all('SELECT json FROM adjustment')
      .map(({json}) => String(json).replace('"selection":12,', '"selection":"12",'))
    expect(ran.exitCode).toBe(0)
    expect(sorted(linesOf(ran.stdout))).toEqual(sorted(texts))
    expect(ran.stderr).toMatch(/^Reading .*, UTC\.\n/)
    expect(pagesOf(sandbox)).toBe(7)
  })

  test('is narrowed by a machine by its id or its serial, and by conditions', async ({run, sandbox}) => {
    const added = setAdjustments(sandbox, {count: 300, ...all})
    const [machine] = sandbox.store.read('machine') as unknown as {id: number; prose: string}[]
    const ofMachine = ids(added.filter(({machineId}) => machineId === String(machine?.id)))

    const byId = await run([...report, ...past, '--machine', String(machine?.id)])
    const byProse = await run([...report, ...past, '--machine', machine?.prose ?? ''])
    const byHand = await run([...report, ...past, '--where', 'userId!=0', '--columns', 'id,userId', '-o', 'csv'])
    sandbox.faults.set(['strip-get-body@reports.inventory'])
    const unfiltered = await run([...report, ...past, '--machine', machine?.prose ?? ''])

    expect(ofMachine.length).toBeGreaterThan(10)
    expect(idsOf(byId.stdout)).toEqual(ofMachine)
    expect(idsOf(byProse.stdout)).toEqual(ofMachine)
    expect(linesOf(byHand.stdout)).toEqual([
      'id,userId',
      ...added.filter(({userId}) => userId !== 0).map(({id, userId}) => `${id},${userId}`),
    ])
    expect(unfiltered.exitCode).toBe(10)
    expect(unfiltered.stderr).toContain('and served')
  })

  test('of a name goes on an hour before it ended, and takes what is new', async ({run, sandbox, home}) => {
    setAdjustments(sandbox, {count: 300, ...all})
    const nightly = [...report, ...'--since-last stock --output-file a.ndjson --append --start'.split(' '), text(first)]
    const cwd = home.path

    const begun = await run(nightly, {cwd})
    const before = idsIn(home, 'a.ndjson')
    addAdjustment(sandbox, 'B900001', Date.now() - 50 * 60_000)
    addAdjustment(sandbox, 'B900002', Date.now() - 1_000)
    const next = await run(nightly, {cwd})
    const shown = JSON.parse((await run(['exports', 'show', 'stock', '-o', 'json'])).stdout)

    expect([begun, next]).toMatchObject(Array(2).fill({exitCode: 0, stderr: ''}))
    expect(idsIn(home, 'a.ndjson')).toEqual([...before, 'B900001', 'B900002'])
    const {mark, nextFrom, command} = shown[0] ?? shown
    expect(command).toBe('reports inventory')
    expect(Date.parse(`${mark}Z`) - Date.parse(`${nextFrom}Z`)).toBeLessThanOrEqual(3_600_000)
  })

  test('and transactions of one name are kept apart: marks, days and files', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 100})
    const added = setAdjustments(sandbox, {count: 100, ...all})
    const cwd = home.path
    const nightly = (kind: string, file: string) =>
      run(['reports', kind, '--since-last', 'nightly', '--start', '-119d', '--output-file', file], {cwd})
    const provenOf = async (word: string) =>
      JSON.parse((await run(['reports', 'coverage', '--report', word, ...past, '--json'])).stdout).data.proven

    const stock = await nightly('inventory', 'stock.ndjson')
    const before = await provenOf('transactions')
    const sales = await nightly('transactions', 'sales.ndjson')
    const again = await nightly('inventory', 'stock-2.ndjson')
    const shared = await nightly('transactions', 'stock.ndjson')
    const listed = linesOf((await run(['exports', 'list'])).stdout).map((line) => JSON.parse(line))
    const reset = await run(['exports', 'reset', 'nightly', '--to', '-20d', '--yes'])

    expect([stock.exitCode, sales.exitCode, again.exitCode]).toEqual([0, 0, 0])
    expect(sales.stderr).toContain(
      '--since-last nightly was used with another report, service, key, filter or columns before; with these it begins',
    )
    expect([before, await provenOf('inventory')]).toEqual([0, await provenOf('transactions')])
    expect(idsIn(home, 'stock.ndjson')).toEqual(ids(added))
    expect(idsIn(home, 'stock-2.ndjson')).toEqual([])
    expect(shared.exitCode).toBe(2)
    expect(listed.map(({name, command}) => [name, command]).sort()).toEqual([
      ['nightly', 'reports inventory'],
      ['nightly', 'reports transactions'],
    ])
    expect(reset).toMatchObject({exitCode: 2, stderr: expect.stringContaining('reports inventory, profile')})
  })

  test('has days that are proven, holes that are filled, and files by its own name', async ({run, sandbox, home}) => {
    const month = [Date.parse('2024-02-01T00:00:00Z'), Date.parse('2024-03-01T00:00:00Z')] as const
    const added = setAdjustments(sandbox, {count: 290, from: month[0], to: month[1] - 1})
    const cwd = home.path
    await run([...report, '--start', '2024-02-10', '--end', '2024-02-20', '--output-file', 'part.ndjson'], {cwd})
    const words = ['reports', 'coverage', '--report', 'inventory', '--start', '2024-02', '--end', '2024-02']
    const asked = pagesOf(sandbox)

    const looked = await run([...words, '--html', 'days.html'], {cwd})
    const unasked = pagesOf(sandbox) - asked
    const filled = await run([...words, '--fill', '--json'], {cwd})

    expect(looked.stdout).toContain('2024-02  .........###########.........\n')
    expect(readFileSync(join(cwd, 'days.html'), 'utf8')).toContain('--report inventory')
    expect(unasked).toBe(0)
    const written = ['inventory-2024-02-01-2024-02-09.csv', 'inventory-2024-02-21-2024-02-29.csv']
    expect(JSON.parse(filled.stdout).data).toMatchObject({proven: 29, unread: 0, holes: [], written})
    const rows = written.flatMap((name) => linesOf(readFileSync(join(cwd, name), 'utf8')).slice(1))
    expect(rows.length + idsIn(home, 'part.ndjson').length).toBe(added.length)
  })

  test.for(['status(404)', 'status(403,{"message":"Missing Authentication Token"})'])(
    'that is not there is read elsewhere by the command that the message names: %s',
    async (fault, {run, sandbox, home}) => {
      setAdjustments(sandbox, {count: 3, ...all})
      const advice = /at (\/reports\/inventory-adjustments); to read it there: vendorctl (profiles set .*)\n/
      sandbox.faults.set([`${fault}@reports.inventory`])

      const missing = await run([...report, ...past])
      const [, path, command = ''] = advice.exec(missing.stderr) ?? []
      sandbox.faults.clear()
      const set = await run(command.split(' '))
      const there = await run([...report, ...past, '--log-http', 'http.ndjson'])

      expect([missing.exitCode === 0, path]).toEqual([false, '/reports/inventory-adjustments'])
      expect(set.exitCode).toBe(0)
      expect(idsOf(there.stdout)).toHaveLength(3)
      expect(readFileSync(join(home.path, 'http.ndjson'), 'utf8')).toContain(path)
    },
  )
})
