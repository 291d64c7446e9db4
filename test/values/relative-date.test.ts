import {describe, expect, test} from 'vitest'
import {isRelative, resolveDate} from '../../src/values/relative-date.js'

const now = Date.UTC(2024, 2, 10, 13, 45, 6, 789)

describe('resolveDate', () => {
  test.each([
    ['2024-07-01', '2024-07-01T00:00:00', '2024-07-01T23:59:59.999'],
    ['2024-02', '2024-02-01T00:00:00', '2024-02-29T23:59:59.999'],
    ['2023-02', '2023-02-01T00:00:00', '2023-02-28T23:59:59.999'],
    ['2024-12', '2024-12-01T00:00:00', '2024-12-31T23:59:59.999'],
    ['today', '2024-03-10T00:00:00', '2024-03-10T23:59:59.999'],
    ['Yesterday', '2024-03-09T00:00:00', '2024-03-09T23:59:59.999'],
    ['9999-12-31', '9999-12-31T00:00:00', '9999-12-31T23:59:59.999'],
  ])('%s is a period', (text, start, end) => {
    expect(resolveDate(text, 'start', now)).toBe(start)
    expect(resolveDate(text, 'end', now)).toBe(end)
  })

  test.each([
    ['now', '2024-03-10T13:45:06.789'],
    ['-7d', '2024-03-03T13:45:06.789'],
    ['-12h', '2024-03-10T01:45:06.789'],
    ['-2w', '2024-02-25T13:45:06.789'],
    ['-3mo', '2023-12-10T13:45:06.789'],
    ['-1Y', '2023-03-10T13:45:06.789'],
    ['2024-07-01T13:00', '2024-07-01T13:00:00'],
    ['2024-07-01T13:00:59', '2024-07-01T13:00:59'],
    ['2024-07-01T13:00:59.5', '2024-07-01T13:00:59.500'],
  ])('%s is one moment', (text, moment) => {
    expect(resolveDate(text, 'start', now)).toBe(moment)
    expect(resolveDate(text, 'end', now)).toBe(moment)
  })

  test.each([
    ['2024-07-01T13:00:00.123Z', '2024-07-01T13:00:00.123'],
    ['2024-07-01t13:00z', '2024-07-01T13:00:00'],
    ['2024-07-01T13:00+02:00', '2024-07-01T11:00:00'],
    ['2024-07-01T23:30:05-0130', '2024-07-02T01:00:05'],
    ['2024-07-01T13:00+02', '2024-07-01T11:00:00'],
  ])('%s is a moment in UTC, and refused where clocks have no zone', (text, moment) => {
    expect(resolveDate(text, 'start', now, {isUtc: true})).toBe(moment)
    expect(() => resolveDate(text, 'start', now)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('local time of each machine'),
        exit: 'usage',
        hints: [expect.stringMatching(/: \d{4}-\d\d-\d\dT[\d:.]+$/i), expect.stringContaining('--time-basis utc')],
      }),
    )
  })

  test('the flag is named that held the date', () => {
    expect(() => resolveDate('2024-02-30', 'start', now, {flag: 'to'})).toThrow('--to "2024-02-30"')
    expect(() => resolveDate(' 2024-02-01T00:00Z ', 'start', now, {flag: 'to'})).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('--to " 2024-02-01T00:00Z "'),
        hints: expect.arrayContaining([expect.stringMatching(/: 2024-02-01T00:00$/)]),
      }),
    )
  })

  test.each([
    ['2024-02-30', 'there is no such date'],
    ['2023-02-29', 'there is no such date'],
    ['2024-13', 'there is no such date'],
    ['2024-07-01T25:00', 'there is no such date'],
    ['2024-07-01T25:00Z', 'there is no such date'],
    ['2024-07-01T13:00+15:00', 'there is no such date'],
    ['tomorow', 'not a date'],
    ['', 'not a date'],
    ['-7', 'not a date'],
    ['7d', 'not a date'],
    ['-9999999w', 'not a date'],
    ['-9999999y', 'not a date'],
    ['-1m', 'not a date'],
    ['07/01/2024', 'not a date'],
    ['2024-07x', 'not a date'],
  ])('refuses %j and names the flag', (text, words) => {
    expect(() => resolveDate(text, 'end', now)).toThrow(
      expect.objectContaining({
        message: `--end ${JSON.stringify(text)}: ${words}`,
        exit: 'usage',
        code: 'DATE_PARSING',
      }),
    )
  })

  test('what stands for another moment each time is relative', () => {
    expect(['now', ' -7D ', '-1mo', 'today', '-7', '2024-07-01'].map(isRelative)).toEqual([
      ...[true, true, true, false, false, false],
    ])
  })

  test('a month or a year before a day that its month has not is the last day of that month', () => {
    expect(resolveDate('-1mo', 'start', Date.UTC(2024, 2, 31))).toBe('2024-02-29T00:00:00')
    expect(resolveDate('-13mo', 'start', Date.UTC(2024, 2, 31))).toBe('2023-02-28T00:00:00')
    expect(resolveDate('-1y', 'start', Date.UTC(2024, 1, 29))).toBe('2023-02-28T00:00:00')
  })
})
