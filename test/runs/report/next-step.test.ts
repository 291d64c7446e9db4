import {expect, test} from 'vitest'

import {factsOfStop, nextStepOf, nextStepText} from '../../../src/runs/report/next-step.js'
import type {RunReport} from '../../../src/runs/report/report.js'

const command = 'vendorctl runs results 20240101-000000-00000'

test.each([
  ['refused', `Fix the refused rows and send them: ${command}`],
  ['denied', `No row is at fault; send them again when the service permits it: ${command}`],
  ['unsafe', `No row is at fault; send them again when the service permits it: ${command}`],
])('a run that ended %s says whether its rows are at fault', (exit, expected) => {
  expect(nextStepText(nextStepOf('done', '20240101-000000-00000', {refused: 2, exit}))).toBe(expected)
})

test.each([
  [1, {changed: 'some', retry: 'safe', hint: 'Send what is left: vendorctl runs resume 20240101-000000-00000'}],
  [0, {changed: 'none', retry: 'safe', hint: 'Send what is left: vendorctl runs resume 20240101-000000-00000'}],
])('a stopped run with %d applied rows says what was changed and names itself', (applied, facts) => {
  const rows = {applied, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 1, unchanged: 0}
  const outcomes = [{line: 2, fate: 'unsent'}]
  const report = {runId: '20240101-000000-00000', rows, outcomes, entries: [], exit: 'interrupted'}

  expect(factsOfStop(report as unknown as RunReport)).toEqual(facts)
  expect(factsOfStop({...report, runId: undefined} as unknown as RunReport)?.hint).toBe('Run the same command again.')
  expect(factsOfStop({...report, exit: 'partial'} as unknown as RunReport)).toBeUndefined()
})
