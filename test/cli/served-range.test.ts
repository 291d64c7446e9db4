import {expect, test} from 'vitest'
import {allowClamp} from '../../src/cli/read/finish-read.js'
import {describeServed} from '../../src/client/pages/served-range.js'

const now = Date.UTC(2024, 6, 30)
const asked = {StartDate: '2024-01-01T00:00:00', EndDate: '2024-12-31T23:59:59.999'}
const describeReport = (filters: object, served: object) =>
  describeServed('reports.transactions', {...filters}, {...served}, now)

test('a route without dates has no range', () => {
  expect(describeServed('machines.list', {}, {}, now)).toBeUndefined()
})

test('an answer without clamp headers served what was asked', () => {
  expect(describeReport(asked, {})).toEqual({
    asked: ['2024-01-01T00:00:00', '2024-12-31T23:59:59.999'],
    served: ['2024-01-01T00:00:00', '2024-12-31T23:59:59.999'],
  })
})

test('a shorter range is said and is incomplete, unless it is allowed', () => {
  const range = describeReport(asked, {end: '2024-02-01T00:00:00'})

  expect(range?.text).toBe(
    'served 2024-01-01T00:00:00 … 2024-02-01T00:00:00 instead of 2024-01-01T00:00:00 … 2024-12-31T23:59:59.999 ' +
      '(limit of this route: 31 days)',
  )
  expect(range?.error).toMatchObject({code: 'RANGE_CLAMPED', exit: 10})
  expect(allowClamp({'allow-clamp': true}, range)).toEqual({
    asked: range?.asked,
    served: range?.served,
    text: range?.text,
  })
  expect(allowClamp({}, range)).toBe(range)
})

test('a range of one day is one day', () => {
  expect(describeReport(asked, {end: '2024-01-02T00:00:00'})?.text).toContain('(limit of this route: 1 day)')
})

test('an unasked range tells how to read the latest of machines whose local time is ahead', () => {
  const served = {start: '2024-06-30T10:00:00', end: '2024-07-31T10:00:00'}

  expect(describeReport({}, served)?.text).toBe(
    'No dates given: the service returned the last 31 days. Add --start to choose. ' +
      'Times are local, so the newest records of machines ahead may be missing: --start -30d adds them.',
  )
})

test.each([
  ['a start moved later is a clamp', asked, {start: '2024-02-01T00:00:00'}, true],
  ['an echo without its fraction is none', asked, {end: '2024-12-31T23:59:59'}, false],
  ['an open end is asked up to now', {StartDate: asked.StartDate}, {end: '2024-02-01T00:00:00'}, true],
  ['an open end after now is no clamp', {StartDate: '2024-07-20T00:00:00'}, {end: '2024-08-20T00:00:00'}, false],
  ['an open start is no clamp', {EndDate: asked.EndDate}, {start: '2024-11-30T23:59:59.999'}, false],
  ['no dates are no clamp', {}, {start: '2024-06-29T00:00:00', end: '2024-07-30T00:00:00'}, false],
])('%s', (_, filters, served, isClamp) => {
  expect(describeReport(filters, served)?.error !== undefined).toBe(isClamp)
})
