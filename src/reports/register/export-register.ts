import {lstatSync, renameSync} from 'node:fs'
import {CliFailure} from '../../core/errors.js'
import {lockedByOther, tryLock} from '../../core/lock.js'
import {type Database, neighbours, type Row} from '../../core/sqlite.js'
import {stateFailure} from '../../core/state-failure.js'
import {damage} from '../../core/state-file.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {activitiesOf, type EndedActivity, endActivity} from './activities.js'
import {
  type LastRun,
  markColumns,
  type Named,
  type NamedFacts,
  type NamedMark,
  putMark,
  putSeen,
  type ShownMark,
  seenMarksOf,
  toMark,
} from './named-marks.js'
import {deliveriesOf, type ExpectedDelivery, expectDelivery, renewDelivery} from './outstanding-deliveries.js'
import {openRegisterFile, registerHints, registerName} from './register-tables.js'

/** The file that a named export wrote to last, finished or not; `command` is the digest of what decides its bytes. */
export type LastFile = {path: string; command: string}

/** A window that was read; `grade` as in its manifest, `file` from the root. */
export type Covered = {from: string; to: string; grade: string; file: string}

/** A window that was read, and the length of its file: `replaced` once another was written over it. */
export type CoveredFile = Covered & {bytes?: number | 'replaced'}

/** The records of an export that has its manifest; they are written in one transaction. */
export type Finished = {
  /** Source of the records, without range and layout; coverage is kept by it. */
  scope: string
  covered: readonly Covered[]
  watermark?: NamedMark | undefined
  /** Where machines share the mark: the one that this run has moved, in the place of its own. */
  shared?: ShownMark | undefined
  /** The run of a name that ended now. */
  last?: LastRun | undefined
  run?: EndedActivity | undefined
  /** `isAdded`: the file still has the rows written to it before. */
  file?: {path: string; bytes: number; isAdded: boolean}
  /** The file that was written; `isAsked`: it is to be delivered. */
  delivery?: Omit<ExpectedDelivery, 'at'> & {isAsked: boolean}
  at: number
}

/** The exports of this machine. */
export type ExportRegister = ReturnType<typeof openExportRegister>

/** Services change: what was learned is forgotten after this many milliseconds. */
const believed = 30 * millisecondsPerDay

/** Opens the register of exports, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openExportRegister(path: string) {
  const database = openRegisterFile(path)
  return {
    ...activitiesOf(database),
    ...deliveriesOf(database),
    ...seenMarksOf(database),
    /** The longest range that a service was seen to serve, in milliseconds; forgotten after 30 days. */
    findLongest(source: string, now: number): number | undefined {
      const row = database.get('SELECT milliseconds FROM longest WHERE source = ? AND at > ?', source, now - believed)
      return row && Number(row['milliseconds'])
    },
    keepLongest: (source: string, longest: number, now: number) =>
      void database.run('INSERT OR REPLACE INTO longest VALUES (?, ?, ?)', source, Math.floor(longest), now),
    findWatermark({name, scope}: Named) {
      const sql = `SELECT ${markColumns} WHERE watermark.name = ? AND watermark.scope = ?`
      const row = database.get(sql, name, scope)
      const mark = row && toMark(row)
      if (row && !mark) throw stateFailure(damage, registerName, path, registerHints)
      return mark
    },
    /** Whether the name was used, for whatever filters. */
    knowsName: (name: string) => database.get('SELECT 1 FROM watermark WHERE name = ?', name) !== undefined,
    findLastFile({name, scope}: Named): LastFile | undefined {
      const row = database.get('SELECT path, command FROM last_file WHERE name = ? AND scope = ?', name, scope)
      return row && {path: String(row['path']), command: String(row['command'])}
    },
    /** The name writes to this file now. */
    begin: ({name, scope}: Named, {path: file, command}: LastFile) =>
      void database.run('INSERT OR REPLACE INTO last_file VALUES (?, ?, ?, ?)', name, scope, file, command),
    /** Stores the request of the last run of the name. */
    describe({name, scope}: Named, facts: NamedFacts) {
      const adding = 'ON CONFLICT (name, scope) DO UPDATE SET facts = excluded.facts'
      database.run(`INSERT INTO named VALUES (?, ?, ?, NULL) ${adding}`, name, scope, JSON.stringify(facts))
    },
    /** Sets the mark of this machine by hand. The file that the name wrote to is not known any more. */
    reset: (mark: NamedMark) =>
      database.transaction(() => {
        putMark(database, mark)
        for (const table of ['last_file', 'seen_mark'])
          database.run(`DELETE FROM ${table} WHERE name = ? AND scope = ?`, mark.name, mark.scope)
      }),
    finish: (finished: Finished) => database.transaction(() => putFinished(database, finished)),
    /** Every window that was read, with the state of its file. */
    covered: (scope: string) => database.all(selectCovered, scope).map(toCoveredFile),
    /** The former file of a checkpoint of this name, from when an export to it ended last. */
    findFormerly(name: string) {
      const row = database.get(selectFormerly, name)
      return row && {rows: Number(row['rows']), at: Number(row['at'])}
    },
    close: () => database.close(),
  }
}

