import {openDatabase} from '../../core/sqlite.js'
import {findingQuery} from '../../derive/mirror/upgrade.js'
import {type MirrorDatabase, quote, type Value} from '../load/mirror-database.js'
import {toMirrorFailure} from './sqlite-failure.js'
import {openSqliteLoader} from './sqlite-loader.js'

/** Pages of tables and indexes that are held in memory, and once more while an index is made. */
const cacheKibibytes = 16_384
const busyMilliseconds = 5_000

/** Opens the file, which is made when it is not there. Throws a `CliFailure`. */
export function openSqliteMirror(path: string): MirrorDatabase {
  const guard = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw toMirrorFailure(error, path)
    }
  }
  const database = guard(() => openDatabase(path, {cacheKibibytes, busyMilliseconds}))
  try {
    guard(() => database.exec('PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF'))
  } catch (error) {
    database.close()
    throw error
  }
  const toParameter = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)
  const db: MirrorDatabase = {
    dialect: 'sqlite',
    name: path,
    all: async (sql, ...values) => guard(() => database.all(sql, ...values.map(toParameter))),
    run: async (sql, ...values) => guard(() => database.run(sql, ...values.map(toParameter))),
    async transaction(work) {
      guard(() => database.exec('BEGIN IMMEDIATE'))
      try {
        const result = await work()
        guard(() => database.exec('COMMIT'))
        return result
      } catch (error) {
        database.rollBack()
        throw error
      }
    },
    table: quote,
    async define(statements) {
      for (const statement of statements) guard(() => database.run(statement))
    },
    find: async () => guard(() => database.all(findingQuery('sqlite'))),
    openLoader: async (tables, look) => openSqliteLoader({database, db, guard}, tables, look),
    close: async () => database.close(),
  }
  return db
}
