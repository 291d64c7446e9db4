import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {describe, expect} from 'vitest'
import {CliFailure} from '../../../src/core/errors.js'
import type {RunFolder} from '../../../src/core/run-id.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import type {Journal} from '../../../src/runs/journal/journal.js'
import {openJournal, readJournal} from '../../../src/runs/journal/open-journal.js'
import {removeRun, runPath} from '../../../src/runs/journal/run-folder.js'
import {counterPath, readSentCounter, writeSentCounter} from '../../../src/runs/journal/sent-counter.js'
import {factsOf, id, makeRun, partOf, test} from './a-run.js'

/** A run that has something in every table, killed: what was written last lies in the log. */
function makeKilled(folder: RunFolder): Journal {
  const {journal} = makeRun(folder)
  journal.markSent(1)
  journal.transaction(() => {
    journal.change(1, {state: 'rejected', answer: '{"fate":"refused"}', how: 'answer', why: 'refused'})
    journal.addPart({...partOf(1, [1]), parent: 1})
    journal.skipRows([{place: 0, skip: 'appliedBefore', by: '20260101-000000-00000', id: '7'}])
    journal.keepPreimages([['[201,"Site 2"]', '{"name":"Site 2"}']])
    journal.learn({rejects: '/tmp/sites.rejects.csv'})
  })
  journal.markSent(2)
  return journal
}

function everythingOf(journal: Journal): string {
  const {facts, outcome, rows, digests, parts, bodyOf, events, preimages} = journal
  const lists = [rows(), digests(), parts(), parts().map(({seq}) => bodyOf(seq)), events(), preimages()]
  return JSON.stringify([facts(), outcome(), ...lists.map((list) => [...list])])
}

/** What is read of a run; undefined when it is refused. */
function readOrRefuse(folder: RunFolder): string | undefined {
  try {
    const journal = readJournal(folder, id, {isChecked: true})
    try {
      return everythingOf(journal)
    } finally {
      journal.close()
    }
  } catch (error) {
    if (error instanceof CliFailure && error.exit === 'storage') return undefined
    throw error
  }
}

describe('a journal with one changed bit', () => {
  test('is refused, or tells all that it told before', ({folder}) => {
    makeKilled(folder).close()
    const path = runPath(folder, id)
    const whole = readFileSync(path)
    const told = readOrRefuse(folder)
    const seen = new Set<string | undefined>()

    for (let at = 0; at < whole.length; at += 157) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, bytes)
      seen.add(readOrRefuse(folder))
    }

    expect(seen).toEqual(new Set([told, undefined]))
  })

  test.for([1, -1, -2_147_483_646])('that makes it one of version %i is damaged', (version, {folder}) => {
    makeKilled(folder).close()
    const database = openDatabase(runPath(folder, id))
    database.exec(`PRAGMA user_version=${version}`)
    database.close()

    const damaged = expect.objectContaining({code: 'STATE_DAMAGED', exit: 'storage'})
    expect(() => readJournal(folder, id)).toThrow(damaged)
    expect(() => openJournal(folder, id)).toThrow(damaged)
  })

  test('sends no body that it did not hold', ({folder}) => {
    const {journal} = makeRun(folder)
    const database = openDatabase(runPath(folder, id))
    database.exec("UPDATE body SET text = replace(text, 'Site 0', 'Site 9')")
    database.close()

    expect(() => journal.bodyOf(1)).toThrow(expect.objectContaining({code: 'STATE_DAMAGED', exit: 'storage'}))
    expect(journal.bodyOf(2)).toContain('Site 3')
    journal.close()
  })
})

describe('the counter beside a journal', () => {
  const damaged = expect.objectContaining({code: 'STATE_DAMAGED', exit: 'storage'})

  test('is missed, and so is a journal of which something was sent', ({folder}) => {
    makeKilled(folder).close()
    const path = runPath(folder, id)
    const [journal, counter] = [readFileSync(path), readFileSync(counterPath(path))]

    rmSync(counterPath(path))
    expect(() => readJournal(folder, id)).toThrow(damaged)
    writeFileSync(counterPath(path), counter.subarray(0, 20))
    expect(() => readJournal(folder, id)).toThrow(damaged)
    writeFileSync(counterPath(path), counter)
    rmSync(path)
    expect(() => readJournal(folder, id)).toThrow(damaged)
    writeFileSync(path, journal, {mode: 0o600})
    readJournal(folder, id).close()
  })

  test('tells what a run is for, whatever became of its journal', ({folder}) => {
    makeKilled(folder).close()
    const path = runPath(folder, id)
    writeFileSync(path, '')

    const {operation, baseUrl, stage} = factsOf()
    expect(readSentCounter(path)).toEqual({sent: 2, target: {operation, baseUrl, stage}})
  })

  test('is gone with the run, and says first that nothing was sent', ({folder}) => {
    makeKilled(folder).close()
    const path = runPath(folder, id)

    writeSentCounter(path, factsOf(), 0)
    rmSync(path)
    expect(() => readJournal(folder, id)).toThrow(expect.objectContaining({code: 'RUN_NEVER_BEGAN'}))
    removeRun(folder, id)
    expect(readSentCounter(path)).toBeUndefined()
  })

  test('that cannot be written keeps a set from being sent', ({folder}) => {
    const {journal} = makeRun(folder)
    rmSync(counterPath(journal.path))

    expect(() => journal.markSent(1)).toThrow(expect.objectContaining({exit: 'storage'}))
    expect(journal.parts().map(({state}) => state)).toEqual(['planned', 'planned'])
    journal.close()
  })

  test('that cannot be written leaves a set in doubt that was so before', ({folder}) => {
    const {journal} = makeRun(folder)
    const doubt = {boot: 'one', milliseconds: 7}
    journal.markSent(1)
    journal.transaction(() => journal.change(1, {state: 'inDoubt', doubt, why: 'reset'}))
    journal.markSent(1)
    journal.markSent(2)
    rmSync(counterPath(journal.path))

    for (const seq of [1, 2]) expect(() => journal.markSent(seq)).toThrow(expect.objectContaining({exit: 'storage'}))
    expect(journal.parts()).toMatchObject([{state: 'inDoubt', doubt}, {state: 'planned'}])
    journal.close()
  })
})
