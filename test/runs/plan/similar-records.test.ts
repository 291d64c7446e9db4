import {expect, test} from 'vitest'
import type {Page} from '../../../src/client/types.js'
import {writeOperation} from '../../../src/contract/index.js'
import {readSimilar} from '../../../src/runs/records/similar-records.js'

const hour = 3_600_000
const now = Date.UTC(2024, 6, 31, 19)
const page = {number: 1, size: 50, totalPages: 1, records: [], served: {}}

/** The ranges that are asked for, of a service whose clock shows this time. */
async function rangesBy(serverTime: number): Promise<unknown[]> {
  const ranges: unknown[] = []
  const readPages = async function* (_id: string, {filters}: {filters: {StartDate?: string; EndDate?: string}}) {
    ranges.push([filters.StartDate, filters.EndDate])
    yield {...page, serverTime} as unknown as Page
  }
  const record = {machineId: 1, code: 'A', message: 'm'}
  await readSimilar({readPages} as never, writeOperation('alerts.create'), [record], {from: now, to: now})
  return ranges
}

test('records are read by the clock of the service, too, where it shows another day', async () => {
  const usual = ['2024-07-31T04:00:00', '2024-08-01T10:00:00']

  expect(await rangesBy(now - hour)).toEqual([usual])
  expect(await rangesBy(now - 25 * hour)).toEqual([usual, ['2024-07-30T03:00:00', '2024-08-01T10:00:00']])
  expect(await rangesBy(now + 25 * hour)).toEqual([usual, ['2024-07-31T04:00:00', '2024-08-02T11:00:00']])
})

type Served = {start?: string; end?: string}

/** What was read of alerts of a moment, of a service that serves these parts of what it is asked for. */
async function readServed(parts: readonly Served[], maximumPages?: number) {
  const asked: unknown[] = []
  const readPages = async function* (_id: string, {filters}: {filters: {StartDate?: string}}) {
    asked.push(filters.StartDate)
    yield {...page, served: parts[asked.length - 1] ?? {}} as unknown as Page
  }
  const record = {machineId: 1, code: 'A', message: 'm', raisedAt: '2024-07-31T19:00:00'}
  const write = writeOperation('alerts.create')
  const {isComplete, requests} = await readSimilar(
    {readPages} as never,
    write,
    [record],
    {from: now, to: now},
    maximumPages,
  )
  return {isComplete, requests, asked}
}

const [start, end] = ['2024-07-31T04:00:00', '2024-08-01T10:00:00']

test.each<[string, Served[], number | undefined, boolean, string[]]>([
  ['all of the range', [{start, end}], undefined, true, [start]],
  ['a first part, and then the rest', [{end: '2024-07-31T20:00:00'}], undefined, true, [start, '2024-07-31T20:00:00']],
  ['a first part, and no request is left', [{end: '2024-07-31T20:00:00'}], 1, false, [start]],
  ['not its beginning', [{start: '2024-07-31T04:00:01'}], undefined, false, [start]],
  ['a beginning that is cut to the second', [{start: '2024-07-31T04:00:00.999'}], undefined, true, [start]],
  ['an end that is cut to the second', [{end: '2024-08-01T09:59:59.001'}], undefined, true, [start]],
  ['nothing of it', [{end: start}], undefined, false, [start]],
  ['a time that is none', [{start: 'soon'}], undefined, false, [start]],
])('records are complete only where all of a range was served: %s', async (_, parts, most, isComplete, asked) => {
  expect(await readServed(parts, most)).toEqual({isComplete, requests: asked.length, asked})
})
