import {existsSync, statSync} from 'node:fs'
import {basename} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {checkPrivate} from '../../core/owner-and-mode.js'
import {type Database, openDatabase} from '../../core/sqlite.js'
import {damaged, isOutside, stateFailure, stateNewer} from '../../core/state-failure.js'
import {versionOf} from '../../core/state-file.js'
import {type Journal, type Times, toJournal} from './journal.js'
import {defineSeal, hasSealColumns, isRunSealed, isSound} from './journal-seals.js'
import {journalVersion} from './journal-tables.js'
import {checkRunFolder, type RunFolder, runPath} from './run-folder.js'
import {counterPath, readSentCounter, type SentCounter} from './sent-counter.js'

/** Opens the journal of a run to read it only, which changes no byte of it. Throws as `openJournal` does. */
export function readJournal(folder: RunFolder, id: string, times: Times, {isChecked = false} = {}): Journal {
  const database = openChecked(folder, id, {isChecked})
  if (database) return toJournal(database, runPath(folder, id), times)
  throw neverBegan(id)
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
  if (found > journalVersion) throw stateNewer(nameOf(id), path)
  const isEmpty = found === 0 || !database.get('SELECT 1 FROM run')
  if (isEmpty && counter?.sent === 0) return false
  const sealless = found === 1 && !hasSealColumns(database)
  if (isEmpty || !(sealless || (found === journalVersion && isRunSealed(database)))) throw damagedJournal(id, path)
  if (!counter && !sealless) throw damagedJournal(id, counterPath(path))
  if (countSent(database) < (counter?.sent ?? 0)) throw damagedJournal(id, path)
  if (isChecked && !isSound(database, {sealless})) throw damagedJournal(id, path)
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

/** Reads in a journal; undefined when its run never began, or was removed meanwhile. Throws `storage` or `unsafe`. */
export function withJournal<Result>(
  folder: RunFolder,
  id: string,
  times: Times,
  read: (journal: Journal) => Result,
  {isChecked = false} = {},
): Result | undefined {
  const database = openChecked(folder, id, {isChecked})
  if (!database) return undefined
  const path = runPath(folder, id)
  try {
    return readSoundly(path, () => read(toJournal(database, path, times)))
  } finally {
    database.close()
  }
}

/** Reads in a journal that may be gone or unreadable: undefined then, and for a run that never began. */
export function withJournalIfSound<Result>(
  folder: RunFolder,
  id: string,
  times: Times,
  read: (journal: Journal) => Result,
): Result | undefined {
  try {
    return withJournal(folder, id, times, read, {isChecked: true})
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

export function nameOf(id: string): string {
  return `The journal of run ${id}`
}

function neverBegan(id: string): CliFailure {
  return new CliFailure(`Run ${id} never began: the program ended before its journal was written. Nothing was sent.`, {
    code: 'RUN_NEVER_BEGAN',
    exit: 'usage',
    retry: 'safe',
    hints: ['Run the command again.'],
  })
}
