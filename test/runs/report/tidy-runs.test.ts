import {readdirSync, writeFileSync} from 'node:fs'
import {expect} from 'vitest'
import {lockRun} from '../../../src/core/run-id.js'
import {listRunIds, runPath} from '../../../src/runs/journal/run-folder.js'
import {writeSentCounter} from '../../../src/runs/journal/sent-counter.js'
import {listAudit, tidyRuns} from '../../../src/runs/report/audit.js'
import {factsOf, id, makeRun, now, test} from '../journal/a-run.js'

const later = now + 1_000
const outcome = {exit: 'ok', rows: {applied: 4}, requests: 3, endedAt: now}

test('finished runs of that age go, and nothing of them stays', ({folder}) => {
  const {journal} = makeRun(folder)
  for (const seq of [1, 2]) journal.transaction(() => journal.change(seq, {state: 'confirmed', why: 'answered'}))
  journal.end(outcome)
  journal.close()
  lockRun(folder, id).release()

  expect(tidyRuns(folder, now - 1_000)).toEqual([])
  expect(tidyRuns(folder, later)).toEqual([id])
  expect(readdirSync(folder.path)).toEqual(['reserve'])
})

test('runs stay in which a set was not sent, is in doubt, or that did not say how they ended', ({folder}) => {
  const ids = ['20260101-000000-00000', '20260101-000000-00001', '20260101-000000-00002']
  makeRun(folder, {id: ids[0] ?? ''}).journal.close()
  const doubt = makeRun(folder, {id: ids[1] ?? ''}).journal
  doubt.markSent(1)
  doubt.end(outcome)
  doubt.close()
  const unsaid = makeRun(folder, {id: ids[2] ?? ''}).journal
  for (const seq of [1, 2]) unsaid.transaction(() => unsaid.change(seq, {state: 'confirmed', why: 'answered'}))
  unsaid.close()

  expect(tidyRuns(folder, later)).toEqual([])
  expect(listRunIds(folder)).toEqual(ids)
})

test('a run stays that a process works on, and one that cannot be read', ({folder}) => {
  const {journal} = makeRun(folder)
  for (const seq of [1, 2]) journal.transaction(() => journal.change(seq, {state: 'confirmed', why: 'answered'}))
  journal.end(outcome)
  journal.close()
  const lock = lockRun(folder, id)
  writeFileSync(runPath(folder, '20260101-000000-00000'), 'rubbish '.repeat(1_000), {mode: 0o600})

  expect(tidyRuns(folder, later)).toEqual([])
  lock.release()
  expect(tidyRuns(folder, later)).toEqual([id])
})

test('what is left of a run that never began goes at once, unless somebody is about to begin it', ({folder}) => {
  makeRun(folder).journal.close()
  const never = '20260131-174503-00000'
  writeFileSync(runPath(folder, never), '', {mode: 0o600})
  writeSentCounter(runPath(folder, never), factsOf(), 0, {isNew: true})
  const lock = lockRun(folder, never)

  expect(tidyRuns(folder, 0)).toEqual([])
  lock.release()
  expect(tidyRuns(folder, 0)).toEqual([never])
  expect(listRunIds(folder)).toEqual([id])
})

test('a run with an answer that no disk took is listed as its sets are, and not as its end was reported', ({
  folder,
}) => {
  const {journal} = makeRun(folder)
  journal.markSent(1)
  journal.transaction(() => journal.change(2, {state: 'confirmed', why: 'answered'}))
  journal.end(outcome)
  journal.close()

  const [entry] = listAudit(folder).entries

  expect(entry).toMatchObject({applied: 2, inDoubt: 2})
})
