import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {listRuns} from '../../src/activities/what-ran.js'
import {CliFailure} from '../../src/core/errors.js'
import type {RunFolder} from '../../src/core/run-id.js'
import {readRows, readRuns} from '../../src/runs/earlier-runs/read-runs.js'
import {loadRun} from '../../src/runs/journal/load-run.js'
import {readDamaged, withJournal} from '../../src/runs/journal/open-journal.js'
import {runPath} from '../../src/runs/journal/run-folder.js'
import {readAccount} from '../../src/runs/report/run-account.js'
import {factsOf, id, makeRun, test} from '../runs/journal/a-run.js'

const sqlitePage = 4096
const flips = 60

/** A run that was killed after one set was refused and one applied: every table of its journal has to be read. */
function journalOf(folder: RunFolder): Buffer {
  const {journal} = makeRun(folder)
  journal.transaction(() => {
    journal.change(1, {
      state: 'rejected',
      answer: '{"fate":"refused","status":400,"refusals":[]}',
      how: 'answer',
      why: 'refused',
    })
    journal.change(2, {state: 'confirmed', answer: '{"fate":"applied","ids":[1,2]}', why: 'answered'})
  })
  journal.close()
  return readFileSync(runPath(folder, id))
}

/** Every page overwritten, the file cut after each, and bytes turned over here and there. */
function* damages(whole: Buffer): Generator<Buffer, void, void> {
  for (let at = 0; at < whole.length; at += sqlitePage) {
    yield Buffer.from(whole).fill(0xa5, at, at + sqlitePage)
    yield whole.subarray(0, at + sqlitePage / 2)
  }
  for (let flip = 0; flip < flips; flip++) {
    const bytes = Buffer.from(whole)
    const at = (flip * 7919) % whole.length
    yield bytes.fill(0x7e, at, at + 1 + (flip % 5) * 9)
  }
}

function failureOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

describe('a damaged journal', () => {
  test('is told as damaged by whatever reads it, and hides no other run', ({folder}) => {
    const whole = journalOf(folder)
    const reads = {
      show: () => readAccount(folder, id, true),
      rest: () => readDamaged(folder, id),
      summaries: () => readRuns(folder, {target: factsOf()}),
      rows: () => withJournal(folder, id, readRows),
      run: () => withJournal(folder, id, loadRun),
    }
    const told = new Set<string>()

    for (const bytes of damages(whole)) {
      writeFileSync(runPath(folder, id), bytes, {mode: 0o600})
      const states = [...listRuns(folder, {}, expect.unreachable)].map(({state}) => String(state))
      const failures = Object.values(reads).map(failureOf)
      for (const state of states) told.add(state)
      expect(failures.filter((failure) => failure !== undefined && !(failure instanceof CliFailure))).toEqual([])
    }

    expect([...told].toSorted()).toEqual(['damaged', 'done'])
  })

  test('that nothing is wrong with is told whole', ({folder}) => {
    journalOf(folder)

    const [run] = listRuns(folder, {}, expect.unreachable)

    expect(run).toMatchObject({id, state: 'done', applied: 2})
  })
})
