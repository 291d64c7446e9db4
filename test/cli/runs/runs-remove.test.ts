import {writeFileSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {chooseRuns, removeRuns} from '../../../src/activities/remove-runs.js'
import {removeConfirmed} from '../../../src/cli/runs/runs-remove.js'
import type {RunFolder} from '../../../src/core/run-id.js'
import {listRunIds, runPath} from '../../../src/runs/journal/run-folder.js'
import {writeSentCounter} from '../../../src/runs/journal/sent-counter.js'
import {factsOf, makeRun, now, test} from '../../runs/journal/a-run.js'

const quiet = (): void => undefined
const [finished, unfinished] = ['20260101-000000-00000', '20260101-000000-00001']

function makeTwo(folder: RunFolder): void {
  const {journal} = makeRun(folder, {id: finished})
  for (const seq of [1, 2]) journal.transaction(() => journal.change(seq, {state: 'confirmed', why: 'answered'}))
  journal.end({exit: 'ok', rows: {applied: 4}, requests: 2, endedAt: now})
  journal.close()
  makeRun(folder, {id: unfinished}).journal.close()
}

describe('runs that are removed', () => {
  test.for([{'older-than': '1h'}, {all: true, yes: true}])(
    'are the finished ones where all or old ones are meant: %j',
    async (flags, {folder}) => {
      makeTwo(folder)

      const done = await removeConfirmed(folder, [], {...flags, 'no-input': true}, quiet)

      expect(done).toMatchObject({removed: [finished], kept: 1})
      expect(listRunIds(folder)).toEqual([unfinished])
    },
  )

  test('are not those of this century where only older ones are meant', async ({folder}) => {
    makeTwo(folder)

    expect(await removeConfirmed(folder, [], {'older-than': '9999w', 'no-input': true}, quiet)).toMatchObject({
      removed: [],
    })
  })

  test('are those that are named, each once; open ones only with --yes', async ({folder}) => {
    makeTwo(folder)

    const refused = removeConfirmed(folder, [finished, unfinished], {'no-input': true}, quiet)
    await expect(refused).rejects.toMatchObject({
      ...{code: 'NOT_CONFIRMED', exit: 'usage', message: expect.stringContaining('Only their journals record')},
    })
    expect(listRunIds(folder)).toHaveLength(2)

    const done = await removeConfirmed(folder, [unfinished, unfinished, finished], {yes: true}, quiet)
    expect(done?.removed).toEqual([unfinished, finished])
    expect(listRunIds(folder)).toEqual([])
  })
})

describe('all runs', () => {
  test('are those that were over or had not begun when they were chosen, and not one that began since', ({folder}) => {
    makeTwo(folder)
    const [never, late] = ['20260101-000000-00002', '20260101-000000-00003']
    for (const id of [never, late]) {
      writeSentCounter(runPath(folder, id), factsOf(), 0, {isNew: true})
      writeFileSync(runPath(folder, id), '', {mode: 0o600})
    }
    const chosen = chooseRuns(folder, {ids: [], all: true, before: undefined})
    makeRun(folder, {id: late}).journal.close()

    expect(removeRuns(folder, chosen)).toEqual([finished, never])
    expect(listRunIds(folder)).toEqual([unfinished, late])
  })

  test('are not removed unasked where nobody can be asked; what can no longer be undone is named', async ({folder}) => {
    const {journal} = makeRun(folder, {id: finished, operation: 'sites.update', preimages: 'whole'})
    for (const seq of [1, 2]) journal.transaction(() => journal.change(seq, {state: 'confirmed', why: 'answered'}))
    journal.end({exit: 'ok', rows: {applied: 4}, requests: 2, endedAt: now})
    journal.close()

    await expect(removeConfirmed(folder, [], {all: true, 'no-input': true}, quiet)).rejects.toMatchObject({
      ...{code: 'NOT_CONFIRMED', exit: 'usage', hints: [expect.stringContaining('--yes')]},
      message: expect.stringContaining(`1 run can no longer be undone once removed: ${finished}`),
    })
    expect(listRunIds(folder)).toEqual([finished])
    const done = await removeConfirmed(folder, [], {all: true, yes: true}, quiet)
    expect(done?.losses).toEqual([expect.stringContaining(finished)])
  })
})

test.for([
  [[], {}, 'NO_SELECTION'],
  [[], {all: true, 'older-than': '1d'}, 'TWO_SELECTIONS'],
  [[finished], {all: true}, 'TWO_SELECTIONS'],
  [[], {'older-than': '30'}, 'USAGE'],
  [[], {'older-than': '-1d'}, 'USAGE'],
  [['nothing'], {}, 'NO_RUN'],
] as const)('%j with %j is refused: %s', async ([ids, flags, code], {folder}) => {
  makeTwo(folder)

  await expect(removeConfirmed(folder, ids, flags, quiet)).rejects.toMatchObject({code, exit: 'usage'})
  expect(listRunIds(folder)).toHaveLength(2)
})
