import {existsSync, statSync} from 'node:fs'
import {basename} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {checkPrivate} from '../../core/owner-and-mode.js'
import {checkRunFolder, type RunFolder} from '../../core/run-id.js'
import {type Database, openUnchanged, readDatabase} from '../../core/sqlite.js'
import {damaged, isOutside, stateFailure, stateNewer} from '../../core/state-failure.js'
import {openState, versionOf, writerOf} from '../../core/state-file.js'
import {makeReserve} from './disk-reserve.js'
import {countSent, type Journal, toJournal} from './journal.js'
import {type JournalRow, type NewPart, type RunFacts, type RunOutcome, textOf} from './journal-entries.js'
import {defineSeal, hasSeals, insertSealed, isSound} from './journal-seals.js'
import {removeRun, runPath} from './run-folder.js'
import {counterPath, readSentCounter, type SentCounter, writeSentCounter} from './sent-counter.js'

type Content = {rows: Iterable<JournalRow>; parts: Iterable<NewPart>; preimages?: Iterable<[string, string]>}

/**
 * Makes the journal of a new run with its facts, rows and sets in one transaction, and the disk reserve beside it.
 * Throws `storage` or `unsafe`, and leaves nothing behind then.
 */
export function createJournal(
  folder: RunFolder,
  facts: RunFacts,
  content: Content,
): {journal: Journal; seqs: number[]} {
  let database: Database | undefined
  try {
    checkRunFolder(folder)
    makeReserve(folder.path)
    writeSentCounter(runPath(folder, facts.id), facts, 0, {isNew: true})
    database = openToWrite(runPath(folder, facts.id), facts.id)
    const journal = toJournal(database, runPath(folder, facts.id))
    return {journal, seqs: fill(database, journal, facts, content)}
  } catch (error) {
    database?.close()
    removeRun(folder, facts.id)
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
 * Opens the journal of a run to write it. Throws `storage` for one that is damaged, which is not changed, or of a later
 * version; `unsafe` for one that other users can read; `usage` for one that never began.
 */
export function openJournal(folder: RunFolder, id: string): Journal {
  readJournal(folder, id, {isChecked: true}).close()
  makeReserve(folder.path)
  const path = runPath(folder, id)
  return toJournal(openToWrite(path, id), path)
}

function openToWrite(path: string, id: string): Database {
  const database = openState({path, version: journalVersion, schema: journalTables, what: nameOf(id)})
  defineSeal(database)
  return database
}

/** Opens the journal of a run to read it only, which changes no byte of it. Throws as `openJournal` does. */
export function readJournal(folder: RunFolder, id: string, {isChecked = false} = {}): Journal {
  const database = openChecked(folder, id, {isChecked})
  if (database) return toJournal(database, runPath(folder, id))
  throw new CliFailure(`Run ${id} never began: the program ended before its journal was written. Nothing was sent.`, {
    code: 'RUN_NEVER_BEGAN',
    retry: 'safe',
    hints: ['Run the command again.'],
  })
}

/**
 * Opens the file of a journal to read it only; undefined for a run that never began. Facts and outcome of the run are
 * checked, and with `isChecked` everything else. Throws `storage` or `unsafe`. Time: linear in sets, and with
 * `isChecked` in bytes.
 */
export function openChecked(
  folder: RunFolder,
  id: string,
  {isChecked = false, cacheKibibytes = 4_096} = {},
): Database | undefined {
  const path = runPath(folder, id)
  checkRunFolder(folder)
  checkPrivate(path, nameOf(id))
  const counter = readSentCounter(path)
  if (!existsSync(path)) {
    // a counter is synced before its journal is made, so an empty one belongs to none
    if (counter?.sent === 0 || !statSync(counterPath(path), {throwIfNoEntry: false})?.size) return undefined
    throw damagedJournal(id, path)
  }

  const database = openForReading(path, id, cacheKibibytes)
  if (!database) return openChecked(folder, id)
  try {
    if (hasBegun(database, {id, path, counter, isChecked})) return database
  } catch (error) {
    database.close()
    throw toFailure(error, id, path)
  }

  database.close()
  return undefined
}

type Checking = {id: string; path: string; counter: SentCounter | undefined; isChecked: boolean}

/** Throws for a journal that is not as it was written. Its counter is written first, and so never missing. */
function hasBegun(database: Database, {id, path, counter, isChecked}: Checking): boolean {
  const found = versionOf(database)
  if (found > journalVersion) throw stateNewer(nameOf(id), path, writerOf(database))
  const isEmpty = found === 0 || !database.get('SELECT 1 FROM run')
  if (isEmpty && counter?.sent === 0) return false
  if (isEmpty || found !== journalVersion || !hasSeals(database, 'run')) throw damagedJournal(id, path)
  if (!counter) throw damagedJournal(id, counterPath(path))
  if (countSent(database) < counter.sent || (isChecked && !isSound(database))) throw damagedJournal(id, path)
  return true
}

/** A failure of the disk or of another process is not damage. */
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
    const database = openUnchanged(path, cacheKibibytes)
    defineSeal(database)
    return database
  } catch (error) {
    if (!existsSync(path)) return undefined
    throw toFailure(error, id, path)
  }
}

