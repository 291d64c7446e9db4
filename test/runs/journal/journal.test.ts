import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {bootMoment} from '../../../src/core/clock.js'
import {CliFailure} from '../../../src/core/errors.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import {reserveBytes} from '../../../src/runs/journal/disk-reserve.js'
import {fromAnswerText, toAnswerText} from '../../../src/runs/journal/journal-entries.js'
import {createJournal, journalVersion, openJournal, readJournal} from '../../../src/runs/journal/open-journal.js'
import {runPath} from '../../../src/runs/journal/run-folder.js'
import {readSummary} from '../../../src/runs/journal/run-summary.js'
import {factsOf, id, makeRun, test} from './a-run.js'

describe('a journal', () => {
  test('tells after a kill what was written before it', ({folder}) => {
    const {journal, seqs} = makeRun(folder)
    const [first = 0] = seqs
    journal.markSent(first)
    // not closed: a process that is killed closes nothing

    const again = openJournal(folder, id)

    expect(again.parts().map(({state}) => state)).toEqual(['sent', 'planned'])
    expect(again.parts()[0]).toMatchObject({attempts: 1, sent: {boot: bootMoment().boot}})
    expect(again.bodyOf(first)).toContain('Site 1')
    expect(again.events().map(({to}) => to)).toEqual(['planned', 'sent'])
    again.close()
    journal.close()
  })

  test('is damaged, and none of a run that never began, when its log is lost after a kill', ({folder}) => {
    const path = runPath(folder, id)
    const {journal, seqs} = makeRun(folder)
    journal.markSent(seqs[0] ?? 0)
    const bytes = readFileSync(path)
    journal.close()
    writeFileSync(path, bytes) // as it lay there at the kill, and no log beside it

    expect(() => readJournal(folder, id)).toThrow(expect.objectContaining({code: 'STATE_DAMAGED'}))
    expect(readSummary(folder, id)).toMatchObject({state: 'damaged'})
  })

  test('is damaged when the entry of a set that was sent is lost', ({folder}) => {
    const path = runPath(folder, id)
    const {journal, seqs} = makeRun(folder)
    journal.markSent(seqs[0] ?? 0)
    journal.close()
    const bytes = readFileSync(path)
    const again = openJournal(folder, id)
    again.markSent(seqs[1] ?? 0)
    again.close()
    writeFileSync(path, bytes)

    expect(() => openJournal(folder, id)).toThrow(expect.objectContaining({code: 'STATE_DAMAGED'}))
  })

  test('keeps nothing of a transaction that fails', ({folder}) => {
    const {journal, seqs} = makeRun(folder)

    expect(() =>
      journal.transaction(() => {
        journal.change(seqs[0] ?? 0, {state: 'confirmed', why: 'answered'})
        throw new Error('on purpose')
      }),
    ).toThrow(expect.objectContaining({exit: 'storage'}))

    expect(journal.parts()[0]?.state).toBe('planned')
    expect(journal.events()).toHaveLength(1)
    journal.close()
  })

  test('is for its owner only, whatever the umask', ({folder}) => {
    const before = process.umask(0)
    const {journal} = makeRun(folder)
    process.umask(before)

    const modes = readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).mode & 0o777)
    expect(modes.length).toBeGreaterThan(2)
    expect(new Set(modes)).toEqual(new Set([0o600]))
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    journal.close()
  })

  test('has a reserve of room beside it, which is given back once for an answer on a full disk', ({folder}) => {
    const {journal, seqs} = makeRun(folder)
    const reserve = join(folder.path, 'reserve')
    let tries = 0
    const sizeBefore = statSync(reserve).size

    journal.keep(() => {
      tries++
      if (existsSync(reserve)) throw Object.assign(new Error('database or disk is full'), {errcode: 13})
      journal.change(seqs[0] ?? 0, {state: 'confirmed', why: 'answered'})
    })

    expect(sizeBefore).toBe(reserveBytes)
    expect(tries).toBe(2)
    expect(journal.parts()[0]?.state).toBe('confirmed')
    expect(() =>
      journal.keep(() => {
        throw Object.assign(new Error('full again'), {errcode: 13})
      }),
    ).toThrow(expect.objectContaining({code: 'STATE_FULL', exit: 'storage'}))
    journal.close()
    openJournal(folder, id).close()
    expect(statSync(reserve).size).toBe(reserveBytes)
  })

  test('does not use the reserve for what comes before sending', ({folder}) => {
    const {journal} = makeRun(folder)

    expect(() =>
      journal.transaction(() => {
        throw Object.assign(new Error('database or disk is full'), {errcode: 13})
      }),
    ).toThrow(expect.objectContaining({code: 'STATE_FULL'}))

    expect(existsSync(join(folder.path, 'reserve'))).toBe(true)
    journal.close()
  })
})

