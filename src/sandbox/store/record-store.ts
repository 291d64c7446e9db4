import {CliFailure} from '../../core/errors.js'
import {type Database, openDatabase, type Parameter} from '../../core/sqlite.js'
import {isRecord, type JsonRecord, type JsonValue, parseJson, printJson} from '../../values/json.js'
import {toKey} from './keys.js'
import {
  allTables,
  applicationId,
  type Columns,
  columnsOf,
  lateIndexes,
  type RecordTable,
  schemaVersion,
  tableDefinitions,
} from './store-tables.js'

/** The records of the sandbox. Every write changes the version of the store, so that lookups may be cached. */
export type Store = {
  readonly database: Database
  /** Another number after every change. */
  readonly version: () => number
  /** Adds a record; `columns` are those that the record itself does not tell. */
  insert(table: RecordTable, id: number, record: JsonRecord, columns?: Columns): void
  /** Adds a record that is JSON text already, with all of its columns. */
  load(table: RecordTable, id: number, text: string, columns: Columns): void
  update(table: RecordTable, id: number, record: JsonRecord, columns?: Columns): void
  /** Runs any other statement that changes records. */
  change(sql: string, ...parameters: Parameter[]): void
  /** Marks a record as deleted: reads leave it out unless they ask for it. */
  remove(table: RecordTable, id: number): void
  nextId(table: RecordTable): number
  find(table: RecordTable, id: number | bigint): JsonRecord | undefined
  /** All records in the order of their ids, deleted ones left out. */
  read(table: RecordTable): JsonRecord[]
  count(table: RecordTable): number
  transaction<Result>(work: () => Result): Result
  /** Makes the store empty. */
  clear(): void
  /** Creates indexes and sets the journal, once a world is loaded: this is faster than before. */
  settle(): void
  close(): void
}

/**
 * Opens a store on a file, which survives a restart, or, for an empty name, a temporary one. Throws a failure that
 * names the file when it is not one of a sandbox.
 */
export function openStore(path: string): Store {
  const database = openNamed(path)
  let version = 0
  const change = (sql: string, ...parameters: Parameter[]) => {
    version += 1
    return database.run(sql, ...parameters)
  }
  const load: Store['load'] = (table, id, text, columns) => {
    const names = ['id', 'json', ...Object.keys(columns)]
    change(insertion(table, names), id, text, ...Object.values(columns))
  }
  return {
    database,
    version: () => version,
    load,
    change,
    insert: (table, id, record, given = {}) =>
      load(table, id, printJson(record), columnsOf(table, record, given, database)),
    update(table, id, record, given = {}) {
      const columns = {json: printJson(record), ...columnsOf(table, record, given, database)}
      const assignments = Object.keys(columns).map((name) => `${name} = ?`)
      change(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(columns), id)
    },
    remove: (table, id) => void change(`UPDATE ${table} SET deleted = 1 WHERE id = ?`, id),
    nextId: (table) => Number(database.get(`SELECT coalesce(max(id), 0) + 1 AS id FROM ${table}`)?.['id']),
    find: (table, id) => toRecord(database.get(`SELECT json FROM ${table} WHERE deleted = 0 AND id = ?`, id)?.['json']),
    read: (table) =>
      database.all(`SELECT json FROM ${table} WHERE deleted = 0 ORDER BY id`).map(({json}) => toRecord(json) ?? {}),
    count: (table) => Number(database.get(`SELECT count(*) AS count FROM ${table} WHERE deleted = 0`)?.['count']),
    transaction: (work) => database.transaction(work),
    clear() {
      version += 1
      drop(database)
      create(database)
    },
    settle: () => database.exec(`${lateIndexes}${journal}`),
    close: () => database.close(),
  }
}

const cacheKibibytes = 65_536
/** A batch is a few kilobytes: a page has room for several. */
const pageBytes = 16_384
/** Set after a world is loaded: with a write-ahead log, it would be written twice. */
const journal = 'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;'

function openNamed(path: string): Database {
  try {
    return openSandboxDatabase(path)
  } catch (error) {
    if (error instanceof CliFailure) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new CliFailure(`The database ${path} cannot be used: ${why}`, {
      code: 'SANDBOX_DATABASE',
      hints: ['Name another file, or leave it out to keep nothing of the sandbox.'],
      cause: error,
    })
  }
}

function openSandboxDatabase(path: string): Database {
  const database = openDatabase(path)
  try {
    if (isSandboxDatabase(database)) database.exec(journal)
    else {
      database.exec(`PRAGMA page_size=${pageBytes}; PRAGMA synchronous=OFF`)
      create(database)
      database.exec(`PRAGMA cache_size=-${cacheKibibytes}`) // which was counted in smaller pages
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Whether an earlier sandbox made the database; an empty one may be used. */
function isSandboxDatabase(database: Database): boolean {
  const tables = Number(database.get('SELECT count(*) AS count FROM sqlite_schema')?.['count'])
  if (tables === 0) return false
  const id = database.get('PRAGMA application_id')?.['application_id']
  if (id === applicationId && database.get('PRAGMA user_version')?.['user_version'] === schemaVersion) return true
  throw new RangeError('it is not a database of a sandbox of this version.')
}

function create(database: Database): void {
  database.transaction(() => {
    database.exec(tableDefinitions)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`)
  })
}

function drop(database: Database): void {
  database.transaction(() => {
    for (const table of allTables) database.exec(`DROP TABLE ${table}`)
  })
}

/**
 * Adds a record as it is, past every rule of the service: a record for tests. Parents must be there before it.
 * A batch is named by its id, such as B1467; records of a kind without an id are numbered.
 */
export function addRecord(store: Store, table: RecordTable, record: JsonRecord): void {
  const {id: named = record['transactionId'] ?? store.nextId(table)} = record
  const id = Number(typeof named === 'string' ? named.slice(1) : toKey(named))
  if (!Number.isSafeInteger(id)) throw new RangeError('A record needs an id.')
  store.insert(table, id, record)
}

/** The statement that adds rows to a table. */
export function insertion(table: RecordTable, names: readonly string[], rows = 1): string {
  const row = `(${names.map(() => '?').join(', ')})`
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES ${Array.from({length: rows}, () => row).join(', ')}`
}

function toRecord(text: unknown): JsonRecord | undefined {
  const value: JsonValue = typeof text === 'string' ? parseJson(text) : null
  return isRecord(value) ? value : undefined
}
