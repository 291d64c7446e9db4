import {expect} from 'vitest'
import {chooseRuns} from '../../src/activities/remove-runs.js'
import {lockRun} from '../../src/core/run-id.js'
import {runPath} from '../../src/runs/journal/run-folder.js'
import {writeSentCounter} from '../../src/runs/journal/sent-counter.js'
import {factsOf, id, test} from '../runs/journal/a-run.js'

test('a run that is about to begin is in progress, and is not among all that are over', ({folder}) => {
  const lock = lockRun(folder, id)
  writeSentCounter(runPath(folder, id), factsOf(), 0, {isNew: true})
  const all = {ids: [], all: true, before: undefined}

  expect(chooseRuns(folder, all)).toMatchObject({runs: [], kept: 1})
  lock.release()
  expect(chooseRuns(folder, all)).toMatchObject({runs: [{id}], kept: 0})
})
