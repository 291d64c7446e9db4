import {expect, test} from 'vitest'
import {toDuration} from '../../src/core/durations.js'
import {failureOfCall} from '../support/failure-of-call.js'

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2H', 7_200_000],
  [' 7d ', 604_800_000],
  ['999999s', 999_999_000],
])('%s is %d ms', (text, milliseconds) => {
  expect(toDuration(text, 'late')).toBe(milliseconds)
})

test.each(['', '0s', '1w', '5', 'd', '1.5h', '-1h', '1h30m', '1000000s'])('%j is no length of time', (text) => {
  expect(failureOfCall(() => toDuration(text, 'late'))).toMatchObject({
    ...{code: 'DURATION', exit: 'usage', message: `--late ${JSON.stringify(text)}: not a length of time`},
  })
})
