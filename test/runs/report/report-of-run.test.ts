import {expect, test} from 'vitest'
import type {WriteAnswer} from '../../../src/client/types.js'
import type {WriteId} from '../../../src/contract/index.js'
import type {Evidence, JournalPart} from '../../../src/runs/journal/journal-entries.js'
import type {LoadedRun} from '../../../src/runs/journal/load-run.js'
import {foldResults} from '../../../src/runs/report/fold-results.js'
import {reportOfPlan, reportOfRun} from '../../../src/runs/report/report-of-run.js'
import {PackedRows} from '../../../src/runs/rows/packed-rows.js'
import {agreedRows, batchOf} from '../../../src/runs/rows/phases.js'
import {toNumber} from '../../../src/values/json.js'
import {toSending} from '../flow.js'
import {factsOf} from '../recorded.js'

/** A run whose sets of two rows were all confirmed, each by this evidence. */
function confirmedBy(operation: WriteId, ...evidence: Evidence[]): LoadedRun {
  const plan = agreedRows({...batchOf(operation, 'a.csv', []), sending: toSending({}), sets: []})
  const parts = evidence.map((how, index) => ({
    part: {seq: index + 1, state: 'confirmed', how} as JournalPart,
    set: {number: index + 1, places: [2 * index, 2 * index + 1]},
  }))
  return {facts: factsOf(plan), plan, parts}
}

test.each<[WriteId, Evidence[], number | undefined]>([
  ['selections.adjust', ['probe', 'probe'], 4],
  ['selections.adjust', ['probe', 'person'], 2],
  ['selections.adjust', ['probe', 'answer'], undefined],
  ['selections.adjust', ['person'], undefined],
  ['sites.update', ['probe'], undefined],
])('rows of %s confirmed by %j, of which equal changes could be those of others: %s', (operation, how, count) => {
  expect(reportOfRun(confirmedBy(operation, ...how), {results: []}).equalChanges).toBe(count)
})

test('a set of records that no file lists is named by every digit of its ids', () => {
  const ids = ['9007199254740993', '9007199254740995']
  const rows = PackedRows.of(ids.map((id, index) => ({line: index + 1, record: {id: toNumber(id)}})))
  const plan = agreedRows({
    ...{...batchOf('alerts.clear', 'alerts', rows), reading: null},
    ...{sending: toSending({}), sets: [{number: 1, places: [0, 1]}]},
  })
  const answer: WriteAnswer = {fate: 'inDoubt', why: 'reset', refusals: []}
  const {notes} = reportOfPlan(
    plan,
    foldResults(
      plan,
      plan.sets.map((set) => ({set, answer})),
    ),
  )

  expect(notes).toMatchObject([{names: ids}])
})
