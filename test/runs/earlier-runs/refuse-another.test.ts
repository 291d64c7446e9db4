import {dirname} from 'node:path'
import {expect, test} from 'vitest'
import {readRuns} from '../../../src/runs/earlier-runs/read-runs.js'
import {type EarlierRuns, refuseAnother} from '../../../src/runs/earlier-runs/related-runs.js'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {runPath} from '../../../src/runs/journal/run-folder.js'
import {writeSentCounter} from '../../../src/runs/journal/sent-counter.js'
import {useRuns} from './runs.js'

const runs = useRuns()
const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']

/** What a write of the rows of a run does before it begins, when it looked while the runs of `seen` were there. */
function check(id: string, seen: readonly string[], file?: string): void {
  const {plan, facts, path} = runs.journal(id, (journal) => ({...loadRun(journal), path: dirname(journal.path)}))
  const unused = () => {
    throw new TypeError('not needed')
  }
  const earlier: EarlierRuns = {
    ...{folder: {path}, target: facts},
    ...{keptMilliseconds: 0, fingerprint: unused, open: unused, reconcile: unused},
  }
  refuseAnother(plan, {earlier, path: file, seen: new Set(seen)})
}

test('of two who prepare the same rows at once one sends them, also when the other has ended by then', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()

  expect(() => check(first, [])).toThrow(
    expect.objectContaining({
      code: 'SENT_MEANWHILE',
      exit: 'locked',
      message: `Run ${first} sent rows of this write while it was being prepared; nothing was sent.`,
    }),
  )
})

test('of two who prepare the same file at once one sends it, though it was edited in between', async () => {
  await runs.give('alerts.create', lines, {path: '/alerts.csv'})
  await runs.give('alerts.create', ['machineId,code,message', '5003,CJ,Dark'], {fresh: true})
  const [first = '', edited = ''] = runs.ids()

  expect(() => check(edited, [edited], '/alerts.csv')).toThrow(expect.objectContaining({code: 'SENT_MEANWHILE'}))
  expect(() => check(edited, [edited], '/others.csv')).not.toThrow()
  expect(() => check(edited, [first, edited], '/alerts.csv')).not.toThrow()
})

test('a run that was there before came not between', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()

  expect(() => check(first, [first])).not.toThrow()
})

test('a run that was only about to begin was not there before', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()
  const {facts, path} = runs.journal(first, (journal) => ({facts: journal.facts(), path: dirname(journal.path)}))
  const about = '20260131-120001-00000'
  writeSentCounter(runPath({path}, about), facts, 0, {isNew: true})

  const {seen} = readRuns({path}, {target: facts})

  expect([...seen]).toEqual([first])
})
