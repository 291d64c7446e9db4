import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test as base, describe, expect} from 'vitest'
import {listRuns} from '../../src/activities/what-ran.js'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import {runsFolder, tryLockRun} from '../../src/core/run-id.js'
import {openDatabase} from '../../src/core/sqlite.js'
import {listActivities} from '../../src/reports/register/activities.js'
import {removeActivities} from '../../src/reports/register/start-activity.js'
import {day, first, hour, named, type Sale, startNights} from '../cli/nights.js'

const sales: Sale[] = Array.from({length: 60}, (_, index) => {
  const local = Date.UTC(2024, 1, 20) + index * 2 * hour
  return {id: index + 1, sold: local, local, arrived: local}
})
const unnamed: ExportFlags = {start: '2024-02-20', end: '2024-02-24', 'output-file': 'a.ndjson'}
const kill = {at: 'request', request: 3} as const

type Nights = ReturnType<typeof startNights>

const test = base.extend<{nights: Nights}>({
  nights: async ({onTestFinished}, use) => {
    const nights = startNights(sales)
    onTestFinished(nights.remove)
    await use(nights)
  },
})

const list = ({folder}: Nights, open = false) => [...listRuns(runsFolder(folder), {open}, expect.unreachable)]
const checkpointOf = ({folder}: Nights) => {
  const [name = ''] = readdirSync(join(folder, 'exports')).filter((file) => file.endsWith('.db'))
  return join(folder, 'exports', name)
}

describe('an export in the list of runs', () => {
  test('is unfinished with the rows that are kept, then done under the same id', async ({nights}) => {
    const flags = named('a b.ndjson', {fresh: true, gzip: false, where: ["siteName=Joe's", 'id!=3'], sort: '-id'})
    await nights.run({at: first, flags, kill})
    const [unfinished] = list(nights, true)
    await nights.run({at: first, flags: named('a b.ndjson')})

    const path = nights.path('a b.ndjson')
    expect(unfinished).toMatchObject({
      ...{state: 'unfinished', command: 'reports transactions', file: path, profile: 'default', stage: 'v2.1'},
      ...{started: new Date(first).toISOString().replace('.000', ''), rows: 15, requests: 3},
      next: `Resume it: vendorctl reports transactions --start 2024-02-20 --since-last nightly --output-file '${path}' --where 'siteName=Joe'\\''s' --where 'id!=3' --sort=-id`,
    })
    expect(list(nights, true)).toEqual([])
    expect(list(nights)).toMatchObject([
      {id: unfinished?.['id'], state: 'done', rows: 60, next: 'Nothing is left to do.'},
    ])
  })

  test('that was recorded as done and then killed is there once', async ({nights}) => {
    await nights.run({at: first, flags: named('a.ndjson'), kill: {at: 'after recording'}})
    await nights.run({at: first, flags: named('a.ndjson')})

    expect(list(nights)).toMatchObject([{state: 'done', rows: 60}])
  })

  test('is running while its file is being written, and damaged when its checkpoint is', async ({nights}) => {
    await nights.run({at: first, flags: named('a.ndjson'), kill})
    const checkpoint = checkpointOf(nights)
    const lock = tryLockRun(runsFolder(nights.folder), String(list(nights)[0]?.['id']))

    const running = list(nights, true)
    lock?.release()
    writeFileSync(checkpoint, 'rubbish '.repeat(1_000))

    expect(running).toMatchObject([{state: 'running', next: 'Wait: another process is working on it.'}])
    expect(list(nights, true)).toMatchObject([{state: 'damaged', next: expect.stringMatching(/--fresh$/)}])
  })

  test('that read nothing is none, and one that is done is forgotten after keepRuns', async ({nights}) => {
    await nights.run({at: first, flags: named('a.ndjson'), kill: {at: 'request', request: 0}})
    expect(list(nights)).toEqual([])
    await nights.run({at: first, flags: named('a.ndjson')})
    await nights.run({at: first + 29 * day, flags: named('b.ndjson')})
    const before = list(nights)
    await nights.run({at: first + 31 * day, flags: named('c.ndjson')})

    const namesOf = (runs: typeof before) => runs.map(({file}) => String(file).at(-8))
    expect(namesOf(before)).toEqual(['b', 'a'])
    expect(namesOf(list(nights))).toEqual(['c', 'b'])
  })

  test('that is done can be removed while a later one to its file is unfinished', async ({nights}) => {
    await nights.run({at: first, flags: unnamed})
    await nights.run({at: first + hour, flags: {...unnamed, end: '2024-02-25', overwrite: true}, kill})
    const [, done] = listActivities(nights.folder)

    const removed = removeActivities(nights.folder, done ? [done] : [])

    expect(removed).toEqual([done?.id])
    expect(list(nights)).toMatchObject([{state: 'unfinished'}])
    expect(removeActivities(nights.folder, listActivities(nights.folder))).toHaveLength(1)
    expect(existsSync(nights.path('a.ndjson.part'))).toBe(false)
  })

  test('that is unfinished is never forgotten', async ({nights}) => {
    await nights.run({at: first, flags: unnamed, kill})
    await nights.run({at: first + 99 * day, flags: named('b.ndjson')})

    expect(list(nights)).toMatchObject([{state: 'done'}, {state: 'unfinished'}])
  })

  test('that adds to a file counts its own requests, and the rows of the file', async ({nights}) => {
    for (const at of [first, first + hour]) await nights.run({at, flags: named('all.ndjson', {append: true})})

    expect(list(nights)).toMatchObject([
      {rows: 60, requests: 1},
      {rows: 60, requests: 12},
    ])
  })

  test('of before there were ids gets one when it goes on', async ({nights}) => {
    await nights.run({at: first, flags: named('a.ndjson'), kill})
    const register = openDatabase(join(nights.folder, 'exports.db'))
    register.exec('DROP TABLE activity')
    register.close()

    const before = list(nights)
    await nights.run({at: first, flags: named('a.ndjson')})

    expect(before).toEqual([])
    expect(list(nights)).toMatchObject([{state: 'done', rows: 60}])
  })

  test('begins anew where another command writes to its file, and is named before', async ({nights}) => {
    await nights.run({at: first, flags: {...unnamed, end: '2024-02-25'}, kill})
    const before = list(nights)

    const refused = nights.run({at: first + hour, flags: unnamed, kill})
    await expect(refused).rejects.toMatchObject({
      hints: [
        expect.stringContaining(String(before[0]?.['next'])),
        expect.stringMatching(/ --end 2024-02-24 .* --fresh$/),
      ],
    })
    await nights.run({at: first + hour, flags: {...unnamed, fresh: true}, kill})

    expect([before.length, list(nights).length]).toEqual([1, 1])
    expect(list(nights)[0]?.['id']).not.toBe(before[0]?.['id'])
  })
})

test('a register that cannot be read is said, and hides no bulk write', ({nights}) => {
  mkdirSync(nights.folder, {recursive: true})
  writeFileSync(nights.path('exports.db'), 'rubbish '.repeat(1_000))
  const problems: string[] = []

  const listed = [...listRuns(runsFolder(nights.folder), {}, (text) => problems.push(text))]

  expect(listed).toEqual([])
  expect(problems).toEqual([expect.stringContaining('Exports cannot be listed. The register of exports')])
})
