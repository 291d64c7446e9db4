import {existsSync} from 'node:fs'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {checkPrivate} from '../../core/private-state.js'
import {type Database, openDatabase} from '../../core/sqlite.js'
import {damaged, isOutside, stateFailure, stateNewer} from '../../core/state-failure.js'
import {openState, versionOf} from '../../core/state-file.js'
import {makeReserve} from './disk-reserve.js'
import type {JournalRow, NewPart} from './journal-entries.js'
import {type Journal, type Times, toJournal} from './journal-of.js'
import {defineSeal, hasSealColumns, insertSealed, isRunSealed, isSound, sealAll} from './journal-seals.js'
import {journalTables, journalVersion} from './journal-tables.js'
import type {RunFacts} from './run-facts.js'
import {checkRunFolder, type RunFolder, removeRun, runPath} from './run-folder.js'
import {counterPath, readSentCounter, type SentCounter, writeSentCounter} from './sent-counter.js'

export type {Journal, Times} from './journal-of.js'

type Content = {rows: Iterable<JournalRow>; parts: Iterable<NewPart>; preimages?: Iterable<[string, string]>}

/**
 * Makes the journal of a new run with its facts, rows and sets, in one transaction, and a reserve of room beside it.
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
 * Opens the journal of a run to go on with it. Throws `storage` for one that is damaged, which is left as it is, or of a
 * later version; `unsafe` for one that is open to others; `usage` for one that never began.
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

/** Opens the journal of a run to read it only, which changes no byte of it. Throws as `openJournal` does. */
export function readJournal(folder: RunFolder, id: string, times: Times, {isChecked = false} = {}): Journal {
  const database = openChecked(folder, id, {isChecked})
  if (database) return toJournal(database, runPath(folder, id), times)
  throw neverBegan(id)
}

/**
 * Opens the file of a journal to read it only; undefined for a run that never began. What the run is and how it ended is
 * as it was written then, and with `isChecked` all that the journal holds. Throws `storage` or `unsafe`.
 */
export function openChecked(
  folder: RunFolder,
  id: string,
  {isChecked = false, cacheKibibytes = 4_096} = {},
): Database | undefined {
  const path = runPath(folder, id)
  checkRunFolder(folder)
  checkPrivate(path, nameOf(id))
  const count = readSentCounter(path)
  if (!existsSync(path)) {
    if (count?.sent === 0 || !existsSync(counterPath(path))) return undefined
    throw damagedJournal(id, path)
  }

  const database = openForReading(path, id, cacheKibibytes)
  if (!database) return openChecked(folder, id)
  try {
    if (hasBegun(database, {id, path, count, isChecked})) return database
  } catch (error) {
    database.close()
    throw toFailure(error, id, path)
  }

  database.close()
  return undefined
}

type Checking = {id: string; path: string; count: SentCounter | undefined; isChecked: boolean}

/** Throws for a journal that is not as it was written. The count is written before it, so that it is never missing. */
function hasBegun(database: Database, {id, path, count, isChecked}: Checking): boolean {
  const found = versionOf(database)
  if (found > journalVersion) throw stateNewer(nameOf(id), path)
  const isEmpty = found === 0 || !database.get('SELECT 1 FROM run')
  if (isEmpty && count?.sent === 0) return false
  const sealless = found === 1 && !hasSealColumns(database)
  if (isEmpty || !(sealless || (found === journalVersion && isRunSealed(database)))) throw damagedJournal(id, path)
  if (!count && !sealless) throw damagedJournal(id, counterPath(path))
  if (countSent(database) < (count?.sent ?? 0)) throw damagedJournal(id, path)
  if (isChecked && !isSound(database, {sealless})) throw damagedJournal(id, path)
  return true
}

/** A journal that cannot be read just now is not damaged for that. */
function toFailure(error: unknown, id: string, path: string): CliFailure {
  if (error instanceof CliFailure || isOutside(error)) return stateFailure(error, nameOf(id), path)
  return damagedJournal(id, path, error)
}

function damagedJournal(id: string, path: string, cause?: unknown): CliFailure {
  return damaged(nameOf(id), path, [commandLine('runs show', [id])], cause)
}

/** A file that no other process has open is read without leaving files beside it; undefined when it was removed meanwhile. */
function openForReading(path: string, id: string, cacheKibibytes: number): Database | undefined {
  try {
    const database = openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes})
    defineSeal(database)
    return database
  } catch (error) {
    if (!existsSync(path)) return undefined
    throw toFailure(error, id, path)
  }
}

function countSent(database: Database): number {
  return Number(database.get('SELECT sum(attempts) AS count FROM part')?.['count'] ?? 0)
}

/** Opens the file of a journal to write it, with the tables of this version. Throws `storage`. */
export function openWithSeals(path: string, what: string): Database {
  const database = openState({path, version: journalVersion, schema: journalTables, what})
  defineSeal(database)
  if (versionOf(database) === journalVersion) return database
  database.transaction(() => {
    sealAll(database)
    database.exec(`PRAGMA user_version=${journalVersion}`)
  })
  return database
}

function nameOf(id: string): string {
  return `The journal of run ${id}`
}

function neverBegan(id: string): CliFailure {
  return new CliFailure(`Run ${id} never began: the program ended before its journal was written. Nothing was sent.`, {
    code: 'RUN_NEVER_BEGAN',
    exit: 'usage',
    retry: 'safe',
    hints: ['Give the command again.'],
  })
}
