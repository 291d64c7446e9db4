import {chmodSync, closeSync, constants, fsyncSync, openSync, renameSync, rmSync} from 'node:fs'
import {basename} from 'node:path'
import {isWriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type Database, openDatabase, type Row} from '../../core/sqlite.js'
import {damaged, stateFailure, stateNewer} from '../../core/state-failure.js'
import {versionOf} from '../../core/state-file.js'
import {type Journal, openWithSeals, type Times} from './journal.js'
import {textOf} from './journal-entries.js'
import {toJournal} from './journal-of.js'
import {defineSeal, isSound, sealAgain} from './journal-seals.js'
import {journalVersion} from './journal-tables.js'
import type {RunFacts} from './run-facts.js'
import {isRunId, lockRun, type RunFolder, runPath} from './run-folder.js'
import {counterPath} from './sent-counter.js'

const what = 'The journal to take in'
/** What SQLite says of a file of another kind. */
const noDatabase = 26

/** Writes down that the run goes on elsewhere, and gives back how to take that word back. */
export function markExported(journal: Journal, times: Times): () => void {
  const {exported} = journal.facts()
  journal.transaction(() => {
    journal.learn({exported: times.now()})
    journal.note(null, null, 'exported', 'given to whoever takes the file in')
  })
  return () =>
    journal.transaction(() => {
      journal.learn({exported})
      journal.note(null, null, 'kept', 'the file could not be written')
    })
}

/**
 * Takes a journal in that lies at `copy` in the folder of the runs; messages name `path`. Its moments since the start of another machine are
 * void, and so are its paths. Throws `storage` when it is damaged or of a later version, `usage` when the run is known
 * here already and was not given away, or when the file is older than what is known here, and what `check` throws.
 */
export function takeIn(
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
    const taken = toJournal(database, copy, times)
    try {
      settleIn(database, taken, times)
      facts = taken.facts()
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

/**
 * The wait of a doubt begins anew here, whatever the clock of the other machine said. Its paths name files of that
 * machine, and where its command is printed it is the one of its operation.
 */
function settleIn(database: Database, journal: Journal, times: Times): void {
  journal.transaction(() => {
    database.run('UPDATE part SET sent_boot = NULL, sent_at = NULL, doubt_boot = NULL, doubt_at = NULL')
    database.run(sealAgain('part'))
    database.run('DELETE FROM owner')
    const {file, operation, undoes} = journal.facts()
    const command = isWriteId(operation) && undoes === undefined ? writeOperation(operation).command : 'runs undo'
    const paths = {file: basename(file), path: undefined, rejects: undefined}
    journal.learn({...paths, command, exported: undefined, imported: times.now()})
    journal.writeCounter()
    journal.note(null, null, 'imported', 'it goes on here')
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

/** The file may be any. */
function openCopy(copy: string, path: string): Database {
  try {
    return openDatabase(copy, {immutable: true, cacheKibibytes: 4_096})
  } catch (error) {
    if (((error as {errcode?: number}).errcode ?? 0) !== noDatabase) throw stateFailure(error, what, path)
    throw new CliFailure(`${path} is no file that runs export wrote.`, {
      code: 'STATE_DAMAGED',
      exit: 'storage',
      hints: ['Name a file that runs export wrote.'],
    })
  }
}

/** Nothing but tables and their indexes is ever in a journal. */
function hasForeignParts(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')") !== undefined
}

function eventsOf(database: Database): string[] {
  return database.all('SELECT at, part, to_state, why FROM event ORDER BY seq').map((row: Row) => JSON.stringify(row))
}

/** A run that is known here may only be replaced when it was given away, and only by what goes on from it. */
function checkNewer(folder: RunFolder, id: string, events: readonly string[]): void {
  const here = readHere(folder, id)
  if (!here) return
  if (here.facts.exported === undefined)
    throw refused(`Run ${id} is known here already, and was not given away; nothing was changed.`, id)
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
