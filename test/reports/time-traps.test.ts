import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type TimeBasis, toReportRange} from '../../src/reports/read/report-range.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {resolveDate} from '../../src/values/relative-date.js'
import {exportHere} from '../support/export.js'
import {now, test} from '../support/export-folder.js'

type Place = {sandbox: Sandbox; folder: string}

/** A machine in a zone, and batches of it at moments in UTC; the ids are the moments. */
function record({sandbox}: Place, timeZone: string, ...times: string[]): void {
  const id = 9_000 + sandbox.store.read('site').length
  sandbox.add('site', {id, orgId: 101, accountId: 201, name: timeZone, timeZone})
  sandbox.add('machine', {id, organizationId: 101, siteId: id, prose: `M${id}`})
  for (const [index, recordedAtUtc] of times.entries()) {
    sandbox.add('batch', {id: `B${id * 1_000 + index}`, machineId: id, siteId: id, recordedAtUtc, lineItems: []})
  }
}

type Words = {start: string; end?: string; basis?: TimeBasis; clock?: number; maximumDays?: number}
type Read = {times: string[]; requests: number; windows: number; end: string}

let files = 0

/** Exports as the words say, and returns the moments in UTC of what is in the file. */
async function read({sandbox, folder}: Place, words: Words): Promise<Read> {
  const {basis = 'local', clock = now, maximumDays = 31} = words
  const asked = {
    start: resolveDate(words.start, 'start', clock),
    ...(words.end !== undefined && {end: resolveDate(words.end, 'end', clock)}),
  }
  const {start = '', end = ''} = toReportRange(asked, clock, true).window
  const path = join(folder, `${++files}.ndjson`)
  const flags = {'time-basis': basis}
  const {manifest} = await exportHere({sandbox, start, end, path, flags, options: {maximumDays}})
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return {
    times: lines.map((line) => (JSON.parse(line) as {recordedAtUtc: string}).recordedAtUtc).sort(),
    requests: manifest.requests.pages,
    windows: manifest.windows.length,
    end,
  }
}

