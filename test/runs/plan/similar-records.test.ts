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
