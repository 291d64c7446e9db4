import {expect, test} from 'vitest'
import {openSqliteMirror} from '../../src/mirror/sqlite-mirror.js'
import {createProgress, forgetRun, readRun, type StoredRun} from '../../src/mirror/sync/reading-progress.js'
import {beginRun, type Mark, resumeRun} from '../../src/mirror/sync/transaction-run.js'
import {latestLocalTime, zoneSpread} from '../../src/reports/read/report-range.js'
import {toDateTime, toMilliseconds} from '../../src/values/date-time.js'
import {openMirrorAt} from '../support/mirror.js'
import {sharedPostgres} from '../support/postgres.js'

const day = 86_400_000
const now = Date.UTC(2024, 6, 30, 12)
const end = latestLocalTime(now)
const at = (text: string) => toMilliseconds(text) ?? Number.NaN
const optionsOf = (start?: string, late = 0) =>
  ({start, transactions: {late}, clock: {now: () => now}}) as Parameters<typeof beginRun>[0]

const windows = (pending: [number, number][]) => JSON.stringify({whole: 9, longest: day, pending})
const page = (...keys: string[]) => ({keys, rows: keys.length * 2, records: keys.length})

async function openDatabase() {
  const db = openSqliteMirror(':memory:')
  await db.run('CREATE TABLE vendorctl_mirror (name TEXT PRIMARY KEY, value TEXT)')
  await db.run("INSERT INTO vendorctl_mirror VALUES ('transactions', 'a mark'), ('tool', 'x')")
  return db
}

test('what is known of a run is read as it was written, and forgotten without a trace', async () => {
  const db = await openDatabase()
  const progress = createProgress(beginRun(optionsOf('2024-07-01T00:00:00'), undefined))
  const [one, two] = [1, 2].map((partition) => ({partition, from: 'a', to: 'b', facts: 'begun'}))
  if (!one || !two) throw new Error('no parts')

  progress.state.startWindow(one, windows([[1, 2]]))
  progress.take(1, page('A', 'B'), 'one page')
  progress.take(1, page('C'), 'two pages')
  await progress.write(db)
  const wasChanged = progress.isChanged
  progress.state.startWindow(two, windows([[2, 3]]))
  progress.take(2, page('D'), 'another')
  progress.state.changeWindow(1, 'done', windows([]))
  const isChanged = progress.isChanged
  await progress.write(db)
  const first = await readRun(db)
  const second = structuredClone(first)
  const again = createProgress(second?.run as StoredRun, second?.keys)
  again.take(2, page('E'), 'a page after')
  again.state.dropKeysBefore(2)
  const kept = [1, 2].map((partition) => again.state.keysOf(partition))
  await again.write(db)
  const last = await readRun(db)
  await forgetRun(db)

  expect([wasChanged, isChanged, again.isChanged]).toEqual([false, true, false])
  expect(first?.keys).toEqual(
    new Map([
      [1, ['A', 'B', 'C']],
      [2, ['D']],
    ]),
  )
  expect(first?.run).toMatchObject({rows: 8, records: 4, windows: {pending: []}})
  expect(first?.run.parts.map(({facts}) => facts)).toEqual(['done', 'another'])
  expect(kept).toEqual([[], ['D', 'E']])
  expect(last?.keys).toEqual(new Map([[2, ['D', 'E']]]))
  expect(last?.run.parts.map(({facts}) => facts)).toEqual(['done', 'a page after'])
  expect(again.state.totals()).toEqual({segments: 2, bytes: 0, rows: 10, records: 5})
  expect(await db.all('SELECT name FROM vendorctl_mirror ORDER BY name')).toEqual([
    {name: 'tool'},
    {name: 'transactions'},
  ])
  expect(await readRun(db)).toBeUndefined()
})

