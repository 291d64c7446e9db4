import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {completeRange, splitRange} from '../../src/values/date-range.js'
import {toDateTime, toMilliseconds} from '../../src/values/date-time.js'

const day = 86_400_000
const now = Date.UTC(2024, 6, 30, 18, 7, 5, 477)
const of = (text: string) => toMilliseconds(text) as number

describe('completeRange', () => {
  test.each([
    [{start: '2024-01-01', end: '2024-01-31'}, '2024-01-01T00:00:00', '2024-01-31T23:59:59', false, false],
    [{start: '2024-01-01', end: '2024-12-31'}, '2024-01-01T00:00:00', '2024-02-01T00:00:00', false, true],
    [
      {start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'},
      '2024-01-01T00:00:00',
      '2024-02-01T00:00:00',
      false,
      false,
    ],
    [{start: '2024-01-01'}, '2024-01-01T00:00:00', '2024-02-01T00:00:00', false, true],
    [{end: '2024-02-01'}, '2024-01-01T23:59:59', '2024-02-01T23:59:59', true, false],
    [{}, '2024-06-29T18:07:05.477', '2024-07-30T18:07:05.477', true, true],
  ])('%j', (range, start, end, startChanged, endChanged) => {
    expect(completeRange(range, 31, now)).toEqual({start, end, changed: {start: startChanged, end: endChanged}})
  })

  test('refuses a start after the end, and what is no date', () => {
    expect(() => completeRange({start: '2024-01-02', end: '2024-01-01'}, 31, now)).toThrow(
      expect.objectContaining({code: 'INVALID_DATE_RANGE', exit: 'usage'}),
    )
    expect(() => completeRange({start: 'soon'}, 31, now)).toThrow(expect.objectContaining({code: 'DATE_PARSING'}))
  })
})

describe('splitRange', () => {
  test('a range of exactly the maximum is one window', () => {
    expect(splitRange('2024-01-01T00:00:00', '2024-02-01T00:00:00', 31)).toEqual([
      {start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'},
    ])
  })

  test('a millisecond more is two', () => {
    expect(splitRange('2024-01-01T00:00:00', '2024-02-01T00:00:00.001', 31)).toEqual([
      {start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'},
      {start: '2024-02-01T00:00:00', end: '2024-02-01T00:00:00.001'},
    ])
  })

  test('one second and no length at all are ranges', () => {
    expect(splitRange('2024-01-01T00:00:00', '2024-01-01T00:00:01', 31)).toHaveLength(1)
    expect(splitRange('2024-01-01T00:00:00', '2024-01-01T00:00:00', 31)).toEqual([
      {start: '2024-01-01T00:00:00', end: '2024-01-01T00:00:00'},
    ])
  })

  test('a start after the end is refused', () => {
    expect(() => splitRange('2024-01-01T00:00:00.001', '2024-01-01T00:00:00', 31)).toThrow(
      expect.objectContaining({code: 'INVALID_DATE_RANGE', exit: 'usage'}),
    )
  })

  test('windows cover any range without a gap, oldest first, and none is longer than the maximum', () => {
    const moment = fc.integer({min: of('1990-01-01'), max: of('2040-01-01')})
    fc.assert(
      fc.property(moment, fc.nat(400 * day), fc.integer({min: 1, max: 90}), (from, length, maximumDays) => {
        const windows = splitRange(toDateTime(from), toDateTime(from + length), maximumDays)

        expect(of(windows[0]?.start ?? '')).toBe(from)
        expect(of(windows.at(-1)?.end ?? '')).toBe(from + length)
        expect(windows.slice(1).map(({start}) => start)).toEqual(windows.slice(0, -1).map(({end}) => end))
        for (const {start, end} of windows) expect(of(end) - of(start)).toBeLessThanOrEqual(maximumDays * day)
        expect(windows).toHaveLength(Math.max(1, Math.ceil(length / (maximumDays * day))))
      }),
    )
  })
})
