import {expect, test} from 'vitest'
import {checkSameRange} from '../../../src/client/served-range.js'
import {isWidened, toReportRange, toServiceRange} from '../../../src/reports/read/report-range.js'

const now = Date.UTC(2024, 6, 30, 18)

test.each([
  ['both', {start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'}, true, undefined],
  ['only an end', {end: '2024-02-01T00:00:00'}, true, undefined],
  ['a start that may not be split', {start: '2024-01-01T00:00:00'}, false, undefined],
  ['a start in the future', {start: '2099-01-01T00:00:00'}, true, undefined],
  ['a start', {start: '2024-01-01T00:00:00'}, true, '2024-07-31T10:00:00'],
  ['none', {}, true, undefined],
] as const)('%s', (_, asked, split, end) => {
  const {window} = toReportRange(asked, now, split)

  expect(window).toEqual(end ? {...asked, end} : asked)
})

test('the range is said, and that its times are those of the machines', () => {
  const {text} = toReportRange({start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'}, now, true)

  expect(text).toBe('Reading 2024-01-01T00:00:00 … 2024-02-01T00:00:00, machine-local time.')
})

test('a range of UTC times at an end of the calendar is widened no further than that', () => {
  const asked = {report: 'reports.transactions', timeBasis: 'utc'} as const

  expect(toServiceRange({...asked, start: '0001-01-01T00:00:00', end: '9999-12-31T23:59:59'})).toEqual({
    start: '0001-01-01T00:00:00',
    end: '9999-12-31T23:59:59.999',
  })
  expect(toServiceRange({...asked, start: '2024-07-02T00:00:00', end: '2024-07-03T00:00:00'})).toEqual({
    start: '2024-06-30T22:00:00',
    end: '2024-07-04T02:00:00',
  })
})

test('a report that is compared in UTC is asked for the range as it is, up to now', () => {
  const range = {start: '2024-07-02T00:00:00', end: '2024-07-03T00:00:00'}
  const asked = {report: 'reports.inventory', timeBasis: 'utc', ...range} as const
  const {window, text} = toReportRange({start: range.start}, now, true, 'utc')

  expect(isWidened(asked)).toBe(false)
  expect(toServiceRange(asked)).toMatchObject(range)
  expect(window).toEqual({start: range.start, end: '2024-07-30T20:00:00'})
  expect(text).toBe('Reading 2024-07-02T00:00:00 … 2024-07-30T20:00:00, UTC.')
})

test.each([
  ['that has a start must stay the same', {start: '2024-07-01T00:00:00'}, true],
  ['that has an end must stay the same', {end: '2024-07-03T00:00:00'}, true],
  ['of the service follows its clock', {}, false],
])('from page to page, a range %s', (_, asked, isRefused) => {
  const [first, later] = [{start: '2024-07-01T00:00:00'}, {start: '2024-07-01T00:00:01'}]
  const check = (served: typeof first) => () => checkSameRange(first, served, {number: 2}, asked)

  expect(check(first)).not.toThrow()
  if (isRefused) expect(check(later)).toThrow('another range on page 2')
  else expect(check(later)).not.toThrow()
})
