import {describe, expect} from 'vitest'
import type {RunFolder} from '../../../src/core/run-id.js'
import {withoutUndone} from '../../../src/runs/earlier-runs/read-runs.js'
import type {RunFacts} from '../../../src/runs/journal/journal-entries.js'
import {makeRun, now, test} from '../journal/a-run.js'

const ids = ['20260131-174502-00001', '20260131-174502-00002', '20260131-174502-00003'] as const

/** A run that is kept, and ended well. */
function keep(folder: RunFolder, place: 0 | 1 | 2, {undoneBy, applied = 4}: {undoneBy?: string[]; applied?: number}) {
  const {journal} = makeRun(folder, {id: ids[place], ...(undoneBy && {undoneBy})} satisfies Partial<RunFacts>)
  journal.end({exit: 'ok', rows: {applied, unchanged: 0}, requests: 1, endedAt: now})
  const run = {facts: journal.facts(), outcome: journal.outcome()}
  journal.close()
  return run
}

describe('a run that was undone', () => {
  test('counts no longer', ({folder}) => {
    const run = keep(folder, 0, {undoneBy: [ids[1]]})
    keep(folder, 1, {})

    expect(withoutUndone([run], folder)).toEqual([])
  })

  test.for([
    ['again, when that was undone', 4, 1],
    ['no longer, when what was to undo that applied nothing', 0, 0],
  ] as const)('counts %s', ([, applied, left], {folder}) => {
    const run = keep(folder, 0, {undoneBy: [ids[1]]})
    keep(folder, 1, {undoneBy: [ids[2]]})
    keep(folder, 2, {applied})

    expect(withoutUndone([run], folder)).toHaveLength(left)
  })
})