/** Reads in a journal; undefined when its run never began, or was removed meanwhile. Throws `storage` or `unsafe`. */
export function withJournal<Result>(
  folder: RunFolder,
  id: string,
  read: (journal: Journal) => Result,
  {isChecked = false} = {},
): Result | undefined {
  const database = openChecked(folder, id, {isChecked})
  if (!database) return undefined
  const path = runPath(folder, id)
  try {
    return readSoundly(path, () => read(toJournal(database, path)))
  } finally {
    database.close()
  }
}

/** Reads in a journal that may be gone or unreadable: undefined then, and for a run that never began. */
export function withJournalIfSound<Result>(
  folder: RunFolder,
  id: string,
  read: (journal: Journal) => Result,
): Result | undefined {
  try {
    return withJournal(folder, id, read, {isChecked: true})
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}

/** Reads in a journal to its end: damage that shows on the way is a failure of the journal. Throws `storage`. */
export function readSoundly<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw toFailure(error, basename(path, '.run'), path)
  }
}

function nameOf(id: string): string {
  return `The journal of run ${id}`
}

/** Version of the tables below. */
export const journalVersion = 2

/**
 * One run. A part is a set or rows of it sent again; a seal is a checksum of the other columns of its row. Times of
 * `event` are labels in milliseconds since 1970; `sent_*` and `doubt_*` are moments since the start of the machine.
 */
const journalTables = `
CREATE TABLE run(
  id TEXT PRIMARY KEY,
  facts TEXT NOT NULL,
  outcome TEXT,
  seal INTEGER
);
CREATE TABLE owner(pid INTEGER NOT NULL, host TEXT NOT NULL, since INTEGER NOT NULL);
CREATE TABLE row(
  place INTEGER PRIMARY KEY,
  line INTEGER NOT NULL,
  digest BLOB NOT NULL,
  natural_key TEXT,
  id TEXT,
  skip TEXT,
  given TEXT,
  by_run TEXT,
  seal INTEGER
);
CREATE TABLE part(
  seq INTEGER PRIMARY KEY,
  parent INTEGER REFERENCES part(seq),
  number INTEGER NOT NULL,
  places TEXT NOT NULL,
  origin TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_boot TEXT,
  sent_at REAL,
  doubt_boot TEXT,
  doubt_at REAL,
  answer TEXT,
  how TEXT,
  seal INTEGER
);
CREATE INDEX part_by_parent ON part(parent) WHERE parent IS NOT NULL;
CREATE TABLE body(part INTEGER PRIMARY KEY REFERENCES part(seq), text TEXT NOT NULL);
CREATE TABLE preimage(natural_key TEXT PRIMARY KEY, record TEXT NOT NULL, seal INTEGER) WITHOUT ROWID;
CREATE TABLE event(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  part INTEGER,
  from_state TEXT,
  to_state TEXT NOT NULL,
  why TEXT NOT NULL,
  seal INTEGER
);`

/** Readable parts of a damaged journal, unproven: whoever sets it aside must know which rows it was about. */
export type DamagedJournal = {
  facts?: RunFacts
  outcome?: RunOutcome
  parts: {set: number; rows: number; state: string}[]
  /** Whether the list of parts could be read to its end. */
  isComplete: boolean
}

/** Reads what it can and changes no byte. */
export function readDamaged(folder: RunFolder, id: string): DamagedJournal {
  const found: DamagedJournal = {parts: [], isComplete: false}
  const readParts = (database: Database) => {
    const read = (column: string) => JSON.parse(textOf(database.get(`SELECT ${column} AS text FROM run`), 'text'))
    attempt(() => {
      const facts = read('facts') as RunFacts
      new Date(facts.createdAt).toISOString() // throws where damage changed its shape
      found.facts = facts
    })
    attempt(() => {
      const outcome = read('outcome') as RunOutcome
      Object.entries(outcome.rows) // throws likewise
      found.outcome = outcome
    })
    for (const row of database.iterate('SELECT number, json_array_length(places) AS rows, state FROM part'))
      found.parts.push({set: Number(row['number']), rows: Number(row['rows']), state: textOf(row, 'state')})
    found.isComplete = true
  }
  attempt(() => readDatabase(runPath(folder, id), readParts))
  return found
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // what cannot be read is left out
  }
}
