import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'
import {recordsIn} from '../support/ndjson.js'

const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}
const day = 86_400_000
const idsOf = (path: string) => recordsIn<{id: string}>(path).map(({id}) => id)

test('deletes that nothing shows are found at a boundary, and what is left is there once', async ({folder, start}) => {
  const sandbox = await start({batches: 200, faults: ['mutate(0,1)@reports.transactions#5']})
  const [path, after] = [join(folder, 'a.ndjson'), join(folder, 'after.ndjson')]

  const {manifest} = await exportHere({sandbox, ...range, path, flags: {'page-size': 12, 'pages-in-flight': 1}})

  await exportHere({sandbox, ...range, path: after})
  const ids = idsOf(path)
  expect(manifest.drift.length).toBeGreaterThan(0)
  expect(['A', 'B']).toContain(manifest.grade)
  expect(new Set(ids).size).toBe(ids.length)
  expect(idsOf(after).filter((id) => !ids.includes(id))).toEqual([])
})

test('without a look at the boundaries nothing is proven, and a required grade is missed', async ({folder, start}) => {
  const sandbox = await start({batches: 120})
  const flags = {'page-size': 12, 'no-boundary-checks': true} as const
  const [path, strict] = [join(folder, 'a.csv'), join(folder, 'b.csv')]

  const usual = await exportHere({sandbox, ...range, path, flags})
  const missed = await exportHere({sandbox, ...range, path: strict, flags: {...flags, 'require-grade': 'B'}})
  const looking = {...flags, 'no-boundary-checks': false, 'require-grade': 'B'} as const
  const goneOn = await exportHere({sandbox, ...range, path: strict, flags: looking})

  expect(usual).toMatchObject({kind: 'written', manifest: {grade: 'C', requests: {probes: 0}}})
  expect(missed).toMatchObject({kind: 'incomplete', errors: [{code: 'GRADE', exit: 10}]})
  expect(missed.errors?.[0]?.hint).toMatch(/start over: .*--fresh$/)
  expect(goneOn).toMatchObject({kind: 'incomplete', errors: [{code: 'GRADE', hint: expect.stringMatching(/--fresh$/)}]})
  expect(existsSync(strict)).toBe(false)
  const begunAnew = await exportHere({sandbox, ...range, path: strict, flags: {...looking, fresh: true}})
  expect(begunAnew).toMatchObject({kind: 'written', manifest: {grade: 'B'}})
})

test('where the service serves no page across a boundary, narrower windows prove what starting over does not', async ({
  folder,
  start,
}) => {
  const sandbox = await start({batches: 20, faults: ['page-ceiling(1)@reports.transactions']})
  const path = join(folder, 'a.csv')

  const missed = await exportHere({sandbox, ...range, path, flags: {'require-grade': 'B'}})
  const proven = await exportHere({sandbox, ...range, path, flags: {'require-grade': 'A', fresh: true}})

  expect(missed.errors?.[0]?.hint).toMatch(/could be proven.*windows of one page each: .*--fresh$/)
  expect(proven).toMatchObject({kind: 'written', manifest: {grade: 'A'}})
})

test('grade A takes windows that one answer holds, and begins the next one as short', async ({folder, start}) => {
  const sandbox = await start({batches: 500})
  const [path, usual] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')]

  const {manifest} = await exportHere({sandbox, ...range, path, flags: {'page-size': 30, 'require-grade': 'A'}})

  await exportHere({sandbox, ...range, path: usual})
  const read = manifest.windows.filter(({grade}) => grade !== null)
  const days = manifest.windows.map(({asked: [from, to]}) => (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / day)
  expect(manifest.grade).toBe('A')
  expect(days.slice(0, 7)).toEqual([31, ...Array(6).fill(31 / 6)])
  expect(days[7]).toBeLessThan(31 / 2)
  expect(read.every(({pages}) => pages <= 1)).toBe(true)
  expect(idsOf(path).sort()).toEqual(idsOf(usual).sort())
})

test('a second with more than one answer holds does not make every other window short', async ({folder, start}) => {
  const sandbox = await start({batches: 30})
  const [last] = sandbox.store.read('batch').slice(-1)
  for (let index = 0; index < 40; index++) {
    sandbox.add('batch', {...last, id: `B${9_000_000 + index}`, recordedAtUtc: '2024-05-15T12:00:00'})
  }
  const path = join(folder, 'a.ndjson')

  const {manifest} = await exportHere({sandbox, ...range, path, flags: {'page-size': 15, 'require-grade': 'A'}})

  expect(manifest.grade).toBe('B')
  expect(manifest.windows.length).toBeLessThan(150)
  expect(manifest.batches).toBeGreaterThan(60)
})

test('what never held still has no name, and the same command reads it again once it does', async ({folder, start}) => {
  const sandbox = await start({batches: 30})
  const [last] = sandbox.store.read('batch').slice(-1)
  for (let index = 0; index < 40; index++) {
    sandbox.add('batch', {...last, id: `B${9_000_000 + index}`, recordedAtUtc: '2024-05-15T12:00:00'})
  }
  const [path, usual] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')]
  const given = {sandbox, ...range, path, flags: {'page-size': 15}}
  sandbox.faults.set(['shuffle@reports.transactions'])

  const moving = await exportHere(given)
  sandbox.faults.clear()
  const still = await exportHere(given)

  await exportHere({sandbox, ...range, path: usual})
  expect(moving).toMatchObject({kind: 'incomplete', manifest: {grade: 'D'}, errors: [{code: 'DRIFT', exit: 10}]})
  expect(still).toMatchObject({kind: 'written', manifest: {grade: 'B'}})
  expect(idsOf(path).sort()).toEqual(idsOf(usual).sort())
})
