import {existsSync, lstatSync, rmSync} from 'node:fs'
import {resolve} from 'node:path'
import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {isOwn, notOwnFile} from './owner-and-mode.js'

export type Parameter = SQLInputValue
export type Row = Record<string, null | number | bigint | string | Uint8Array>

/** One SQLite database; every statement is prepared once and kept. */
export type Database = ReturnType<typeof openDatabase>

export type OpenOptions = {
  readOnly?: boolean
  /** Nobody writes to the file meanwhile: read without a lock, and leave no file beside it. */
  immutable?: boolean
  /** Memory for pages, in kibibytes; 64 MiB unless given. */
  cacheKibibytes?: number
  /** Longest wait for another process that writes; this process is blocked meanwhile. 10 s unless given. */
  busyMilliseconds?: number | undefined
}

/** Other processes hold a write lock for moments only. */
const usualBusyMilliseconds = 10_000

/** SQLITE_NOTADB [pub] */
const notADatabase = 26

/** Endings of the files beside a database that SQLite reads as part of it. */
export const neighbours = ['-journal', '-wal', '-shm']

/**
 * Refuses a database that is a link, or beside which others left files that SQLite would read. Throws a `CliFailure`
 * (unsafe), and for a folder, a device or a pipe an error like that of the system or of SQLite.
 */
export function refusePlanted(path: string): void {
  const look = (one: string) => lstatSync(one, {throwIfNoEntry: false})
  const found = look(path)
  if (found?.isSymbolicLink()) throw notOwnFile(path)
  if (found?.isDirectory()) throw Object.assign(new Error('it is a folder'), {code: 'EISDIR'})
  if (found && !found.isFile()) throw Object.assign(new Error('it is a device or a pipe'), {errcode: notADatabase})
  for (const end of neighbours) {
    const beside = look(`${path}${end}`)
    const isForeign = beside && !isOwn(beside) && beside.uid !== found?.uid
    if (beside?.isSymbolicLink() || isForeign) throw notOwnFile(`${path}${end}`)
  }
}

/** Removes a database with the files beside it. */
export function removeDatabase(path: string): void {
  for (const end of ['', ...neighbours]) rmSync(`${path}${end}`, {force: true})
}

/** Opens a database to read it, which changes nothing in it or beside it. Throws what SQLite throws, and `unsafe`. */
export function openUnchanged(path: string, cacheKibibytes = 512): Database {
  return openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes})
}

/** Reads from a database, which changes nothing in it or beside it. Throws what SQLite throws, and `unsafe`. */
export function readDatabase<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openUnchanged(path)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/**
 * Opens a database file, one in memory for `:memory:`, or, for an empty name, one of this process alone that goes to a
 * file without a name once it outgrows the memory for pages. Throws what SQLite throws, and `unsafe`.
 */
export function openDatabase(path: string, options: OpenOptions = {}) {
  const {immutable = false, readOnly = immutable, cacheKibibytes = 65_536} = options
  const {busyMilliseconds = usualBusyMilliseconds} = options
  const isFile = path !== ':memory:' && path !== ''
  if (isFile) refusePlanted(path)
  const name = immutable ? `${pathToFileURL(path).href}?immutable=1` : isFile ? resolve(path) : path // never file:…
  const sqlite = new (loadSqlite().DatabaseSync)(name, {readOnly})
  try {
    sqlite.exec(
      `PRAGMA busy_timeout=${busyMilliseconds}; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-${cacheKibibytes}`,
    )
  } catch (error) {
    sqlite.close() // an open file cannot be removed everywhere
    throw error
  }
  const [statements, changing] = [new Map<string, StatementSync>(), new Map<string, StatementSync>()]
  const prepare = (sql: string) => statements.get(sql) ?? prepareAndKeep(statements, sql, sqlite)
  const prepareChange = (sql: string) => changing.get(sql) ?? prepareAndKeepChange(changing, sql, sqlite)
  return {
    exec: (sql: string): void => sqlite.exec(sql),
    run: (sql: string, ...parameters: Parameter[]) => Number(prepareChange(sql).run(...parameters).changes),
    get: (sql: string, ...parameters: Parameter[]): Row | undefined => prepare(sql).get(...parameters),
    all: (sql: string, ...parameters: Parameter[]): Row[] => prepare(sql).all(...parameters),
    iterate: (sql: string, ...parameters: Parameter[]): Iterable<Row> => sqlite.prepare(sql).iterate(...parameters),
    /** Makes a pure function of any number of values known to statements. */
    define: (name: string, work: (...values: Row[string][]) => Parameter): void =>
      sqlite.function(name, {varargs: true, deterministic: true}, work),
    /** Runs the work as one transaction: all of it is kept, or, when it throws, nothing. */
    transaction: <Result>(work: () => Result): Result => runTransaction(sqlite, work),
    /** Undoes what is not committed, or what came since a savepoint; nothing where a full disk has done it already. */
    rollBack: (savepoint?: string): void => rollBack(sqlite, savepoint),
    close: () => sqlite.close(),
  }
}

