import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import type {ExportEngine} from '../../../src/reports/export/export-types.js'
import type {Manifest} from '../../../src/reports/export/manifest.js'
import {compareExport} from '../../../src/reports/verify/compare-export.js'
import {startSandbox} from '../../../src/sandbox/server.js'
import {createEngine, exportHere} from '../../support/export.js'
import {test} from '../../support/folder.js'

test('a file that cannot be opened leaves no folder behind', async ({folder}) => {
  const engine = {folder: join(folder, 'exports')} as ExportEngine
  const manifest = {where: [], range: {asked: ['2024-01-01T00:00:00', '2024-01-02T00:00:00']}} as unknown
  const comparison = compareExport(join(folder, 'none.csv'), manifest as Manifest, {engine, share: 1, random: () => 0})

  await expect(comparison.next()).rejects.toThrow('none.csv')

  expect(existsSync(engine.folder) ? readdirSync(engine.folder) : []).toEqual([])
})

test('a share of a file is compared in parts of its range, by chance', async ({folder, onTestFinished}) => {
  const sandbox = await startSandbox({batches: 300, limits: false})
  onTestFinished(() => sandbox.close())
  const {store} = sandbox
  const path = join(folder, 'a.csv')
  const batches = store.read('batch').map(({id, recordedAtUtc}) => ({id: String(id), at: String(recordedAtUtc)}))
  const [start = '', end = ''] = [batches[0]?.at, batches.at(-1)?.at]
  const {manifest} = await exportHere({sandbox, path, start, end, flags: {'time-basis': 'utc'}})
  const engine = createEngine({sandbox, path})
  const compare = async (share: number, random: () => number) => {
    const comparison = compareExport(path, manifest, {engine, share, random})
    for (let next = await comparison.next(); ; next = await comparison.next()) if (next.done) return next.value
  }
  const isRead = ({at}: {at: string}) => last.ranges.some(([from, to]) => at >= from && at <= to)
  let drawn = 0
  const backwards = () => 1 - drawn++ / 1_000

  const last = await compare(0.1, backwards)
  const one = await compare(0.0001, () => 0)
  const [first, changed, gone] = [batches[0], ...batches.filter(isRead)].map((batch) => batch?.id.slice(1))
  const name = `json_set(json, '$.siteName', 'New')`
  store.database.run(`UPDATE batch SET json = ${name} WHERE id IN (${first}, ${changed})`)
  store.remove('batch', Number(gone))
  drawn = 0
  const after = await compare(0.1, backwards)

  expect(last).toMatchObject({changes: [], errors: [], compared: batches.filter(isRead).length})
  expect(last.ranges).toHaveLength(10)
  expect(last.ranges.at(-1)?.[1]).toBe(end)
  expect(one.ranges).toEqual([[start, expect.any(String)]])
  expect(after.changes).toEqual([{id: `B${changed}`, change: 'changed'}])
})