describe('time traps', () => {
  test('a bare end date, which services end at 23:59:59, takes in all of its last second', async ({folder, start}) => {
    const place = {folder, sandbox: await start()}
    record(place, 'UTC', '2024-07-04T23:59:59', '2024-07-04T23:59:59.001', '2024-07-04T23:59:59.999')
    record(place, 'UTC', '2024-07-05T00:00:00', '2024-07-03T23:59:59.999')

    const {times} = await read(place, {start: '2024-07-04', end: '2024-07-04'})

    expect(times).toEqual(['2024-07-04T23:59:59', '2024-07-04T23:59:59.001', '2024-07-04T23:59:59.999'])
  })

  test('noon is noon at the machine, and in UTC when asked', async ({folder, start}) => {
    const place = {folder, sandbox: await start()}
    const [noon, noonInNepal] = ['2024-07-04T12:00:00', '2024-07-04T06:15:00']
    record(place, 'Asia/Kathmandu', noon, noonInNepal)
    record(place, 'UTC', noon)
    const range = {start: '2024-07-04T12:00', end: '2024-07-04T12:00'}

    const local = await read(place, range)
    const utc = await read(place, {...range, basis: 'utc'})

    expect(local.times).toEqual([noonInNepal, noon])
    expect(utc.times).toEqual([noon, noon])
  })

  test('01:30 comes twice when clocks go back: both are there once, where windows meet, too', async ({
    folder,
    start,
  }) => {
    const place = {folder, sandbox: await start()}
    const [summer, winter] = ['2024-11-03T05:30:00', '2024-11-03T06:30:00']
    record(place, 'Eastern Standard Time', '2024-11-03T05:29:59', summer, winter, '2024-11-03T06:30:01')
    const fold = {start: '2024-11-03T01:30', end: '2024-11-03T01:30'}

    const local = await read(place, fold)
    const met = await read(place, {start: '2024-11-03T00:30', end: '2024-11-03T02:30', maximumDays: 1 / 24})
    const utc = await read(place, {start: '2024-11-03T05:30', end: '2024-11-03T06:00', basis: 'utc'})

    expect(local.times).toEqual([summer, winter])
    expect(met.windows).toBe(2)
    expect(met.times).toEqual(['2024-11-03T05:29:59', summer, winter, '2024-11-03T06:30:01'])
    expect(utc.times).toEqual([summer])
  })

  test('02:30 never comes when clocks go forward: a range may begin and end there', async ({folder, start}) => {
    const place = {folder, sandbox: await start()}
    const [before, after] = ['2024-03-10T06:59:59', '2024-03-10T07:00:00']
    record(place, 'Eastern Standard Time', before, after)

    const gap = await read(place, {start: '2024-03-10T02:00', end: '2024-03-10T02:59:59.999'})
    const until = await read(place, {start: '2024-03-10', end: '2024-03-10T02:30'})
    const from = await read(place, {start: '2024-03-10T02:30', end: '2024-03-10'})

    expect(gap.times).toEqual([])
    expect(until.times).toEqual([before])
    expect(from.times).toEqual([after])
  })

  test.for([
    ['Asia/Kathmandu', 5.75],
    ['Australia/Lord_Howe', 10.5],
    ['Etc/GMT+12', -12],
    ['Pacific/Kiritimati', 14],
  ] as const)('a month of %s, %d hours from UTC, in both bases', async ([zone, hours], {folder, start}) => {
    const place = {folder, sandbox: await start()}
    const text = (time: number) =>
      new Date(time)
        .toISOString()
        .slice(0, -1)
        .replace(/\.000$/, '')
    const [first, last] = [Date.UTC(2024, 5, 1), Date.UTC(2024, 6, 1) - 1]
    const around = (time: number) => [time - 1, time, time + 1].map(text)
    const [inLocal, inUtc] = [hours * 3_600_000, 0].map((shift) => [first - shift, last - shift] as const)
    record(place, zone, ...[inLocal, inUtc].flatMap((edges) => (edges ?? []).flatMap(around)))
    const all = [...new Set([inLocal, inUtc].flatMap((edges) => (edges ?? []).flatMap(around)))].sort()
    const within = (edges: readonly [number, number] | undefined) =>
      all.filter((time) => edges && Date.parse(`${time}Z`) >= edges[0] && Date.parse(`${time}Z`) <= edges[1])

    const local = await read(place, {start: '2024-06', end: '2024-06'})
    const utc = await read(place, {start: '2024-06', end: '2024-06', basis: 'utc'})

    expect(local.times).toEqual(within(inLocal))
    expect(utc.times).toEqual(within(inUtc))
  })

  test.for([-1, 1])(
    'a clock that is %d hours off turns no range around and loses nothing',
    async (hours, {folder, start}) => {
      const place = {folder, sandbox: await start()}
      const text = (time: number) => new Date(time).toISOString().slice(0, 19)
      const times = [now - 30 * 60_000, now - 60_000].map(text)
      record(place, 'UTC', ...times)
      record(place, 'Pacific/Kiritimati', ...times)

      const {times: found} = await read(place, {start: '-24h', clock: now + hours * 3_600_000})
      const {end} = await read(place, {start: 'now', clock: now + hours * 3_600_000})

      expect(found).toEqual([times[0], times[0], times[1], times[1]])
      expect(end > text(now)).toBe(true)
    },
  )

  test('a range of exactly the maximum is one request, and one more millisecond is two', async ({folder, start}) => {
    const place = {folder, sandbox: await start()}
    const [first, edge] = ['2024-05-01T00:00:00', '2024-06-01T00:00:00']
    record(place, 'UTC', first, edge, '2024-06-01T00:00:00.001')

    const whole = await read(place, {start: first, end: edge})
    const more = await read(place, {start: first, end: '2024-06-01T00:00:00.001'})

    expect(whole).toMatchObject({times: [first, edge], requests: 1, windows: 1})
    expect(more).toMatchObject({times: [first, edge, '2024-06-01T00:00:00.001'], requests: 2, windows: 2})
  })
})
