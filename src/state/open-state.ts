import {closeSync, existsSync, linkSync, openSync, rmSync, statfsSync} from 'node:fs'
import {dirname} from 'node:path'
import {makePrivateFolder} from '../private-folder.js'
import {type Database, openDatabase} from '../sqlite.js'
import {stateFailure, stateNewer, stateOnNetwork} from './state-failure.js'

export type StateFile = {
  path: string
  /** Version of its tables, from 1; a file of a later version is not touched. */
  version: number
  /** Makes the tables of a new file. */
  schema: string
  /** What is kept there, for messages: `The journal of run 20260101-120000-ab12`. */
  what: string
  /** `NORMAL`: the last transactions may be lost in a power cut, and never in a crash; FULL unless given. */
  synchronous?: 'FULL' | 'NORMAL'
  /** How long to wait for another process that writes; this process stands still meanwhile. 10 s unless given. */
  busyMilliseconds?: number
  /** Several processes may be the first to open it, at the same moment. */
  isShared?: boolean
}

const privateFile = 0o600
/** Other processes hold a write lock for moments only. */
const usualBusyMilliseconds = 10_000

/**
 * Opens a file of durable state, and makes it, readable by its owner only, when it is new. A transaction that returned
 * survives a power cut, unless the file does without that. Throws a `CliFailure`: `storage` when it cannot be opened or
 * written, is damaged, lies on a network file system, or was written by a later version of this program.
 */
export function openState(file: StateFile): Database {
  const {path, what} = file
  try {
    makePrivateFolder(dirname(path))
    refuseNetwork(path, what)
    if (file.isShared && !existsSync(path)) makeWhole(file)
    return openPrepared(file)
  } catch (error) {
    throw stateFailure(error, what, path)
  }
}

function openPrepared(file: StateFile): Database {
  closeSync(openSync(file.path, 'a', privateFile))
  const database = openDatabase(file.path, {cacheKibibytes: 4_096})
  try {
    prepare(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Gives a new file its name only once it is whole: SQLite lets no two processes begin the same file. Where another was
 * faster, its file stays.
 */
function makeWhole(file: StateFile): void {
  const path = `${file.path}.${process.pid}.new`
  rmSync(path, {force: true})
  try {
    openPrepared({...file, path}).close()
    linkSync(path, file.path)
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    const isTaken = code === 'EEXIST'
    const cannotLink = code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP'
    if (!isTaken && !cannotLink) throw error
  } finally {
    rmSync(path, {force: true})
  }
}

function prepare(database: Database, file: StateFile): void {
  const {path, version, schema, what, synchronous = 'FULL', busyMilliseconds = usualBusyMilliseconds} = file
  database.exec(`PRAGMA busy_timeout=${busyMilliseconds}; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}`)
  const found = versionOf(database)
  if (found > version) throw stateNewer(what, path)
  if (found !== 0) return
  database.transaction(() => {
    if (versionOf(database) !== 0) return // another process made the tables in between
    database.exec(schema)
    database.exec(`PRAGMA user_version=${version}`)
  })
}

export function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version'])
}

/** Types of file systems on which locks and durable writes are not what SQLite needs. */
const networkTypes = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b])

export function refuseNetwork(path: string, what: string): void {
  if (networkTypes.has(statfsSync(dirname(path)).type)) throw stateOnNetwork(what, path)
}