describe('a journal is refused', () => {
  test('when it is damaged, and not a byte of it changes', ({folder}) => {
    makeRun(folder).journal.close()
    const path = runPath(folder, id)
    const bytes = readFileSync(path)
    bytes.fill(0xee, 4_096 * 2, 4_096 * 3)
    writeFileSync(path, bytes)

    expect(() => openJournal(folder, id)).toThrow(expect.objectContaining({code: 'STATE_DAMAGED', exit: 'storage'}))

    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('when it is no journal at all', ({folder}) => {
    makeRun(folder).journal.close()
    writeFileSync(runPath(folder, id), 'not a database, but long enough to be taken for one. '.repeat(50))

    expect(() => openJournal(folder, id)).toThrow(expect.objectContaining({code: 'STATE_DAMAGED'}))
  })

  test('when a later version wrote it', ({folder}) => {
    makeRun(folder).journal.close()
    const database = openDatabase(runPath(folder, id))
    database.exec(`PRAGMA user_version=${journalVersion + 1}`)
    database.close()
    const before = readFileSync(runPath(folder, id))

    expect(() => openJournal(folder, id)).toThrow(expect.objectContaining({code: 'STATE_NEWER', exit: 'storage'}))
    expect(readFileSync(runPath(folder, id)).equals(before)).toBe(true)
  })

  test('when its run never began, in words that say so', ({folder}) => {
    makeRun(folder).journal.close()
    const database = openDatabase(runPath(folder, id))
    database.exec('DELETE FROM run')
    database.close()

    expect(() => readJournal(folder, id)).toThrow(
      expect.objectContaining({
        code: 'RUN_NEVER_BEGAN',
        exit: 'usage',
        message: expect.stringContaining('Nothing was sent'),
      }),
    )
    writeFileSync(runPath(folder, id), '')
    expect(() => readJournal(folder, id)).toThrow(expect.objectContaining({code: 'RUN_NEVER_BEGAN'}))
    rmSync(runPath(folder, id))
    writeFileSync(`${runPath(folder, id)}-sent`, '')
    expect(() => readJournal(folder, id)).toThrow(expect.objectContaining({code: 'RUN_NEVER_BEGAN'}))
  })

  test('when the folder or the file is open to others, or a link', ({folder, home}) => {
    makeRun(folder).journal.close()
    const open = expect.objectContaining({code: 'STATE_OPEN', exit: 'unsafe'})

    chmodSync(folder.path, 0o755)
    expect(() => openJournal(folder, id)).toThrow(open)
    chmodSync(folder.path, 0o700)
    chmodSync(runPath(folder, id), 0o640)
    expect(() => openJournal(folder, id)).toThrow(open)
    chmodSync(runPath(folder, id), 0o600)
    renameSync(folder.path, join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), folder.path)
    expect(() => openJournal(folder, id)).toThrow(open)
  })
})

test('a journal that cannot be made leaves nothing behind', ({folder}) => {
  const rows = (function* () {
    yield {place: 0, line: 2, digest: new Uint8Array(16), naturalKey: null, id: null, skip: null, given: null, by: null}
    throw new Error('on purpose')
  })()

  expect(() => createJournal(folder, factsOf(), {rows, parts: []})).toThrow()

  expect(readdirSync(folder.path)).toEqual(['reserve'])
})

test('an answer that says why a set was not sent is read as it was written', () => {
  const failure = new CliFailure('The quota is spent.', {code: 'QUOTA_SPENT', exit: 'limited', hints: ['Wait.']})

  const {code, exit, hints, message} = failure
  const read = fromAnswerText(toAnswerText({fate: 'unsent', failure}))
  expect(read).toMatchObject({fate: 'unsent', failure: {code, exit, hints, message}})
  expect(() => fromAnswerText('{"fate":"lost"}')).toThrow(TypeError) // which no version wrote
})
