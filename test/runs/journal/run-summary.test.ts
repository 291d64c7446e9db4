import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {listRuns} from '../../../src/activities/what-ran.js'
import {lockRun} from '../../../src/core/run-id.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import {runPath} from '../../../src/runs/journal/run-folder.js'
import {readSummary} from '../../../src/runs/journal/run-summary.js'
import {id, makeRun, now, partOf, test} from './a-run.js'

const outcome = {exit: 'ok', rows: {applied: 4}, requests: 3, endedAt: now}

type Steps = (journal: Journal) => void

const confirm = (journal: Journal, seq: number) =>
  journal.transaction(() => journal.change(seq, {state: 'confirmed', how: 'answer', why: 'answered'}))

/** As version 0.1 did with a run that went on on another machine. */
function markExported(journal: Journal): void {
  journal.learn({exported: now})
  journal.note(null, null, 'exported', 'for whoever imports the file')
}

describe('the state of a run', () => {
  test.for([
    ['unfinished', () => undefined],
    ['inDoubt', (journal: Journal) => journal.markSent(1)],
    ['unfinished', (journal: Journal) => confirm(journal, 1)],
    [
      'done',
      (journal: Journal) => {
        confirm(journal, 1)
        confirm(journal, 2)
        journal.end(outcome)
      },
    ],
    [
      'inDoubt',
      (journal: Journal) => {
        confirm(journal, 1)
        journal.transaction(() => journal.change(2, {state: 'inDoubt', why: 'cut'}))
      },
    ],
    ['done', (journal: Journal) => markExported(journal)],
    [
      'done',
      (journal: Journal) => {
        confirm(journal, 1)
        confirm(journal, 2)
        markExported(journal)
      },
    ],
  ] satisfies [string, Steps][])('is %s', ([state, steps], {folder}) => {
    const {journal} = makeRun(folder)
    steps(journal)
    journal.close()

    expect(readSummary(folder, id)?.state).toBe(state)
  })

  test('tells that nothing more is sent of a run whose first rows were refused', ({folder}) => {
    const {journal} = makeRun(folder)
    const canary = journal.transaction(() => journal.addPart({...partOf(1, [0]), parent: 1, origin: '{"canary":true}'}))
    const before = readSummary(folder, id)
    journal.transaction(() => journal.change(canary, {state: 'rejected', how: 'answer', why: 'refused'}))
    journal.close()

    expect(before).not.toHaveProperty('isKeptBack')
    expect(readSummary(folder, id)).toMatchObject({state: 'unfinished', isKeptBack: true})
  })

  test('tells nothing of the kind where the first rows were only sent in halves for their size', ({folder}) => {
    const {journal} = makeRun(folder)
    const canary = {...partOf(1, [0]), parent: 1, origin: '{"canary":true}'}
    journal.transaction(() => {
      const whole = journal.addPart(canary)
      journal.change(whole, {state: 'rejected', how: 'answer', why: 'answered 413'})
      const half = journal.addPart({...canary, parent: whole})
      journal.change(half, {state: 'confirmed', how: 'answer', why: 'done'})
    })
    journal.close()

    expect(readSummary(folder, id)).not.toHaveProperty('isKeptBack')
  })

  test('is told with how it ended, whoever it was given to since', ({folder}) => {
    const {journal} = makeRun(folder)
    journal.end(outcome)
    markExported(journal)
    const given = readSummary(folder, id)
    journal.learn({exported: undefined})
    journal.close()

    expect(given).toMatchObject({state: 'done', outcome})
    expect(readSummary(folder, id)).toMatchObject({state: 'unfinished', outcome})
  })

  test('is running while its lock is held, and says by whom', ({folder}) => {
    const {journal} = makeRun(folder)
    const lock = lockRun(folder, id)

    const summary = readSummary(folder, id)

    expect(summary).toMatchObject({state: 'running', owner: {pid: process.pid, since: expect.any(Number)}})
    lock.release()
    journal.close()
    expect(readSummary(folder, id)?.state).toBe('unfinished')
  })

  test('is damaged, newer or unsafe where the journal cannot be used', ({folder}) => {
    makeRun(folder).journal.close()
    const database = openDatabase(runPath(folder, id))
    database.exec('PRAGMA user_version=99')
    database.close()
    const newer = readSummary(folder, id)
    writeFileSync(runPath(folder, id), 'rubbish '.repeat(1_000))
    const damaged = readSummary(folder, id)

    expect(newer).toMatchObject({state: 'newer', problem: expect.stringContaining('later version')})
    expect(damaged).toMatchObject({state: 'damaged', problem: expect.stringContaining(id)})
  })
})

test('that cannot be reached just now is unreadable, and damaged for no reader', ({folder}) => {
  const path = runPath(folder, id)
  makeRun(folder).journal.close()
  mkdirSync(`${path}-wal`) // no log can be opened there, as on a full disk

  const summary = readSummary(folder, id)
  const [listed] = listRuns(folder, {open: true, kind: 'write'}, expect.unreachable)

  expect(summary).toMatchObject({state: 'unreadable', problem: expect.stringContaining('cannot be')})
  expect(listed).toMatchObject({state: 'unreadable', next: `See why it cannot be read: vendorctl runs show ${id}`})
  rmSync(`${path}-wal`, {recursive: true})
  expect(readSummary(folder, id)?.state).toBe('unfinished')
})

test('rows are counted by the parts that tell of them, each once', ({folder}) => {
  const {journal} = makeRun(folder)
  journal.transaction(() => {
    journal.change(1, {state: 'rejected', how: 'answer', why: 'refused'})
    const rest = journal.addPart({...partOf(1, [1]), parent: 1, origin: '{"part":{"kind":"rest"}}'})
    journal.change(rest, {state: 'confirmed', how: 'answer', why: 'answered'})
  })
  journal.markSent(2)
  journal.close()

  expect(readSummary(folder, id)).toMatchObject({
    parts: {confirmed: 1, rejected: 1, inDoubt: 2, planned: 0, closed: 0},
    sent: 1,
  })
})

test('how a run ended holds until something else happens to it', ({folder}) => {
  const {journal} = makeRun(folder)
  journal.end(outcome)
  const before = readSummary(folder, id)
  journal.transaction(() => journal.change(1, {state: 'closed', how: 'person', why: 'said so'}))
  journal.close()

  expect(before?.outcome).toMatchObject({exit: 'ok', requests: 3})
  expect(readSummary(folder, id)).not.toHaveProperty('outcome')
})

test('a run that never began is none', ({folder}) => {
  makeRun(folder).journal.close()
  const database = openDatabase(runPath(folder, id))
  database.exec('DELETE FROM run')
  database.close()

  expect(readSummary(folder, id)).toBeUndefined()
  writeFileSync(runPath(folder, id), '')
  expect(readSummary(folder, id)).toBeUndefined()
})

test('reading changes no byte and leaves no file', ({folder}) => {
  makeRun(folder).journal.close()
  const before = readFileSync(runPath(folder, id))
  const files = readdirSync(folder.path)

  readSummary(folder, id)

  expect(readFileSync(runPath(folder, id)).equals(before)).toBe(true)
  expect(readdirSync(folder.path)).toEqual(files)
})
