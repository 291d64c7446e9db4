import fc from 'fast-check'
import {expect, test} from 'vitest'
import {thousands} from '../../src/values/counted.js'

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
