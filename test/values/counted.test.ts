import {expect, test} from 'vitest'
import {counted} from '../../src/values/counted.js'

test.each([
  [0, 'page', '0 pages'],
  [1, 'page', '1 page'],
  [2, 'more file', '2 more files'],
  [3896, 'row', '3,896 rows'],
])('%d %s', (amount, one, words) => {
  expect(counted(amount, one)).toBe(words)
})
