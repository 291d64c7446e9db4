import {expect, test} from 'vitest'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {readAccount, requestsSoFar, toAccountData} from '../../../src/runs/report/run-account.js'
import {printJson} from '../../../src/values/json.js'
import {useRuns} from '../earlier-runs/runs.js'

const runs = useRuns()
const lines = ['id,maxChargePrice', '1001,600', '1002,601', '1003,602']

test('a killed run is told of by its journal: its requests, and the record of each row that needed none', async () => {
  const {maxChargePrice = null} = runs.read('site').find(({id}) => id === 1004) ?? {}
  await runs.give('sites.update', [...lines, `1004,${printJson(maxChargePrice)}`], {
    setSize: 1,
    diesAt: {set: 2, when: 'before'},
  })

  const [id = ''] = runs.ids()
  const {used, outcome} = runs.journal(id, (journal) => ({
    outcome: journal.outcome(),
    used: requestsSoFar(loadRun(journal), journal.outcome()),
  }))

  expect(outcome).toBeUndefined()
  expect(used).toBe(3)
  expect(runs.report(id).outcomes.at(3)).toMatchObject({fate: 'unchanged', id: 1004})
})

test('a run that ended is told of as data, with how it ended', async () => {
  await runs.give('sites.update', lines)
  const [id = ''] = runs.ids()

  const data = toAccountData(readAccount(runs.folder, id, false), runs.folder)

  const ended = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect(data).toMatchObject({
    ...{id, state: 'done', rows: {applied: 3, unsent: 0}},
    outcome: {exit: 'ok', rows: {applied: 3}, endedAt: ended},
  })
})
