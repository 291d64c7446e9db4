import {expect, test} from 'vitest'
import {allowClamp} from '../../../src/cli/read/finish-read.js'
import {describeServed} from '../../../src/client/served-range.js'

test('a range that was cut short is reported, and is no error once it is allowed', () => {
  const filters = {StartDate: '2024-01-01T00:00:00', EndDate: '2024-12-31T23:59:59.999'}
  const range = describeServed('reports.transactions', filters, {end: '2024-02-01T00:00:00'}, Date.UTC(2024, 6, 30))

  expect(range?.error).toMatchObject({code: 'RANGE_CLAMPED'})
  expect(allowClamp({'allow-clamp': true}, range)).toEqual({
    asked: range?.asked,
    served: range?.served,
    text: range?.text,
  })
  expect(allowClamp({}, range)).toBe(range)
  expect(allowClamp({'allow-clamp': true}, undefined)).toBeUndefined()
})
