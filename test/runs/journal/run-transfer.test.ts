import {copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {journalVersion} from '../../../src/runs/journal/journal-tables.js'
import {openJournal} from '../../../src/runs/journal/open-journal.js'
import {lockRun, type RunFolder, runPath, runsFolder} from '../../../src/runs/journal/run-folder.js'
import {importJournal, markExported} from '../../../src/runs/journal/run-transfer.js'
import {id, makeRun, test, times} from './a-run.js'

/** Gives the run away as a file. */
function exportRun(folder: RunFolder, file: string): string {
  const journal = openJournal(folder, id, times)
  markExported(journal, times)
  writeFileSync(file, '')
  journal.copyInto(file)
  journal.close()
  return file
}

/** A copy in the folder of the runs, as the program makes it of the file that it is given. */
function copyTo(folder: RunFolder, file: string): string {
  const copy = join(folder.path, 'one.copy')
  copyFileSync(file, copy)
  return copy
}

describe('a run that moves to another machine', () => {
  test('goes on there with all it holds, and its moments are void', ({folder, home}) => {
    const there = runsFolder(join(home, 'there'))
    const {journal, seqs} = makeRun(folder)
    journal.markSent(seqs[0] ?? 0)
    journal.transaction(() => journal.change(seqs[0] ?? 0, {state: 'inDoubt', doubt: times.moment(), why: 'no answer'}))
    journal.close()
    const file = exportRun(folder, join(home, 'file'))
    makeRun(there, {id: '20260101-000000-00000'}).journal.close()

    const facts = importJournal(there, copyTo(there, file), times)

    expect(facts.id).toBe(id)
    const taken = openJournal(there, id, times)
    const [first, second] = taken.parts()
    expect(first).toMatchObject({state: 'inDoubt', attempts: 1})
    expect(first).not.toHaveProperty('sent')
    expect(first).not.toHaveProperty('doubt')
    expect(second?.state).toBe('planned')
    expect(taken.facts()).toMatchObject({imported: times.now()})
    expect(taken.facts().exported).toBeUndefined()
    expect(taken.owner()).toBeUndefined()
    expect(statSync(runPath(there, id)).mode & 0o777).toBe(0o600)
    taken.close()
    const left = openJournal(folder, id, times)
    expect(left.facts().exported).toBe(times.now())
    left.close()
  })

  test('brings no path and no command of there', ({folder, home}) => {
    const more = {path: '/there/sites.csv', rejects: '/there/x.csv', file: '../there/sites.csv', command: 'rm -rf x'}
    makeRun(folder, more).journal.close()
    const there = runsFolder(join(home, 'there'))
    makeRun(there, {id: '20260101-000000-00000'}).journal.close()

    const facts = importJournal(there, copyTo(there, exportRun(folder, join(home, 'file'))), times)

    expect(facts).toMatchObject({file: 'sites.csv', command: 'sites create'})
    expect(Object.keys(facts)).not.toContain('path')
    expect(Object.keys(facts)).not.toContain('rejects')
  })

  test('comes back with what was done elsewhere', ({folder, home}) => {
    const there = runsFolder(join(home, 'there'))
    makeRun(folder).journal.close()
    makeRun(there, {id: '20260101-000000-00000'}).journal.close()
    importJournal(there, copyTo(there, exportRun(folder, join(home, 'one'))), times)
    const elsewhere = openJournal(there, id, times)
    elsewhere.markSent(1)
    elsewhere.transaction(() => elsewhere.change(1, {state: 'confirmed', how: 'answer', why: 'answered'}))
    elsewhere.close()

    importJournal(folder, copyTo(folder, exportRun(there, join(home, 'two'))), times)

    const back = openJournal(folder, id, times)
    expect(back.parts().map(({state}) => state)).toEqual(['confirmed', 'planned'])
    expect(back.facts().exported).toBeUndefined()
    back.close()
  })

  test('is not imported over a run that was not exported', ({folder, home}) => {
    makeRun(folder).journal.close()
    const file = exportRun(folder, join(home, 'one'))
    importJournal(folder, copyTo(folder, file), times)
    const before = readFileSync(runPath(folder, id))

    expect(() => importJournal(folder, copyTo(folder, file), times)).toThrow(
      expect.objectContaining({code: 'RUN_KNOWN', exit: 'usage', message: expect.stringContaining('not exported')}),
    )
    expect(readFileSync(runPath(folder, id)).equals(before)).toBe(true)
  })

  test('is not taken in from an older file than the one it was given away with last', ({folder, home}) => {
    makeRun(folder).journal.close()
    const old = exportRun(folder, join(home, 'old'))
    exportRun(folder, join(home, 'new'))

    expect(() => importJournal(folder, copyTo(folder, old), times)).toThrow(
      expect.objectContaining({code: 'RUN_KNOWN', message: expect.stringContaining('older state')}),
    )
  })

  test('is not taken in while another process is working on it', ({folder, home}) => {
    makeRun(folder).journal.close()
    const file = exportRun(folder, join(home, 'one'))
    const lock = lockRun(folder, id)

    expect(() => importJournal(folder, copyTo(folder, file), times)).toThrow(expect.objectContaining({exit: 'locked'}))
    lock.release()
  })

  test('stays here when the file could not be written', ({folder}) => {
    const {journal} = makeRun(folder)

    markExported(journal, times)()

    expect(journal.facts().exported).toBeUndefined()
    expect(journal.events().map(({to}) => to)).toEqual(['planned', 'exported', 'kept'])
    journal.close()
  })
})

describe('a file is refused', () => {
  const change = (path: string, sql: string) => {
    const database = openDatabase(path)
    database.exec(sql)
    database.close()
  }

  test.for([
    ['of a later version', `PRAGMA user_version=${journalVersion + 1}`, 'STATE_NEWER'],
    ['that is an empty database', 'PRAGMA foreign_keys=OFF; DROP TABLE part; PRAGMA user_version=0', 'STATE_DAMAGED'],
    ['with a trigger in it', 'CREATE TRIGGER t AFTER UPDATE ON part BEGIN DELETE FROM part; END', 'STATE_DAMAGED'],
    ['with a view in it', 'CREATE VIEW v AS SELECT 1', 'STATE_DAMAGED'],
    ['whose id would be a path', `UPDATE run SET facts = json_set(facts, '$.id', '../../evil')`, 'STATE_DAMAGED'],
  ] as const)('%s', ([, sql, code], {folder, home}) => {
    makeRun(folder).journal.close()
    const file = exportRun(folder, join(home, 'one'))
    change(file, sql)
    const before = readdirSync(home)

    expect(() => importJournal(folder, copyTo(folder, file), times)).toThrow(
      expect.objectContaining({code, exit: 'storage'}),
    )
    expect(readdirSync(home)).toEqual(before)
  })

  test.for([
    ['rows', `UPDATE body SET text = replace(text, 'Site 0', 'Site 9')`],
    ['rows and their digests', `UPDATE row SET digest = x'00' WHERE place = 1`],
    ['an operation', `UPDATE run SET facts = json_set(facts, '$.operation', 'alerts.clear')`],
    ['a path', `UPDATE run SET facts = json_set(facts, '$.path', '/etc/cron.d/x')`],
    ['a state', `UPDATE part SET state = 'planned', attempts = 0`],
    ['records as they were', `INSERT INTO preimage VALUES ('[1]', '{}', 0)`],
  ] as const)('in which somebody changed %s', ([, sql], {folder, home}) => {
    const {journal, seqs} = makeRun(folder)
    journal.markSent(seqs[0] ?? 0)
    journal.close()
    const file = exportRun(folder, join(home, 'one'))
    change(file, sql)

    expect(() => importJournal(folder, copyTo(folder, file), times)).toThrow(
      expect.objectContaining({code: 'STATE_DAMAGED'}),
    )
  })

  test('of another kind, by its own name', ({folder, home}) => {
    makeRun(folder).journal.close()
    const file = join(home, 'rows.csv')
    writeFileSync(file, 'id,name\n'.repeat(100))

    expect(() => importJournal(folder, copyTo(folder, file), times, {path: file})).toThrow(
      expect.objectContaining({
        exit: 'storage',
        message: `${file} was not written by runs export.`,
      }),
    )
  })

  test('that is damaged', ({folder, home}) => {
    makeRun(folder).journal.close()
    const file = exportRun(folder, join(home, 'one'))
    const bytes = readFileSync(file)
    bytes.fill(0xee, 4_096 * 2, 4_096 * 3)
    writeFileSync(file, bytes)

    expect(() => importJournal(folder, copyTo(folder, file), times)).toThrow(
      expect.objectContaining({code: 'STATE_DAMAGED'}),
    )
    expect(existsSync(runPath(folder, id))).toBe(true)
  })
})
