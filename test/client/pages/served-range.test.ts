import {describe, expect, test} from 'vitest'
import {describeServed} from '../../../src/client/served-range.js'

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
  expect(describeReport({}, {})).toEqual({asked: [null, null], served: [null, null]})
  expect(describeReport(asked, {end: '2024-12-31T23:59:59'})).toEqual({
    asked: ['2024-01-01T00:00:00', '2024-12-31T23:59:59.999'],
    served: ['2024-01-01T00:00:00', '2024-12-31T23:59:59'],
  })
})

test('a side that the service changed is served, and the other one as it was asked', () => {
  expect(describeReport(asked, {start: '2024-12-01T00:00:00'})?.served).toEqual([
    '2024-12-01T00:00:00',
    '2024-12-31T23:59:59.999',
  ])
})

test('a shorter range is reported and is incomplete, with a way out', () => {
  const range = describeReport(asked, {end: '2024-02-01T00:00:00'})

  expect(range?.text).toBe(
    'The service returned 2024-01-01T00:00:00 to 2024-02-01T00:00:00 instead of 2024-01-01T00:00:00 to ' +
      '2024-12-31T23:59:59.999 (limit of this route: 31 days).',
  )
  expect(range?.error).toEqual({
    code: 'RANGE_CLAMPED',
    message: range?.text,
    exit: 10,
    changed: 'none',
    retry: 'after-fix',
    hint: 'Ask for a shorter range, or accept what the service returns with --allow-clamp.',
  })
})

test('an open side is named open, and the limit is that of the contract where one is missing', () => {
  const range = describeReport({EndDate: '2024-12-31T00:00:00'}, {end: '2024-02-01T00:00:00'})

  expect(range?.text).toBe(
    'The service returned (open) to 2024-02-01T00:00:00 instead of (open) to 2024-12-31T00:00:00 ' +
      '(limit of this route: 31 days).',
  )
  expect(range?.error).toBeDefined()
})

test('a range of one day is one day', () => {
  expect(describeReport(asked, {end: '2024-01-02T00:00:00'})?.text).toContain('(limit of this route: 1 day)')
})

describe('without dates', () => {
  const missing = 'Times are local, so the newest records of machines ahead may be missing:'

  test('the service chooses, and the text names the days and how to choose', () => {
    const served = {start: '2024-06-30T10:00:00', end: '2024-07-31T10:00:00'}

    expect(describeReport({}, served)).toEqual({
      asked: [null, null],
      served: [served.start, served.end],
      text: `No dates given: the service returned the last 31 days. Add --start to choose. ${missing} --start -30d adds them.`,
    })
  })

  test('two days are enough to ask for one of them', () => {
    const text = (start: string) => describeReport({}, {start, end: '2024-07-30T00:00:00'})?.text

    expect(text('2024-07-28T00:00:00')).toMatch(/the last 2 days\. .* --start -1d adds them\.$/)
    expect(text('2024-07-29T00:00:00')).toBe(
      'No dates given: the service returned the last 1 day. Add --start to choose.',
    )
  })

  test('the range is given where the days are not known', () => {
    expect(describeReport({}, {start: '2024-06-30T10:00:00'})?.text).toBe(
      'No dates given: the service returned 2024-06-30T10:00:00 to (open). Add --start to choose.',
    )
  })
})

test.each([
  ['a start moved later is a clamp', asked, {start: '2024-02-01T00:00:00'}, true],
  ['an end moved earlier by a second is a clamp', asked, {end: '2024-12-31T23:59:58.999'}, true],
  ['an echo without its fraction is none', asked, {end: '2024-12-31T23:59:59'}, false],
  ['a range that was widened is none', asked, {start: '2023-12-31T00:00:00', end: '2025-01-01T00:00:00'}, false],
  ['an open end is asked up to now', {StartDate: asked.StartDate}, {end: '2024-02-01T00:00:00'}, true],
  ['an open end after now is no clamp', {StartDate: '2024-07-20T00:00:00'}, {end: '2024-08-20T00:00:00'}, false],
  ['an open start is no clamp', {EndDate: asked.EndDate}, {start: '2024-11-30T23:59:59.999'}, false],
  ['no dates are no clamp', {}, {start: '2024-06-29T00:00:00', end: '2024-07-30T00:00:00'}, false],
])('%s', (_, filters, served, isClamp) => {
  expect(describeReport(filters, served)?.error !== undefined).toBe(isClamp)
})

test.each([
  ['a start that was asked for and kept', asked, {end: '2025-01-31T00:00:00'}, false],
  ['an open start that the service chose', {EndDate: asked.EndDate}, {start: '2024-11-30T23:59:59.999'}, true],
])('%s: reported %s', (_, filters, served, isReported) => {
  expect(describeReport(filters, served)?.text !== undefined).toBe(isReported)
})
