import type {Database} from '../../core/sqlite.js'
import {openState, versionOf} from '../../core/state-file.js'
import {makeReserve} from './disk-reserve.js'
import {type Journal, type Times, toJournal} from './journal.js'
import type {JournalRow, NewPart} from './journal-entries.js'
import {defineSeal, insertSealed, sealAll} from './journal-seals.js'
import {journalTables, journalVersion} from './journal-tables.js'
import {nameOf, readJournal} from './read-journal.js'
import type {RunFacts} from './run-facts.js'
import {checkRunFolder, type RunFolder, removeRun, runPath} from './run-folder.js'
import {readSentCounter, writeSentCounter} from './sent-counter.js'

type Content = {rows: Iterable<JournalRow>; parts: Iterable<NewPart>; preimages?: Iterable<[string, string]>}

/**
 * Makes the journal of a new run with its facts, rows and sets in one transaction, and the disk reserve beside it.
 * Throws `storage` or `unsafe`, and leaves nothing behind then.
 */
export function createJournal(
  folder: RunFolder,
  facts: RunFacts,
  content: Content,
  times: Times,
): {journal: Journal; seqs: number[]} {
  let database: Database | undefined
  try {
    checkRunFolder(folder)
    makeReserve(folder.path)
    writeSentCounter(runPath(folder, facts.id), facts, 0, {isNew: true})
    database = openWithSeals(runPath(folder, facts.id), nameOf(facts.id))
    const journal = toJournal(database, runPath(folder, facts.id), times)
    return {journal, seqs: fill(database, journal, facts, content)}
  } catch (error) {
    database?.close()
    removeRun(folder, facts.id, {keepLock: true})
    throw error
  }
}

function fill(database: Database, journal: Journal, facts: RunFacts, {rows, parts, preimages = []}: Content): number[] {
  const seqs: number[] = []
  journal.transaction(() => {
    database.run(insertSealed('run'), facts.id, JSON.stringify(facts), null)
    for (const {place, line, digest, naturalKey, id, skip, given, by} of rows)
      database.run(insertSealed('row'), place, line, digest, naturalKey, id, skip, given, by)
    for (const part of parts) seqs.push(journal.addPart(part))
    journal.keepPreimages(preimages)
    journal.own()
    journal.note(null, null, 'planned', `${facts.command} from ${facts.file}`)
  })
  return seqs
}

/**
 * Opens the journal of a run to write it. Throws `storage` for one that is damaged, which is left as it is, or of a later
 * version; `unsafe` for one that other users can read; `usage` for one that never began.
 */
export function openJournal(folder: RunFolder, id: string, times: Times): Journal {
  const path = runPath(folder, id)
  const found = readJournal(folder, id, times, {isChecked: true})
  try {
    if (!readSentCounter(path)?.target) found.writeCounter() // before the journal of an earlier version is sealed
  } finally {
    found.close()
  }

  makeReserve(folder.path)
  return toJournal(openWithSeals(path, nameOf(id)), path, times)
}

/** Opens the file of a journal to write it, with the tables of this version. Throws `storage`. */
function openWithSeals(path: string, what: string): Database {
  const database = openState({path, version: journalVersion, schema: journalTables, what})
  defineSeal(database)
  if (versionOf(database) === journalVersion) return database
  database.transaction(() => {
    sealAll(database)
    database.exec(`PRAGMA user_version=${journalVersion}`)
  })
  return database
}
