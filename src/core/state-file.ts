import {closeSync, existsSync, linkSync, openSync, readdirSync, rmSync, statfsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {CliFailure} from './errors.js'
import {isAlive} from './lock-holder.js'
import {makePrivateFolder} from './private-file.js'
import {type Database, openDatabase, removeDatabase} from './sqlite.js'
import {stateFailure, stateNewer, stateOnNetwork} from './state-failure.js'
import {version as programVersion} from './version.js'

export type StateFile = {
  path: string
  /** Version of its tables, from 1; a file of a later version is not touched. */
  version: number
  /** Makes the tables of a new file; a function is called only when one is made. */
  schema: string | (() => string)
  /** The name of the content in messages: `The journal of run 20260101-120000-ab12`. */
  what: string
  /** `NORMAL`: the last transactions may be lost in a power cut, and never in a crash; FULL unless given. */
  synchronous?: 'FULL' | 'NORMAL'
  /** Longest wait for another process that writes; this process is blocked meanwhile. 10 s unless given. */
  busyMilliseconds?: number
  /** Several processes may make it: it appears under its name complete, so that an empty file is damage. */
  isShared?: boolean
  /** Next steps when it is damaged. */
  wayOut?: readonly string[]
}

const privateFile = 0o600

/**
 * Opens a file of durable state, and makes it, readable by its owner only, when it is new. A transaction that returned
 * survives a power cut, unless the file does without that. Throws a `CliFailure`: `storage` when it cannot be opened or
 * written, is damaged, lies on a network file system, or was written by a later version of this program.
 */
export function openState(file: StateFile): Database {
  const {path, what, wayOut} = file
  try {
    makePrivateFolder(dirname(path))
    refuseNetwork(path, what)
    const isNew = !file.isShared || (!existsSync(path) && createComplete(file) === 'cannot link')
    return openPrepared({...file, isNew})
  } catch (error) {
    throw stateFailure(error, what, path, wayOut)
  }
}

/** SQL that counts invalid rows, and the tables that later versions of this program added, with their own. */
export type Soundness = {countInvalid: string; later?: {schema: string; countInvalid: string}}

/**
 * Opens such a file and reads through it before anything in it is believed; damage that is found later names the
 * file, too. Throws as `openState` does.
 */
export function openSound(file: StateFile, {countInvalid, later}: Soundness): Database {
  const {what, path, wayOut} = file
  const database = openState(file)
  const toFailure = (error: unknown) => stateFailure(error, what, path, wayOut)
  try {
    checkSound(database, countInvalid)
    if (later) database.exec(later.schema)
    if (later) checkSound(database, later.countInvalid)
    return guarded(database, toFailure)
  } catch (error) {
    database.close()
    throw isOfSqlite(error, 1) ? toFailure(damage) : toFailure(error) // a table that is missing
  }
}

/** Throws what SQLite throws of a damaged file, or of one whose tables are missing. */
export function checkSound(database: Database, countInvalid: string): void {
  const isSound = database.get('PRAGMA quick_check(1)')?.['quick_check'] === 'ok'
  if (!isSound || database.get(`SELECT ${countInvalid} AS n`)?.['n'] !== 0)
    throw Object.assign(new Error('damaged'), damage)
}

/** The error of SQLite for a damaged file. */
export const damage = {errcode: 11}

function guarded(database: Database, toFailure: (error: unknown) => CliFailure): Database {
  const run = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw isOfSqlite(error) ? toFailure(error) : error
    }
  }
  return {
    ...database,
    exec: (sql) => run(() => database.exec(sql)),
    run: (sql, ...parameters) => run(() => database.run(sql, ...parameters)),
    get: (sql, ...parameters) => run(() => database.get(sql, ...parameters)),
    all: (sql, ...parameters) => run(() => database.all(sql, ...parameters)),
    transaction: (work) => run(() => database.transaction(work)),
  }
}

function isOfSqlite(error: unknown, errcode?: number): boolean {
  const thrown = (error ?? {}) as {code?: unknown; errcode?: unknown}
  return thrown.code === 'ERR_SQLITE_ERROR' && (errcode === undefined || thrown.errcode === errcode)
}

function openPrepared(file: StateFile & {isNew: boolean}): Database {
  closeSync(openSync(file.path, 'a', privateFile))
  const {path, busyMilliseconds} = file
  const database = openDatabase(path, {cacheKibibytes: 4_096, busyMilliseconds})
  try {
    prepare(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Gives a new file its name only once it is complete: SQLite lets no two processes begin the same file. Where another was
 * faster, its file stays.
 */
function createComplete(file: StateFile): 'done' | 'cannot link' {
  const path = `${file.path}.${process.pid}.new`
  removeLeft(dirname(path))
  try {
    const database = openPrepared({...file, path, isNew: true})
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)') // closing would not say that the disk is full
    } finally {
      database.close()
    }
    linkSync(path, file.path)
    return 'done'
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    const exists = code === 'EEXIST'
    const cannotLink = code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP'
    if (!exists && !cannotLink) throw error
    return exists ? 'done' : 'cannot link'
  } finally {
    removeDatabase(path)
  }
}

/** Removes incomplete files of killed processes, and of this process where it has the number of one of them. */
export function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.(\d+)\.new(?:-\w+)?$/.exec(name) ?? []
    const isLeft = pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))
    if (isLeft) rmSync(join(folder, name), {force: true})
  }
}

function prepare(database: Database, file: StateFile & {isNew: boolean}): void {
  const {path, version, schema, what, isNew, synchronous = 'FULL'} = file
  // the switch to WAL changes the file through a journal, whose removal only EXTRA makes durable
  database.exec(`PRAGMA synchronous=EXTRA; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}`)
  const found = versionOf(database)
  if (found > version) throw stateNewer(what, path, writerOf(database))
  if (found !== 0) return
  if (!isNew) throw stateFailure(damage, what, path, file.wayOut)
  database.transaction(() => {
    if (versionOf(database) !== 0) return // another process made the tables in between
    database.exec(typeof schema === 'string' ? schema : schema())
    setVersion(database, version)
  })
}

export function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version'])
}

const radix = 1_000

/** Notes the version of the tables, and for older programs that meet them the version of this program. */
export function setVersion(database: Database, tables: number): void {
  const program = programVersion()
    .split('.')
    .reduce((number, part) => number * radix + Number.parseInt(part, 10), 0)
  database.exec(`PRAGMA user_version=${tables}; PRAGMA application_id=${program}`)
}

/** The version of the program that made the tables; undefined where it did not note that. */
export function writerOf(database: Database): string | undefined {
  const program = Number(database.get('PRAGMA application_id')?.['application_id'])
  if (program === 0) return undefined
  return [program / radix ** 2, (program / radix) % radix, program % radix].map(Math.trunc).join('.')
}

/** Types of file systems on which locks and durable writes are not what SQLite needs. */
const networkTypes = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b])

export function refuseNetwork(path: string, what: string): void {
  if (networkTypes.has(statfsSync(dirname(path)).type)) throw stateOnNetwork(what, path)
}

/** CRC-32 of a text, against damage and not against people; zlib is loaded only when there is something to check. */
export function checksum(text: string): number {
  return process.getBuiltinModule('node:zlib').crc32(text)
}
