import {lstatSync, renameSync} from 'node:fs'
import {CliFailure} from '../../core/errors.js'
import {heldByOther, tryLock} from '../../core/lock.js'
import {type Database, neighbours} from '../../core/sqlite.js'
import {stateFailure} from '../../core/state-failure.js'
import {damage, openSound, versionOf} from '../../core/state-file.js'
import {activitiesOf, activityTable, type EndedActivity, endActivity, hasTable, moveExports} from './activities.js'
import {registerHints, registerName, registerSound, registerVersion} from './export-tables.js'
import {
  type LastRun,
  markColumns,
  moveCopies,
  type NamedFacts,
  type NamedMark,
  namedTable,
  putFacts,
  putLastRun,
  putMark,
  putSeen,
  type Seen,
  seenMarksOf,
  seenTable,
  toMark,
  type Watermark,
} from './named-marks.js'
import {
  deliveriesOf,
  deliveryTable,
  type ExpectedDelivery,
  expectDelivery,
  renewDelivery,
} from './outstanding-deliveries.js'
import {
  type Covered,
  type CoveredFile,
  type Formerly,
  findFormerly,
  listCovered,
  putWritten,
  type WrittenFile,
  writtenTable,
} from './written-files.js'

/** The file that a named export wrote to last, finished or not; `command` is the digest of what decides its bytes. */
export type LastFile = {path: string; command: string}

/** The records of an export that has its manifest; they are written in one transaction. */
export type Finished = {
  /** What was read from where, without range and layout, which coverage is kept by. */
  scope: string
  covered: readonly Covered[]
  watermark?: NamedMark | undefined
  /** Where machines share the mark: the one that this run has moved, in the place of its own. */
  shared?: Seen | undefined
  /** What the run of a name that ended now was about. */
  last?: LastRun | undefined
  run?: EndedActivity | undefined
  file?: WrittenFile
  /** The file that was written; `isAsked`: it is to be delivered. */
  delivery?: Omit<ExpectedDelivery, 'at'> & {isAsked: boolean}
  at: number
}

/** What this machine knows of all its exports. */
export type ExportRegister = ReturnType<typeof activitiesOf> &
  ReturnType<typeof deliveriesOf> &
  ReturnType<typeof seenMarksOf> & {
    /** The longest range that a service was seen to serve, in milliseconds; forgotten after 30 days. */
    findLongest(source: string, now: number): number | undefined
    keepLongest(source: string, longest: number, now: number): void
    findWatermark(name: string, scope: string): Watermark | undefined
    /** Whether the name was used, for whatever filters. */
    knowsName(name: string): boolean
    findLastFile(name: string, scope: string): LastFile | undefined
    /** The name writes to this file now. */
    begin(name: string, scope: string, file: LastFile): void
    /** What the name reads, as its last run was asked. */
    describe(name: string, scope: string, facts: NamedFacts): void
    /** Sets the mark of this machine by hand. The file that the name wrote to is not known any more. */
    reset(mark: NamedMark): void
    finish(finished: Finished): void
    covered(scope: string): CoveredFile[]
    /** What was written last to the file of a checkpoint of this name. */
    findFormerly(name: string): Formerly | undefined
    close(): void
  }

