import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {setAdjustments} from '../support/adjustments.js'
import {failureOf} from '../support/client.js'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'
import {recordsIn} from '../support/ndjson.js'

const report = 'reports.inventory'
/** Four windows. */
const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}
const all = {from: Date.parse('2024-04-03T00:00:00Z'), to: Date.parse('2024-07-28T00:00:00Z')}
const recordsOf = recordsIn<{id: string; adjustmentOccurredAt: string}>
type FiveTexts = [string, string, string, string, string]
const idsOf = (path: string) => recordsOf(path).map(({id}) => id)
const pagesOf = (sandbox: Sandbox) => sandbox.requests()[report]?.['200'] ?? 0

describe('an export of the inventory report', () => {
  test('believes pages of 100 where 2000 are asked for, and checks their boundaries', async ({folder, start}) => {
    const sandbox = await start()
    const added = setAdjustments(sandbox, {count: 1_050, ...all})
    const path = join(folder, 'a.ndjson')

    const {kind, manifest} = await exportHere({report, sandbox, ...range, path, flags: {'page-size': 2_000}})

    expect(kind).toBe('written')
    expect(new Set(idsOf(path))).toEqual(new Set(added.map(({id}) => id)))
    expect(idsOf(path)).toHaveLength(1_050)
    expect(manifest).toMatchObject({report, rowsAre: 'records', timeBasis: 'utc', rows: 1_050, batches: 1_050})
    expect(manifest).toMatchObject({grade: 'B', pages: 12, requests: {pages: 12, probes: 8}})
    expect(manifest.windows.map(({pages, seams}) => [pages, seams.proven])).toEqual([
      [3, 2],
      [3, 2],
      [3, 2],
      [3, 2],
    ])
  })

  test('is asked for UTC, without a wider range, and holds its first and its last moment', async ({folder, start}) => {
    const sandbox = await start()
    setAdjustments(sandbox, {count: 200, ...all})
    const path = join(folder, 'a.ndjson')
    const day = {start: '2024-07-04T00:00:00', end: '2024-07-04T23:59:59.999'}
    for (const [place, at] of ['03T23:59:59.999', '04T00:00:00', '04T23:59:59.999', '05T00:00:00'].entries()) {
      const machineId = String(sandbox.store.read('machine')[0]?.['id'])
      sandbox.add('adjustment', {id: `B${90_000 + place}`, machineId, adjustmentOccurredAt: `2024-07-${at}`})
    }

    const {manifest} = await exportHere({report, sandbox, ...day, path})

    const times = recordsOf(path).map(({adjustmentOccurredAt}) => adjustmentOccurredAt)
    expect(times.filter((time) => !time.startsWith('2024-07-04'))).toEqual([])
    expect(times).toEqual(expect.arrayContaining(['2024-07-04T00:00:00', '2024-07-04T23:59:59.999']))
    expect(manifest.windows).toMatchObject([{asked: [day.start, day.end]}])
  })

  test('has a row for each adjustment, every cell as the service sent it', async ({folder, start}) => {
    const sandbox = await start()
    const added = setAdjustments(sandbox, {count: 120, ...all})
    const names = ['a.csv', 'b.csv.gz', 'c.tsv', 'd.json', 'e.ndjson']
    const [csv, zipped, tsv, json, ndjson] = names.map((name) => join(folder, name)) as FiveTexts

    for (const path of [csv, zipped, tsv, json, ndjson]) await exportHere({report, sandbox, ...range, path})

    const rows = parse(readFileSync(csv), {columns: true}) as Record<string, string>[]
    const cells = added.map((record) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value ?? '')])),
    )
    expect(rows).toEqual(cells)
    expect(gunzipSync(readFileSync(zipped)).equals(readFileSync(csv))).toBe(true)
    expect(parse(readFileSync(tsv), {columns: true, delimiter: '\t'})).toEqual(cells)
    expect(recordsOf(ndjson)).toEqual(added.map((record) => ({...record, selection: String(record.selection)})))
    expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(recordsOf(ndjson))
  })

  test('is read in shorter windows where less is served', async ({folder, start}) => {
    const sandbox = await start({faults: [`clamp(5)@${report}`]})
    setAdjustments(sandbox, {count: 300, ...all})
    const path = join(folder, 'a.ndjson')
    const longest: number[] = []

    const {manifest} = await exportHere({
      ...{report, sandbox, ...range, path},
      on: (event) => {
        if (event.kind === 'clamp') longest.push(event.longest)
      },
    })

    expect(new Set(idsOf(path)).size).toBe(300)
    expect(longest).toEqual([5 * 86_400_000])
    expect(manifest.windows.length).toBe(24)
  })

  test('and one of transactions do not go on in one file', async ({folder, start}) => {
    const sandbox = await start({batches: 100})
    setAdjustments(sandbox, {count: 400, ...all})
    const path = join(folder, 'a.ndjson')
    sandbox.faults.set([`status(403)@${report}#3-`])
    await failureOf(exportHere({report, sandbox, ...range, path}))
    sandbox.faults.clear()
    const before = pagesOf(sandbox)

    const refused = await failureOf(exportHere({sandbox, ...range, path}))
    await exportHere({report, sandbox, ...range, path})
    const appended = await failureOf(
      exportHere({
        ...{sandbox, path, start: '2024-07-28T00:00:01', end: '2024-07-29T00:00:00'},
        options: {append: true},
      }),
    )

    expect(refused).toMatchObject({code: 'OTHER_EXPORT', exit: 'usage'})
    expect(refused.message).toContain('rows of an unfinished export with another report.')
    expect(pagesOf(sandbox)).toBeGreaterThan(before)
    expect(appended).toMatchObject({code: 'APPEND', exit: 'usage'})
    expect(appended.message).toBe(`--append: cannot append to ${path}: it contains the inventory report`)
  })
})
