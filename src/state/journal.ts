import {existsSync} from 'node:fs'
import {CliFailure} from '../errors.js'
import {type Database, openDatabase} from '../sqlite.js'
import {commandLine} from '../values/command-line.js'
import {layBallast} from './ballast.js'
import type {JournalRow, NewPart} from './journal-entries.js'
import {type Journal, type Times, toJournal} from './journal-of.js'
import {journalTables, journalVersion} from './journal-tables.js'
import {openState, versionOf} from './open-state.js'
import {checkPrivate} from './private-state.js'
import type {RunFacts} from './run-facts.js'
import {checkRunFolder, type RunFolder, removeRun, runPath} from './run-folder.js'
import {readSentCount} from './sent-count.js'
import {damaged, stateFailure, stateNewer} from './state-failure.js'

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
    layBallast(folder.path)
    database = openFile(folder, facts.id)
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
    database.run('INSERT INTO run(id, facts) VALUES (?, ?)', facts.id, JSON.stringify(facts))
    for (const {place, line, digest, naturalKey, id, skip, given, by} of rows) {
      const values = [place, line, digest, naturalKey, id, skip, given, by]
      database.run('INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values)
    }
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
  readJournal(folder, id, times, {isChecked: true}).close()
  layBallast(folder.path)
  return toJournal(openFile(folder, id), runPath(folder, id), times)
}

/** Opens the journal of a run to read it only, which changes no byte of it. Throws as `openJournal` does. */
export function readJournal(folder: RunFolder, id: string, times: Times, {isChecked = false} = {}): Journal {
  const path = runPath(folder, id)
  checkRunFolder(folder)
  checkPrivate(path, nameOf(id))
  if (!existsSync(path)) throw neverBegan(id)
  const sent = readSentCount(path)
  const database = openForReading(path, id)
  try {
    const found = versionOf(database)
    if (found > journalVersion) throw stateNewer(nameOf(id), path)
    const isEmpty = found === 0 || !database.get('SELECT 1 FROM run')
    if (isEmpty && sent === 0) throw neverBegan(id)
    if (isEmpty || countSent(database) < sent || (isChecked && !isSound(database))) throw damagedJournal(id, path)
    return toJournal(database, path, times)
  } catch (error) {
    database.close()
    const failure = stateFailure(error, nameOf(id), path)
    throw failure.code === 'STATE_DAMAGED' ? damagedJournal(id, path) : failure
  }
}

function damagedJournal(id: string, path: string): CliFailure {
  return damaged(nameOf(id), path, [commandLine('runs show', [id])])
}

/** A file that no other process has open is read without leaving files beside it. */
function openForReading(path: string, id: string): Database {
  try {
    return openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes: 4_096})
  } catch (error) {
    throw stateFailure(error, nameOf(id), path)
  }
}

function countSent(database: Database): number {
  return Number(database.get('SELECT sum(attempts) AS count FROM part')?.['count'] ?? 0)
}

function isSound(database: Database): boolean {
  return database.get('PRAGMA quick_check(1)')?.['quick_check'] === 'ok'
}

function openFile(folder: RunFolder, id: string): Database {
  return openState({path: runPath(folder, id), version: journalVersion, schema: journalTables, what: nameOf(id)})
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
