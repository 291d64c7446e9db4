import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {isDate, isInCalendar, isRealDate, parseUsTime, toDateTime, toMilliseconds} from '../../src/values/date-time.js'

test.each([
  [2024, 2, 29, true],
  [2023, 2, 29, false],
  [1900, 2, 29, false],
  [2000, 2, 29, true],
  [2024, 4, 31, false],
  [2024, 12, 31, true],
  [2024, 13, 1, false],
  [2024, 0, 1, false],
  [2024, 1, 0, false],
  [0, 1, 1, false],
  [1, 1, 1, true],
  [9999, 12, 31, true],
  [10_000, 1, 1, false],
])('%i-%i-%i exists: %s', (year, month, day, exists) => {
  expect(isRealDate(year, month, day)).toBe(exists)
})

describe('toMilliseconds', () => {
  test.each([
    ['2024-07-30T18:07:05.477', Date.UTC(2024, 6, 30, 18, 7, 5, 477)],
    ['2024-07-30T18:07:05.4', Date.UTC(2024, 6, 30, 18, 7, 5, 400)],
    ['2024-07-30T18:07:05.4771234', Date.UTC(2024, 6, 30, 18, 7, 5, 477)],
    ['2024-07-30T18:07:05Z', Date.UTC(2024, 6, 30, 18, 7, 5)],
    ['2024-07-30T18:07:05+05:45', Date.UTC(2024, 6, 30, 12, 22, 5)],
    ['2024-07-30T18:07:05-12:00', Date.UTC(2024, 6, 31, 6, 7, 5)],
    ['2024-07-30T18:07:05+14:00', Date.UTC(2024, 6, 30, 4, 7, 5)],
    ['2024-07-30T18:07', Date.UTC(2024, 6, 30, 18, 7)],
    ['2024-07-30', Date.UTC(2024, 6, 30)],
    ['0001-01-01T00:00:00', -62_135_596_800_000],
  ])('reads %s', (text, milliseconds) => {
    expect(toMilliseconds(text)).toBe(milliseconds)
  })

  test.each([
    ...['2024-02-30', '2023-02-29T00:00:00', '2024-07-30T24:00:00', '2024-07-30T23:60:00'],
    ...['2024-07-30T23:59:60', '2024-07-30 18:07:05', '2024-07-30T18:07:05.', '2024-7-30', '30.07.2024'],
    ...['2024-07-30T18:07:05+25:00', '2024-07-30T18:07:05+14:01', '2024-07-30T18:07:05-00:60', ''],
    '2024-07-30\n',
  ])('refuses %j', (text) => {
    expect(toMilliseconds(text)).toBeUndefined()
  })

  test('reads what toDateTime prints, for every moment of the calendar', () => {
    fc.assert(
      fc.property(fc.integer({min: -62_135_596_800_000, max: 253_402_300_799_999}), (milliseconds) => {
        expect(toMilliseconds(toDateTime(milliseconds))).toBe(milliseconds)
      }),
    )
  })
})

test('the calendar ends where years need more or fewer than four digits', () => {
  const [first, last] = [Date.UTC(2000, 0) - 63_082_281_600_000, Date.UTC(10_000, 0) - 1]

  expect([toDateTime(first), toDateTime(last)]).toEqual(['0001-01-01T00:00:00', '9999-12-31T23:59:59.999'])
  expect([first - 1, first, last, last + 1].map(isInCalendar)).toEqual([false, true, true, false])
})

test('a date is a day that exists', () => {
  expect(isDate('2024-02-29')).toBe(true)
  expect(isDate('2023-02-29')).toBe(false)
  expect(isDate('2024-02-29T00:00:00')).toBe(false)
})

test.each([
  ['9/3/2020 11:17:40 PM', Date.UTC(2020, 8, 3, 23, 17, 40)],
  ['12/31/2020 12:00:00 AM', Date.UTC(2020, 11, 31)],
  ['1/1/2021 12:30:00 PM', Date.UTC(2021, 0, 1, 12, 30)],
  [' 1/1/2021 1:30:00 am\n', Date.UTC(2021, 0, 1, 1, 30)],
])('reads the US form %s', (text, milliseconds) => {
  expect(parseUsTime(text)).toBe(milliseconds)
})

test.each([
  '31/12/2020 11:17:40 PM',
  'on 9/3/2020 11:17:40 PM',
  '9/3/2020 11:17:40 PMT',
  '9/3/2020 13:17:40 PM',
  '9/3/2020 0:17:40 AM',
  '9/3/2020 1:60:40 AM',
  '9/3/2020 1:17:60 AM',
  '9/3/2020',
  '',
  '2/30/2020 1:00:00 AM',
])('refuses the US form %j', (text) => {
  expect(parseUsTime(text)).toBeUndefined()
})
