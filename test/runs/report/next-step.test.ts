import {expect, test} from 'vitest'

import {entriesOf, nextStepOf, nextStepText} from '../../../src/runs/report/next-step.js'
import type {RunReport} from '../../../src/runs/report/report.js'

const command = 'vendorctl runs results 20240101-000000-00000'

test.each([
  ['refused', `Fix the refused rows and send them: ${command}`],
  ['denied', `No row is at fault; send them again when the service permits it: ${command}`],
  ['unsafe', `No row is at fault; send them again when the service permits it: ${command}`],
])('a run that ended %s says whether its rows are at fault', (exit, expected) => {
  expect(nextStepText(nextStepOf('done', '20240101-000000-00000', {refused: 2, exit}))).toBe(expected)
})

const id = '20240101-000000-00000'
const resume = `Send what is left: vendorctl runs resume ${id}`

test.each([
  ['interrupted', {applied: 1}, {exit: 130, changed: 'some', retry: 'safe', hint: resume}],
  ['interrupted', {}, {exit: 130, changed: 'none', retry: 'safe', hint: resume}],
  ['partial', {applied: 1}, {exit: 6, changed: 'some', retry: 'safe', hint: resume}],
  ['inDoubt', {inDoubt: 1}, {exit: 7, changed: 'unknown', hint: expect.stringContaining(`runs reconcile ${id}`)}],
])('a run that ended %s without a failure says what it changed, and names itself: %j', (exit, some, entry) => {
  const rows = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 1, unchanged: 0, ...some}
  const report = {runId: id, rows, outcomes: [{line: 2, fate: 'unsent'}], entries: [], exit} as unknown as RunReport

  expect(entriesOf(report)).toMatchObject([entry])
  expect(entriesOf({...report, exit: 'ok'})).toEqual([])
})

test('what was stopped before it had a run is begun again', () => {
  const report = {rows: {}, outcomes: [], entries: [], exit: 'interrupted'} as unknown as RunReport

  expect(entriesOf(report)).toMatchObject([{changed: 'none', hint: 'Run the same command again.'}])
})
