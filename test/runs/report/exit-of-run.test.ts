import {expect, test} from 'vitest'

import {CliFailure, type ErrorEntry} from '../../../src/core/errors.js'
import {foldResults} from '../../../src/runs/report/fold-results.js'
import {
  type Ending,
  endedByQuota,
  exitOfRun,
  isAboutAccess,
  joinEndings,
  joinReports,
  type RunReport,
  stopOf,
} from '../../../src/runs/report/report.js'
import {reportOfPlan} from '../../../src/runs/report/report-of-run.js'
import {agreedRows, batchOf, type Fates} from '../../../src/runs/rows/phases.js'
import {toSending} from '../flow.js'

const none: Fates = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}

test.each<[Partial<Fates>, Partial<Ending>, string]>([
  [{}, {}, 'ok'],
  [{applied: 3}, {}, 'ok'],
  [{applied: 3}, {stoppedBy: 'interrupted'}, 'ok'],
  [{refused: 1, rolledBack: 2, unsent: 3}, {refusedStatus: 400}, 'refused'],
  [{refused: 1, rolledBack: 1}, {refusedStatus: 400}, 'refused'],
  [{refused: 1, unsent: 1}, {refusedStatus: 400}, 'refused'],
  [{rolledBack: 1, unsent: 1}, {}, 'failure'],
  [{refused: 1}, {refusedStatus: 403}, 'denied'],
  [{refused: 1}, {refusedStatus: 401}, 'denied'],
  [{refused: 1}, {refusedStatus: 302}, 'unsafe'],
  [{applied: 1, refused: 1}, {refusedStatus: 403}, 'partial'],
  [{applied: 1, unsent: 1}, {unsentBecause: 'limited'}, 'partial'],
  [{unsent: 1}, {unsentBecause: 'limited'}, 'limited'],
  [{unsent: 1}, {unsentBecause: 'unavailable'}, 'unavailable'],
  [{unsent: 1}, {unsentBecause: 'denied'}, 'denied'],
  [{unsent: 1}, {}, 'failure'],
  [{applied: 1, unsent: 1}, {stoppedBy: 'interrupted'}, 'interrupted'],
  [{unsent: 1}, {stoppedBy: 'terminated', unsentBecause: 'interrupted'}, 'terminated'],
  [{applied: 1, refused: 1, unsent: 1}, {stoppedBy: 'interrupted', refusedStatus: 400}, 'partial'],
  [{applied: 1, refused: 1, inDoubt: 1, unsent: 1}, {stoppedBy: 'interrupted'}, 'inDoubt'],
  [{applied: 3}, {unrecorded: true}, 'storage'],
  [{applied: 1, unsent: 1}, {unrecorded: true, stoppedBy: 'interrupted'}, 'storage'],
  [{applied: 1, unsent: 1}, {unsentBecause: 'storage'}, 'storage'],
  [{refused: 1, unsent: 1}, {unsentBecause: 'storage', refusedStatus: 400}, 'storage'],
  [{applied: 1, inDoubt: 1}, {unrecorded: true}, 'inDoubt'],
  [{refused: 1}, {refusedStatus: 300}, 'unsafe'],
  [{refused: 1}, {refusedStatus: 399}, 'unsafe'],
  [{refused: 1}, {refusedStatus: 404}, 'refused'],
  [{refused: 1}, {}, 'refused'],
  [{rolledBack: 1}, {}, 'failure'],
])('%j %j is %s', (rows, ending, exit) => {
  expect(exitOfRun({rows: {...none, ...rows}, ...ending})).toBe(exit)
})

test('a signal that stopped the first of two runs is how both ended', () => {
  const first: Ending = {rows: {...none, applied: 1, unsent: 1}, stoppedBy: 'interrupted'}

  const joined = joinEndings(first, {rows: {...none, unsent: 1}, stoppedBy: undefined})

  expect(joined.rows.unsent).toBe(2)
  expect(exitOfRun(joined)).toBe('interrupted')
})

test.each([302, 401, 403, 404])('a refusal of status %i is about login or address, and about no row', (status) => {
  expect([isAboutAccess(status), isAboutAccess(400), isAboutAccess()]).toEqual([true, false, false])
})

test.each([
  [['OWN_LIMIT'], {}, false, true],
  [['QUOTA', 'QUOTA_SPENT'], {}, true, true],
  [['QUOTA'], {}, false, false],
  [['QUOTA'], {}, undefined, false],
  [['OWN_LIMIT', 'AWAY'], {}, true, false],
  [['OWN_LIMIT'], {refused: 1}, true, false],
  [['OWN_LIMIT'], {rolledBack: 1}, true, false],
  [['OWN_LIMIT'], {inDoubt: 1}, true, false],
  [[], {}, true, false],
])('a run that failed for %j with %j was ended by a limit, where --until-quota is %s: %s', (codes, rows, until, is) => {
  const entries = codes.map((code) => ({code}) as ErrorEntry)

  expect(endedByQuota({rows: {...none, ...rows}, entries}, until)).toBe(is)
})

test('a signal ends a run as its reason says, and as interrupted without one', () => {
  const reason = new CliFailure('ended', {code: 'ANSWER_CUT', exit: 'terminated'})

  expect([undefined, new AbortController().signal, AbortSignal.abort(), AbortSignal.abort(reason)].map(stopOf)).toEqual(
    [...[undefined, undefined], ...['interrupted', 'terminated']],
  )
})

test('two runs of one command are reported as one: by line, with the counts and the end of both', () => {
  const report = (line: number, fates: Partial<Fates>): RunReport => {
    const plan = agreedRows({...batchOf('sites.update', 'a.csv', []), sending: toSending({}), sets: []})
    const rows = {...none, ...fates}
    const outcomes = [{line, fate: 'applied' as const}]
    return {...reportOfPlan(plan, {...foldResults(plan, []), outcomes, rows, ending: {rows}}), notices: [`of ${line}`]}
  }

  const joined = joinReports(report(9, {applied: 1}), report(2, {applied: 1, refused: 1}))

  expect(joined).toMatchObject({
    ...{exit: 'partial', rows: {applied: 2, refused: 1}, notices: ['of 9', 'of 2'], sentEarlier: true},
    outcomes: [{line: 2}, {line: 9}],
  })
  expect(joinReports(report(9, {unsent: 1}), report(2, {applied: 1})).sentEarlier).toBe(false)
})