function prepareAndKeep(statements: Map<string, StatementSync>, sql: string, sqlite: DatabaseSync): StatementSync {
  const statement = sqlite.prepare(sql)
  statements.set(sql, statement)
  return statement
}

/** The id of the last row may be too large for a number, at which some versions of Node throw. */
function prepareAndKeepChange(
  statements: Map<string, StatementSync>,
  sql: string,
  sqlite: DatabaseSync,
): StatementSync {
  const statement = prepareAndKeep(statements, sql, sqlite)
  statement.setReadBigInts(true)
  return statement
}

function runTransaction<Result>(sqlite: DatabaseSync, work: () => Result): Result {
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    sqlite.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(sqlite)
    throw error
  }
}

function rollBack(sqlite: DatabaseSync, savepoint?: string): void {
  if (!sqlite.isTransaction) return
  sqlite.exec(savepoint === undefined ? 'ROLLBACK' : `ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
}

/** One statement of a text, for reading. */
export type Statement = {
  /** With the type that a column of a table was declared with. */
  readonly columns: readonly {readonly name: string; readonly type: string | null}[]
  /** The text behind the statement. */
  readonly rest: string
  readonly hasParameters: boolean
  /** Whole numbers are `bigint`. */
  rows(): Iterator<Row[string][]>
}

/** A database that nothing can be written into. */
export type Reader = {prepare(sql: string): Statement; close(): void}

/**
 * Opens a file for reading: SQLite writes nothing, and where it can be asked before each step of a statement, only what
 * reads is prepared. Throws what SQLite throws, and `unsafe`. Never makes a file.
 */
export function openReader(path: string, busyMilliseconds: number): Reader {
  refusePlanted(path)
  const {DatabaseSync, constants} = loadSqlite()
  const sqlite = new DatabaseSync(path, {readOnly: true})
  try {
    sqlite.exec(`PRAGMA busy_timeout=${busyMilliseconds}; PRAGMA trusted_schema=OFF; PRAGMA query_only=ON`)
  } catch (error) {
    sqlite.close()
    throw error
  }
  const {SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA} = constants
  const reading = new Set([SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE])
  const isReading = (action: number, name: string | null) =>
    reading.has(action) || (action === SQLITE_PRAGMA && describingPragmas.test(name ?? ''))
  // Node 22 has no such call: there it is the file that is read only, and the one statement that is let through.
  sqlite.setAuthorizer?.((action, name) => (isReading(action, name) ? constants.SQLITE_OK : constants.SQLITE_DENY))
  return {
    prepare(sql) {
      const statement = sqlite.prepare(sql)
      statement.setReturnArrays(true)
      statement.setReadBigInts(true)
      const {sourceSQL, expandedSQL} = statement
      return {
        columns: statement.columns(),
        rest: sql.slice(sourceSQL.length),
        hasParameters: sourceSQL !== expandedSQL,
        rows: () => statement.iterate() as unknown as Iterator<Row[string][]>,
      }
    },
    close: () => sqlite.close(),
  }
}

/** Pragmas that describe a database, as table-valued functions. */
const describingPragmas =
  /^(table_(info|xinfo|list)|index_(list|info|xinfo)|foreign_key_(list|check)|(database|function|collation|module|pragma)_list|compile_options|integrity_check|quick_check|data_version)$/i

/** Node calls its SQLite experimental on stderr when it is loaded; that one warning, and no other, is suppressed. */
function loadSqlite(): typeof import('node:sqlite') {
  const {emitWarning} = process
  const filtered = (...warning: [string | Error, ...unknown[]]) => {
    if (!String(warning[0]).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, warning)
  }
  process.emitWarning = filtered
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The result code of SQLite when another process holds the lock. [pub] */
export const sqliteBusy = 5

/** Whether another process holds the lock that SQLite asked for. */
export function isBusy(error: unknown): boolean {
  const {errcode = 0} = error as {errcode?: number}
  return (errcode & 0xff) === sqliteBusy
}