test('a run is forgotten completely where PostgreSQL does not order names by their bytes', async () => {
  const server = await sharedPostgres()
  const db = await openMirrorAt(await server.database())
  const [icu] = await db.all("SELECT 1 FROM pg_collation WHERE collname = 'en-x-icu'")
  const table = db.table('vendorctl_mirror')
  await db.run(`CREATE TABLE ${table} (name text ${icu ? 'COLLATE "en-x-icu"' : ''} PRIMARY KEY, value text)`)
  await db.run(`INSERT INTO ${table} VALUES ('transactions', 'a mark')`)
  const progress = createProgress(beginRun(optionsOf('2024-07-01T00:00:00'), undefined))
  progress.state.startWindow({partition: 1, from: 'a', to: 'b', facts: ''}, windows([]))
  progress.take(1, page('A'), '')
  await progress.write(db)

  await forgetRun(db)

  expect(await db.all(`SELECT name FROM ${table}`)).toEqual([{name: 'transactions'}])
  await db.close()
})

test('a run begins at the first moment at which a window reached up to the present of the service', () => {
  const startedAt = (to: number, ...times: number[]) => {
    const progress = createProgress(beginRun(optionsOf('2024-07-01T00:00:00'), undefined))
    progress.state.startWindow({partition: 1, from: 'a', to: toDateTime(to), facts: ''}, windows([]))
    for (const time of times) progress.state.startedAt(time)
    return progress.run.startedAt
  }

  expect(startedAt(now, now + zoneSpread - 1)).toBe(now + zoneSpread - 1)
  expect(startedAt(now, now + zoneSpread)).toBeUndefined()
  expect(startedAt(now, now, now - 5, now + 5)).toBe(now - 5)
})

const mark: Mark = {from: '2024-07-01T00:00:00', at: '2024-07-30T10:00:00', next: '2024-07-29T08:00:00', longest: day}

test.each<[string, string | undefined, number, Mark | undefined, [string, string][], string]>([
  ['a first run', '2024-07-20T00:00:00', 0, undefined, [['2024-07-20T00:00:00', end]], '2024-07-20T00:00:00'],
  ['a later one', undefined, 0, mark, [[mark.next, end]], mark.from],
  ['one for what was late', undefined, 3 * day, mark, [['2024-07-27T10:00:00', end]], mark.from],
  ['one for all that was late', undefined, 90 * day, mark, [[mark.from, end]], mark.from],
  [
    'one from an earlier start',
    '2024-06-01T00:00:00',
    0,
    mark,
    [
      ['2024-06-01T00:00:00', mark.from],
      [mark.next, end],
    ],
    '2024-06-01T00:00:00',
  ],
  ['one from a later start', '2024-07-15T00:00:00', 0, mark, [[mark.next, end]], mark.from],
])('%s reads what is not there yet', (_name, start, late, known, ranges, from) => {
  const run = beginRun(optionsOf(start, late), known)
  const pending = ranges.map(([one, other]) => [at(one), at(other)])
  const whole = pending.reduce((sum, [one = 0, other = 0]) => sum + other - one, 0)

  expect(run).toMatchObject({from, end, windows: {pending, whole}, parts: [], rows: 0, records: 0})
  expect(run.windows.longest).toBe(known ? day : 31 * day)
})

test('a run that is resumed goes up to now, and back to an earlier start', () => {
  const hour = 3_600_000
  const before = at(end) - hour
  const resume = (pending: [number, number][], start?: string, upTo = before) =>
    resumeRun(optionsOf(start), {
      ...beginRun(optionsOf('2024-07-20T00:00:00'), undefined),
      ...{end: toDateTime(upTo), windows: {whole: hour, longest: day, pending}},
    })
  const last: [number, number] = [before, at(end)]
  const earlier: [number, number] = [at('2024-07-19T00:00:00'), at('2024-07-20T00:00:00')]

  const joined = resume([[before - 5, before]])
  const back = resume([], '2024-07-19T00:00:00')
  const ahead = resume([[1, 2]], undefined, at(end) + 5)

  expect(joined).toMatchObject({end, windows: {pending: [[before - 5, at(end)]], whole: hour + 5}})
  expect(resume([[5, 9]]).windows.pending).toEqual([[5, 9], last])
  expect(back).toMatchObject({from: '2024-07-19T00:00:00', windows: {pending: [last, earlier], whole: hour + day}})
  expect(resume([[1, 2]], undefined, at(end)).windows.pending).toEqual([[1, 2]])
  expect(resume([], '2024-07-21T00:00:00').from).toBe('2024-07-20T00:00:00')
  expect(ahead).toMatchObject({end: toDateTime(at(end) + 5), windows: {pending: [[1, 2]], whole: hour}})
})
