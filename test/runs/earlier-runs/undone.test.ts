import {describe, expect} from 'vitest'
import type {RunFolder} from '../../../src/core/run-id.js'
import {withoutUndone} from '../../../src/runs/earlier-runs/undone.js'
import type {RunFacts} from '../../../src/runs/journal/journal-entries.js'
import {makeRun, now, test} from '../journal/a-run.js'

const ids = ['20260131-174502-00001', '20260131-174502-00002', '20260131-174502-00003'] as const

/** A run that is kept, and ended well. */
function keep(folder: RunFolder, place: 0 | 1 | 2, ended: {undoneBy?: string[]; applied?: number; unchanged?: number}) {
  const {undoneBy, applied = 4, unchanged = 0} = ended
  const {journal} = makeRun(folder, {id: ids[place], ...(undoneBy && {undoneBy})} satisfies Partial<RunFacts>)
  journal.end({exit: 'ok', rows: {applied, unchanged}, requests: 1, endedAt: now})
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
    ['no longer, when some of it had been set back already', 1, 0],
    ['still, when its undo left a part of it', 0, 1],
  ] as const)('counts %s', ([, unchanged, left], {folder}) => {
    const run = keep(folder, 0, {undoneBy: [ids[1]]})
    keep(folder, 1, {applied: 3, unchanged})

    expect(withoutUndone([run], folder)).toHaveLength(left)
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
