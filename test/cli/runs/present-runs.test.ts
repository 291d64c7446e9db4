import {expect, test} from 'vitest'
import {ownColumns, runColumns, toTimeColumn} from '../../../src/cli/read/own-columns.js'
import {gatherNextSteps, renderNextSteps} from '../../../src/cli/runs/runs-list.js'
import {settleConditions} from '../../../src/formats/conditions.js'
import {selectRecords} from '../../../src/formats/sort/sort-key.js'
import {summaryColumns} from '../../../src/reports/summary/summary-fields.js'

const run = (state: string, next: string) => ({id: next, state, next})

test('names the next step of every run that waits for somebody, and changes no run', () => {
  const runs = [run('running', 'wait'), run('inDoubt', 'reconcile'), run('done', 'nothing'), run('damaged', 'show')]
  const steps: string[] = []

  const listed = [...gatherNextSteps(runs, steps)]

  expect(listed).toEqual(runs)
  expect(renderNextSteps(steps)).toEqual(['→ reconcile', '→ show'])
})

test('names five, and how to see the others', () => {
  const steps = Array.from({length: 7}, (_, place) => `step ${place}`)

  expect(renderNextSteps(steps).slice(-2)).toEqual([
    '→ step 4',
    '… and 2 more: vendorctl runs list --open --columns next',
  ])
})

const now = Date.UTC(2024, 6, 3, 12)

test.each([
  ['started>=-2d', runColumns, ['2024-07-01T12:00:00Z']],
  ['started<-2d', runColumns, ['2024-07-01T11:59:59Z']],
  ['started=2024-07-01T12:00Z', runColumns, ['2024-07-01T12:00:00Z']],
  ['startedAt=yesterday', [...ownColumns(['id']), toTimeColumn('startedAt')], ['2024-07-02T08:00:00.123Z']],
  ['day>=yesterday', summaryColumns(['day']), ['2024-07-02']],
])('%s compares times, not texts', (condition, columns, expected) => {
  const name = condition.split(/[<>=]/)[0] ?? ''
  const times = ['2024-07-01T11:59:59Z', '2024-07-01T12:00:00Z']
  const others = name === 'day' ? ['2024-07-01', '2024-07-02'] : ['2024-07-02T08:00:00.123Z']
  const records = (name === 'started' ? times : others).map((time) => ({[name]: time}))

  const {records: found} = selectRecords(records, columns, {where: settleConditions([condition], columns, now)})

  expect(found.map((record) => record[name])).toEqual(expected)
})
