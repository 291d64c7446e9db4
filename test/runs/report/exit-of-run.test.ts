import {expect, test} from 'vitest'

import {type Ending, exitOfRun, joinEndings} from '../../../src/runs/report/report.js'
import type {Fates} from '../../../src/runs/rows/phases.js'

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
  [{applied: 3}, {unkept: true}, 'storage'],
  [{applied: 1, unsent: 1}, {unkept: true, stoppedBy: 'interrupted'}, 'storage'],
  [{applied: 1, unsent: 1}, {unsentBecause: 'storage'}, 'storage'],
  [{refused: 1, unsent: 1}, {unsentBecause: 'storage', refusedStatus: 400}, 'storage'],
  [{applied: 1, inDoubt: 1}, {unkept: true}, 'inDoubt'],
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
