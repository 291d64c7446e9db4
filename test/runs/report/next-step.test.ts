import {expect, test} from 'vitest'

import {nextStepOf, nextStepText} from '../../../src/runs/report/next-step.js'

const command = 'vendorctl runs results 20240101-000000-00000'

test.each([
  ['refused', `Fix the refused rows and send them: ${command}`],
  ['denied', `No row is at fault; send them again when the service permits it: ${command}`],
  ['unsafe', `No row is at fault; send them again when the service permits it: ${command}`],
])('a run that ended %s says whether its rows are at fault', (exit, expected) => {
  expect(nextStepText(nextStepOf('done', '20240101-000000-00000', {refused: 2, exit}))).toBe(expected)
})
