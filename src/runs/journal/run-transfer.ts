import {chmodSync, closeSync, constants, fsyncSync, openSync, renameSync, rmSync} from 'node:fs'
import {basename} from 'node:path'
import {isWriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type Database, openDatabase, type Row} from '../../core/sqlite.js'
import {damaged, stateFailure, stateNewer} from '../../core/state-failure.js'
import {versionOf} from '../../core/state-file.js'
import type {Journal, Times} from './journal.js'
import {toJournal} from './journal.js'
import {textOf} from './journal-entries.js'
import {defineSeal, isSound, sealAgain} from './journal-seals.js'
import {journalVersion} from './journal-tables.js'
import {openWithSeals} from './open-journal.js'
import type {RunFacts} from './run-facts.js'
import {isRunId, lockRun, type RunFolder, runPath} from './run-folder.js'
import {counterPath} from './sent-counter.js'

const what = 'The journal to import'
/** What SQLite says of a file of another kind. */
const noDatabase = 26

/** Marks a run as exported; the returned function undoes that. */
export function markExported(journal: Journal, times: Times): () => void {
  const {exported} = journal.facts()
  journal.transaction(() => {
    journal.learn({exported: times.now()})
    journal.note(null, null, 'exported', 'for whoever imports the file')
  })
  return () =>
    journal.transaction(() => {
      journal.learn({exported})
      journal.note(null, null, 'kept', 'the file could not be written')
    })
}

/**
 * Imports the journal that lies at `copy` in the folder of the runs; messages name `path`. Throws `storage` when it is
 * damaged or of a later version, `usage` when the run is known here and was not exported, or is newer here.
 */
export function importJournal(
  folder: RunFolder,
  copy: string,
  times: Times,
  {path = copy, check}: {path?: string; check?: (journal: Journal) => void} = {},
): RunFacts {
  let {facts, events} = inspect(copy, path, (database) => check?.(toJournal(database, path, times)))
  const lock = lockRun(folder, facts.id)
  try {
    checkNewer(folder, facts.id, events)
    const database = openWithSeals(copy, what)
    const journal = toJournal(database, copy, times)
    try {
      adoptJournal(database, journal, times)
      facts = journal.facts()
    } finally {
      database.close()
    }

    const target = runPath(folder, facts.id)
    for (const more of ['-wal', '-shm']) rmSync(`${target}${more}`, {force: true})
    chmodSync(copy, 0o600)
    syncFile(copy)
    renameSync(counterPath(copy), counterPath(target))
    renameSync(copy, target)
    syncFile(folder.path)
    return facts
  } catch (error) {
    throw stateFailure(error, what, copy)
  } finally {
    lock.release()
  }
}

/** The wait of a doubt starts again on the clock of this machine, and paths of the other one are dropped. */
function adoptJournal(database: Database, journal: Journal, times: Times): void {
  journal.transaction(() => {
    database.run('UPDATE part SET sent_boot = NULL, sent_at = NULL, doubt_boot = NULL, doubt_at = NULL')
    database.run(sealAgain('part'))
    database.run('DELETE FROM owner')
    const {file, operation, undoes} = journal.facts()
    const command = isWriteId(operation) && undoes === undefined ? writeOperation(operation).command : 'runs undo'
    const paths = {file: basename(file), path: undefined, rejects: undefined}
    journal.learn({...paths, command, exported: undefined, imported: times.now()})
    journal.writeCounter()
    journal.note(null, null, 'imported', 'resumed here from now on')
  })
}

type Inspected = {facts: RunFacts; events: string[]}

function inspect(copy: string, path: string, check: (database: Database) => void): Inspected {
  const database = openCopy(copy, path)
  try {
    const found = versionOf(database)
    if (found > journalVersion) throw stateNewer(what, path)
    defineSeal(database)
    if (found === 0 || hasForeignParts(database) || !isSound(database, {sealless: found === 1}))
      throw damaged(what, path)
    const facts = JSON.parse(textOf(database.get('SELECT facts FROM run'), 'facts')) as RunFacts
    if (!isRunId(facts.id)) throw damaged(what, path)
    check(database)
    return {facts, events: eventsOf(database)}
  } catch (error) {
    throw stateFailure(error, what, path)
  } finally {
    database.close()
  }
}

/** The file may be of any kind. */
function openCopy(copy: string, path: string): Database {
  try {
    return openDatabase(copy, {immutable: true, cacheKibibytes: 4_096})
  } catch (error) {
    if (((error as {errcode?: number}).errcode ?? 0) !== noDatabase) throw stateFailure(error, what, path)
    throw new CliFailure(`${path} was not written by runs export.`, {
      code: 'STATE_DAMAGED',
      exit: 'storage',
      hints: ['Name a file that runs export wrote.'],
    })
  }
}

/** A journal holds tables and indexes, nothing else. */
function hasForeignParts(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')") !== undefined
}

function eventsOf(database: Database): string[] {
  return database.all('SELECT at, part, to_state, why FROM event ORDER BY seq').map((row: Row) => JSON.stringify(row))
}

/** A run that is known here is replaced only when it was exported, and only by a later state of it. */
function checkNewer(folder: RunFolder, id: string, events: readonly string[]): void {
  const here = readHere(folder, id)
  if (!here) return
  if (here.facts.exported === undefined)
    throw refused(`Run ${id} is known here already and was not exported; nothing was changed.`, id)
  if (here.events.some((event, place) => events[place] !== event))
    throw refused(`The file holds an older state of run ${id} than is known here; nothing was changed.`, id)
}

function readHere(folder: RunFolder, id: string): Inspected | undefined {
  try {
    const database = openDatabase(runPath(folder, id), {readOnly: true, cacheKibibytes: 4_096})
    try {
      const run = database.get('SELECT facts FROM run')
      return run && {facts: JSON.parse(textOf(run, 'facts')) as RunFacts, events: eventsOf(database)}
    } finally {
      database.close()
    }
  } catch (error) {
    const {errcode} = error as {errcode?: number}
    if (errcode === 14 || errcode === 1) return undefined // there is none, or one that never began
    throw stateFailure(error, `The journal of run ${id}`, runPath(folder, id))
  }
}

function refused(message: string, id: string): CliFailure {
  return new CliFailure(message, {
    code: 'RUN_KNOWN',
    exit: 'usage',
    hints: [`Look at it with: ${commandLine('runs show', [id])}`],
  })
}

function syncFile(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    if (!['EINVAL', 'EISDIR', 'EPERM', 'EBADF'].includes(String((error as NodeJS.ErrnoException).code))) throw error
  } finally {
    closeSync(descriptor)
  }
}
