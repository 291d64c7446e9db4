import {dirname} from 'node:path'
import {expect, test} from 'vitest'
import {readRuns} from '../../../src/runs/earlier-runs/read-runs.js'
import {leaveOutDeleted} from '../../../src/runs/earlier-runs/related-runs.js'
import {findOverlap} from '../../../src/runs/earlier-runs/repeated.js'
import {batchOf, type Uncut} from '../../../src/runs/rows/phases.js'
import {countsOf, stockUp} from '../../support/stock.js'
import {failureOf, useRuns} from './runs.js'

const runs = useRuns()
const ids = Array.from({length: 15}, (_, place) => 20_001 + place)
const adjust = (...ids: number[]) => ['selectionId,delta', ...ids.map((id) => `${id},1`)]
const path = '/restock.csv'

test('a corrected file after a run that was applied completely and never reported changes no record twice', async () => {
  stockUp(runs.sandbox, ...ids)
  await runs.give('selections.adjust', adjust(...ids.slice(0, 12)), {path, diesUntold: true})

  const failure = await failureOf(runs.give('selections.adjust', adjust(...ids.slice(2)), {path}))

  expect(failure).toMatchObject({exit: 'invalid', code: 'INVALID_INPUT', changed: 'none'})
  expect(failure.entries).toHaveLength(10)
  expect(failure.entries[0]).toMatchObject({code: 'APPLIED_BY_OTHER_FILE', line: 2})
  expect(countsOf(runs.sandbox, ...ids)).toEqual([...Array(12).fill(6), 5, 5, 5])
})

test('a row of another file that an open run planned, too, is not taken from it, and sent once', async () => {
  stockUp(runs.sandbox, ...ids)
  await runs.give('selections.adjust', adjust(20_001, 20_002), {path, setSize: 1, diesAt: {set: 2, when: 'before'}})
  const [first = ''] = runs.ids()
  runs.journal(first, (journal) => journal.change(2, {state: 'planned', how: 'person', why: 'not applied'}))

  await runs.give('selections.adjust', adjust(20_002), {path: '/other.csv'})
  const states = runs.journal(first, (journal) => journal.parts().map(({state}) => state))
  const resumed = await runs.resume(first)

  expect(states).toEqual(['confirmed', 'planned'])
  expect(resumed.outcomes.at(1)).toMatchObject({fate: 'applied', code: 'APPLIED_BEFORE'})
  expect(countsOf(runs.sandbox, 20_001, 20_002)).toEqual([6, 6])
})

test('--skip-applied sends of rows that a finished run applied only the others', async () => {
  stockUp(runs.sandbox, ...ids)
  await runs.give('selections.adjust', adjust(20_001, 20_002), {path})

  const again = await runs.give('selections.adjust', adjust(20_002, 20_003), {path: '/other.csv', skipsApplied: true})

  expect(again?.outcomes.map(({fate, code}) => [fate, code])).toEqual([
    ['applied', 'APPLIED_BEFORE'],
    ['applied', undefined],
  ])
  expect(countsOf(runs.sandbox, 20_001, 20_002, 20_003)).toEqual([6, 6, 6])

  for (const id of runs.ids()) runs.journal(id, (journal) => journal.learn({undoes: 'R0'}))
  const after = await runs.give('selections.adjust', adjust(20_002, 20_003), {path: '/last.csv', skipsApplied: true})
  expect(after?.outcomes.map(({code}) => code)).toEqual([undefined, undefined]) // an undo is no file that is given again
})

test('unsent rows that another run applied are not told as missing', async () => {
  const lines = ['machineId,code,message', '5001,NS,One', '5002,NS,Two']
  await runs.give('alerts.create', lines, {setSize: 1})
  await runs.give('alerts.create', lines, {setSize: 1}) // its first set is refused

  const report = await runs.give('alerts.create', lines, {setSize: 1, skipsApplied: true})

  expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
  expect(report?.notices).toEqual([
    `2 rows were applied by run ${runs.ids()[0]} and are not sent again (--fresh ignores earlier runs)`,
  ])
})

const folderOf = (id: string) => runs.journal(id, ({path}) => ({path: dirname(path)}))

test('rows that change a record by the number by which a finished run did are counted, whatever else is among them', async () => {
  stockUp(runs.sandbox, ...ids)
  await runs.give('selections.adjust', adjust(20_001, 20_002), {path})
  const [id = ''] = runs.ids()
  const [earlier, facts] = [{folder: folderOf(id)}, runs.journal(id, (journal) => journal.facts())]
  const rows = [20_001, 20_002, 20_003].map((selectionId, at) => ({line: at + 2, record: {selectionId, delta: 1}}))
  const overlap = (given: typeof rows) =>
    findOverlap(batchOf('selections.adjust', 'a.csv', given), readRuns(earlier.folder, {target: facts}).runs, {earlier})
  const [first, ...others] = rows as [(typeof rows)[0], ...typeof rows]

  expect(overlap(rows)).toMatchObject({id, applied: 2, rows: 3, isPart: true})
  expect(overlap([{...first, ...{skip: 'unchanged'}}, ...others])).toMatchObject({applied: 1, rows: 2})
  expect(overlap(rows.map((row) => ({...row, record: {...row.record, delta: 2}})))).toBeUndefined()
})

test('of records that no list shows those count as deleted which an earlier run deleted', async () => {
  await runs.give('sites.delete', ['id', '1001'])
  const [first = ''] = runs.ids()
  const target = runs.journal(first, (journal) => journal.facts())
  const rows = [1001, 1002, 99].map((id, at) => ({line: at + 2, record: {id}}))
  const missing = [rows[0], rows[2]].map((row) => ({line: row?.line ?? 0, id: row?.record.id ?? 0}))
  const plan = {
    ...batchOf('sites.delete', 'a.csv', rows),
    comparison: {missing, changes: [], unchanged: 0},
    notices: [],
  }

  const left = await leaveOutDeleted(plan as unknown as Uncut, {
    ...{folder: folderOf(first), target, keptMilliseconds: 0},
    ...{fingerprint: async () => target.keyFingerprint, reconcile: async () => false},
  })

  expect(left.rows.map(({skip, by}) => [skip, by])).toEqual([
    ['appliedBefore', first],
    ...Array(2).fill([undefined, undefined]),
  ])
  expect(left.comparison?.missing).toEqual([{line: 4, id: 99}])
  expect(left.notices).toEqual([expect.stringContaining(`1 site was deleted by run ${first}`)])
})
