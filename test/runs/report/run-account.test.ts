import {expect, test} from 'vitest'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {requestsSoFar} from '../../../src/runs/report/run-account.js'
import {useRuns} from '../earlier-runs/runs.js'

const runs = useRuns()
const lines = ['id,maxChargePrice', '1001,600', '1002,601', '1003,602']

test('requests of a killed run are those that its journal knows of', async () => {
  await runs.give('sites.update', lines, {setSize: 1, diesAt: {set: 2, when: 'before'}})

  const [id = ''] = runs.ids()
  const {used, outcome} = runs.journal(id, (journal) => ({
    outcome: journal.outcome(),
    used: requestsSoFar(loadRun(journal), journal.outcome()),
  }))

  expect(outcome).toBeUndefined()
  expect(used).toBe(3)
})
