import fc from 'fast-check'
import {expect, test} from 'vitest'
import {counted, listed, thousands} from '../../src/values/counted.js'

test.each([
  [0, 'page', '0 pages'],
  [1, 'page', '1 page'],
  [2, 'more file', '2 more files'],
  [3896, 'row', '3,896 rows'],
])('%d %s', (amount, one, words) => {
  expect(counted(amount, one)).toBe(words)
})

test.each([
  [0, 'a, b, c', 3],
  [1, 'a, b and 1 more', 2],
  [2, 'a and 2 more', 1],
])('%d of three texts more than are listed', (_more, words, most) => {
  expect(listed(['a', 'b', 'c'], most)).toBe(words)
})

test('whole numbers are written as in English', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(thousands(count)).toBe(count.toLocaleString('en'))
    }),
  )
  for (const count of [0, 9, 999, 1_000, 999_999, 1_000_000, -1_234]) {
    expect(thousands(count)).toBe(count.toLocaleString('en'))
  }
})