const selectCovered = `
  SELECT covered.*, written.bytes, covered.at < written.since AS replaced
  FROM covered LEFT JOIN written ON written.path = covered.file
  WHERE scope = ? ORDER BY window_from, covered.at
`
const withinCovered = 'DELETE FROM covered WHERE scope = ? AND window_from >= ? AND window_to <= ? AND grade >= ?'
const selectFormerly = `
  SELECT rows, at FROM written WHERE name = ?1
  UNION SELECT rows, ended_at FROM activity WHERE name = ?1 AND ended_at IS NOT NULL ORDER BY 2 DESC LIMIT 1
`

function putFinished(database: Database, finished: Finished): void {
  const {scope, covered, watermark, shared, last, run, file, delivery, at} = finished
  for (const {from, to, grade, file: read} of covered) {
    database.run(withinCovered, scope, from, to, grade) // what was read better stays
    database.run('INSERT INTO covered VALUES (?, ?, ?, ?, ?, ?)', scope, from, to, grade, read, at)
  }
  if (watermark && shared) putSeen(database, watermark, shared)
  else if (watermark) putMark(database, watermark)
  if (watermark && last)
    database.run(
      'UPDATE named SET last = ? WHERE name = ? AND scope = ?',
      ...[JSON.stringify(last), watermark.name, watermark.scope],
    )
  if (run) endActivity(database, run, at)
  if (run && file)
    database.run(
      `INSERT INTO written VALUES (?1, ?2, ?3, ?4, ?5, ?5)
       ON CONFLICT (name) DO UPDATE SET path = ?2, rows = ?3, bytes = ?4, at = ?5, since = iif(?6, since, ?5)`,
      ...[run.name, file.path, run.rows, file.bytes, at, Number(file.isAdded)],
    )
  if (delivery) (delivery.isAsked ? expectDelivery : renewDelivery)(database, {...delivery, at})
}

function toCoveredFile({window_from: from, window_to: to, grade, file, bytes, replaced}: Row): CoveredFile {
  return {
    ...{from: String(from), to: String(to), grade: String(grade), file: String(file)},
    ...(bytes !== null && {bytes: replaced === 1 ? 'replaced' : Number(bytes)}),
  }
}

/**
 * Renames a register that cannot be used, with the files that belong to it; returns the new path. Undefined for one that
 * can be used. Throws `locked` while another process does the same.
 */
export function setAsideRegister(path: string, now: number): string | undefined {
  const lock = tryLock(`${path}.lock`, registerName)
  if (!lock) throw lockedByOther(`${path}.lock`, registerName)
  try {
    if (isUsable(path)) return undefined
    const aside = `${path}.damaged-${now}`
    for (const end of ['', ...neighbours])
      if (lstatSync(`${path}${end}`, {throwIfNoEntry: false})) renameSync(`${path}${end}`, `${aside}${end}`)
    return aside
  } finally {
    lock.remove()
  }
}

function isUsable(path: string): boolean {
  if (!lstatSync(path, {throwIfNoEntry: false})) return true
  try {
    openExportRegister(path).close()
    return true
  } catch (error) {
    if (!(error instanceof CliFailure) || !['STATE_DAMAGED', 'STATE_FOLDER', 'STATE_NEWER'].includes(error.code))
      throw error
    return false
  }
}
