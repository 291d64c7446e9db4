import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Client, Page, ReadRequest} from '../../../src/client/types.js'
import {transactionReport} from '../../../src/contract/index.js'
import {readReport} from '../../../src/reports/read/read-list.js'
import {createWindows, type Window} from '../../../src/reports/read/windows.js'
import {toDateTime, toMilliseconds} from '../../../src/values/date-time.js'

const day = 86_400_000
const from = Date.UTC(2024, 0, 1)

/** All windows over a range, with a service that serves at most so many days of each, from the front. */
function readAll(start: string, end: string, maximumDays: number, servedDays = maximumDays): Window[] {
  const windows = createWindows(start, end, maximumDays)
  const served: Window[] = []
  for (let window = windows.next(); window; window = windows.next()) {
    const first = toMilliseconds(window.start ?? '') ?? 0
    const last = Math.min(toMilliseconds(window.end ?? '') ?? 0, first + servedDays * day)
    served.push({start: toDateTime(first), end: toDateTime(last)})
    windows.learn({start: toDateTime(first), end: toDateTime(last)})
    if (served.length > 1_000) throw new Error('it does not end')
  }
  return served
}

describe('windows', () => {
  test('of a short range are one', () => {
    expect(readAll('2024-01-01T00:00:00', '2024-01-31T23:59:59.999', 31)).toEqual([
      {start: '2024-01-01T00:00:00', end: '2024-01-31T23:59:59.999'},
    ])
  })

  test('of a year share their edges and end where the range ends', () => {
    const windows = readAll('2024-01-01T00:00:00', '2024-12-31T23:59:59.999', 31)

    expect(windows).toHaveLength(12)
    expect(windows[0]).toEqual({start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'})
    expect(windows[1]?.start).toBe('2024-02-01T00:00:00')
    expect(windows.at(-1)?.end).toBe('2024-12-31T23:59:59.999')
  })

  test('leave no gap, whatever the range and whatever the service serves', () => {
    const hours = fc.integer({min: 0, max: 24 * 200})
    fc.assert(
      fc.property(hours, fc.integer({min: 1, max: 31}), fc.integer({min: 1, max: 40}), (length, maximum, served) => {
        const [start, end] = [toDateTime(from), toDateTime(from + length * 3_600_000)]

        const windows = readAll(start, end, maximum, served)

        expect(windows[0]?.start).toBe(start)
        expect(windows.at(-1)?.end).toBe(end)
        for (const [index, window] of windows.slice(1).entries()) expect(window.start).toBe(windows[index]?.end)
      }),
    )
  })

  test('take a range cut at its front once more', () => {
    const windows = createWindows('2024-01-01T00:00:00', '2024-01-20T00:00:00', 31)
    windows.next()
    windows.learn({start: '2024-01-10T00:00:00', end: '2024-01-20T00:00:00'})

    const next = windows.next()

    expect(next).toEqual({start: '2024-01-01T00:00:00', end: '2024-01-10T00:00:00'})
    expect(windows.isMore).toBe(false)
  })

  test('are short where records crowd, and twice as long again where they do not', () => {
    const windows = createWindows('2024-01-01T00:00:00', '2024-12-31T00:00:00', 31)
    const daysOfNext = () => {
      const {start = '', end = ''} = windows.next() ?? {}
      return ((toMilliseconds(end) ?? 0) - (toMilliseconds(start) ?? 0)) / day
    }

    const before = daysOfNext()
    windows.shorten(10 * day)
    const crowded = daysOfNext()
    windows.lengthen()
    const after = [daysOfNext(), daysOfNext()]
    windows.lengthen()

    expect([before, crowded, ...after, daysOfNext()]).toEqual([31, 10, 20, 20, 31])
  })

  test('believe an echo of whole seconds', () => {
    const windows = createWindows('2024-01-01T00:00:00', '2024-01-20T23:59:59.999', 31)
    windows.next()

    windows.learn({start: '2024-01-01T00:00:00', end: '2024-01-20T23:59:59'})

    expect(windows.isMore).toBe(false)
    expect(windows.done).toBe(1)
  })

  test.each([
    ['nothing of a window is served', {start: '2025-01-01T00:00:00', end: '2025-02-01T00:00:00'}, 'incomplete'],
    ['more is served at its front', {start: '2023-12-02T00:00:07', end: '2024-01-02T00:00:07'}, 'incomplete'],
    ['more is served at its end', {start: '2024-01-10T00:00:00', end: '2024-01-21T00:00:00'}, 'incomplete'],
    ['the service names no date', {start: 'soon', end: '2024-01-20T00:00:00'}, 'unavailable'],
  ])('end when %s', (_, served, exit) => {
    const windows = createWindows('2024-01-01T00:00:00', '2024-01-20T00:00:00', 31)
    windows.next()

    expect(() => windows.learn(served)).toThrow(expect.objectContaining({exit}))
  })
})

test('of a service that serves the end of a range first, all of it is read and said to be served', async () => {
  const asked: Window[] = []
  async function* readPages(_: unknown, {filters: {StartDate, EndDate}}: ReadRequest) {
    const [start, end] = [String(StartDate), String(EndDate)]
    asked.push({start, end})
    const served = asked.length === 1 ? {start: '2024-01-06T00:00:00', end} : {start, end}
    yield {number: 1, totalPages: 1, served, records: []} as unknown as Page
  }
  const range = {start: '2024-01-01T00:00:00', end: '2024-01-11T00:00:00'}
  const request = {operation: transactionReport, filters: {}, range, maximumDays: 31, split: true} as const

  const total: Window[] = []
  for await (const {served} of readReport({readPages} as unknown as Client, request).pages) total.push(served)

  expect(asked).toEqual([range, {start: range.start, end: '2024-01-06T00:00:00'}])
  expect(total).toEqual([{start: '2024-01-06T00:00:00', end: range.end}, range])
})