/** Services change: what was learned is forgotten after this many milliseconds. */
const believed = 30 * 86_400_000
const schema = `
  CREATE TABLE longest (source TEXT PRIMARY KEY, milliseconds INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE watermark (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    at TEXT NOT NULL,
    next_start TEXT NOT NULL,
    keys TEXT NOT NULL,
    manifest TEXT NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
  CREATE TABLE covered (
    scope TEXT NOT NULL,
    window_from TEXT NOT NULL,
    window_to TEXT NOT NULL,
    grade TEXT NOT NULL,
    file TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX covered_scope ON covered (scope, window_from);
`
/** Also added to registers of earlier versions, which ignore it. */
const laterSchema = `
  CREATE TABLE IF NOT EXISTS last_file (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    path TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
  ${writtenTable}
  ${activityTable}
  ${deliveryTable}
  ${namedTable}
  ${seenTable}
  CREATE TABLE IF NOT EXISTS seal (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    manifest TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
`
/** Opens the register of exports, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openExportRegister(path: string): ExportRegister {
  const file = {path, version: registerVersion, schema, what: registerName, isShared: true, wayOut: registerHints}
  const database = openSound(file, {
    sound: registerSound,
    later: {
      schema: laterSchema,
      sound:
        '(SELECT count(*) FROM activity WHERE NOT json_valid(facts)) + (SELECT count(*) FROM named WHERE NOT json_valid(facts) OR NOT json_valid(last))',
    },
  })
  moveUp(database)
  return {
    ...activitiesOf(database),
    ...deliveriesOf(database),
    ...seenMarksOf(database),
    findLongest(source, now) {
      const row = database.get('SELECT milliseconds FROM longest WHERE source = ? AND at > ?', source, now - believed)
      return row && Number(row['milliseconds'])
    },
    keepLongest: (source, longest, now) =>
      void database.run('INSERT OR REPLACE INTO longest VALUES (?, ?, ?)', source, Math.floor(longest), now),
    findWatermark(name, scope) {
      const sql = `SELECT ${markColumns} WHERE watermark.name = ? AND watermark.scope = ?`
      const row = database.get(sql, name, scope)
      const mark = row && toMark(row)
      if (row && !mark) throw stateFailure(damage, registerName, path, registerHints)
      return mark
    },
    knowsName: (name) => database.get('SELECT 1 FROM watermark WHERE name = ?', name) !== undefined,
    findLastFile(name, scope) {
      const row = database.get('SELECT path, command FROM last_file WHERE name = ? AND scope = ?', name, scope)
      return row && {path: String(row['path']), command: String(row['command'])}
    },
    begin: (name, scope, {path: file, command}) =>
      void database.run('INSERT OR REPLACE INTO last_file VALUES (?, ?, ?, ?)', name, scope, file, command),
    describe: (name, scope, facts) => putFacts(database, {name, scope}, facts),
    reset: (mark) =>
      database.transaction(() => {
        putMark(database, mark)
        for (const table of ['last_file', 'seen_mark'])
          database.run(`DELETE FROM ${table} WHERE name = ? AND scope = ?`, mark.name, mark.scope)
      }),
    finish: ({scope, covered, watermark, shared, last, run, file: written, delivery, at}) =>
      database.transaction(() => {
        for (const {from, to, grade, file} of covered) {
          database.run('DELETE FROM covered WHERE scope = ? AND window_from >= ? AND window_to <= ?', scope, from, to)
          database.run('INSERT INTO covered VALUES (?, ?, ?, ?, ?, ?)', scope, from, to, grade, file, at)
        }
        if (watermark && shared) putSeen(database, watermark, shared)
        else if (watermark) putMark(database, watermark)
        if (watermark && last) putLastRun(database, watermark, last)
        if (run) endActivity(database, run, at)
        if (run && written) putWritten(database, run, written, at)
        if (delivery) (delivery.isAsked ? expectDelivery : renewDelivery)(database, {...delivery, at})
      }),
    covered: (scope) => listCovered(database, scope),
    findFormerly: (name) => findFormerly(database, name),
    close: () => database.close(),
  }
}

/** Brings a register of version 1 to this one, which that version refuses from then on. */
export function moveUp(database: Database): void {
  if (versionOf(database) === registerVersion) return
  database.transaction(() => {
    if (versionOf(database) === registerVersion) return // another process was faster
    if (hasTable(database, 'shared_copy')) database.exec(moveCopies)
    if (hasTable(database, 'export_run')) database.exec(moveExports)
    database.exec(`PRAGMA user_version=${registerVersion}`)
  })
}

/**
 * Renames a register that cannot be used, with the files that belong to it; returns the new path. Undefined for one that
 * can be used. Throws `locked` while another process does the same.
 */
export function setAsideRegister(path: string, now: number): string | undefined {
  const lock = tryLock(`${path}.lock`, registerName)
  if (!lock) throw heldByOther(`${path}.lock`, registerName)
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
