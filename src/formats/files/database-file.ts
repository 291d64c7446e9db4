import * as system from 'node:fs/promises'
import {notOwnFile} from '../../core/owner-and-mode.js'
import {type Database, neighbours, openDatabase, refusePlanted} from '../../core/sqlite.js'
import {type AtomicFile, openAtomicFile} from './atomic-file.js'
import {isForeign, toDatabaseFailure} from './database-failure.js'
import {isStreamLike, partName, unlessMissing} from './file-steps.js'

/** A database that takes all of a run or nothing of it. */
export type DatabaseFile = {
  readonly path: string
  readonly database: Database
  /** Ends the one transaction; a new database appears under its name. */
  commit(): Promise<void>
  /** Removes a new database and leaves an old one as it was. May be called at any time. */
  discard(): Promise<void>
}

export type DatabaseOptions = {
  overwrite?: boolean
  /** Longest wait for another program that writes to the same database. */
  busyMilliseconds?: number
}

/** The mark of this program in the head of a database: `vctl`. */
const applicationId = 0x7663746c
const cacheKibibytes = 8_192

/**
 * Opens a database to add to, in one transaction: one that this program made before, else a new one, which has no name
 * before it is complete. `overwrite` makes a new one in the place of any file. Throws a `CliFailure`: `usage` for a file
 * that is no database of this program, `locked` when another program writes to it, `unsafe` for a link, `storage`.
 */
export async function openDatabaseFile(path: string, options: DatabaseOptions = {}): Promise<DatabaseFile> {
  const {overwrite = false, busyMilliseconds = 2_000} = options
  try {
    const existing = overwrite ? undefined : await unlessMissing(system.lstat(path))
    if (existing && !existing.isDirectory() && !(await isStreamLike(system, path))) {
      if (!existing.isFile()) throw notOwnFile(path)
      return existing.size === 0 ? await openNew(path, true) : openExisting(path, busyMilliseconds)
    }

    return await openNew(path, overwrite)
  } catch (error) {
    throw toDatabaseFailure(error, path)
  }
}

async function openNew(path: string, overwrite: boolean): Promise<DatabaseFile> {
  if (await isStreamLike(system, path)) throw isForeign(path, 'it is a device or a pipe')
  const file = await openAtomicFile(path, {overwrite})
  const part = partName(path)
  try {
    for (const one of [part, path]) refusePlanted(one)
    for (const one of overwrite ? [part] : [part, path]) await removeNeighbours(one)
    const database = openDatabase(part, {cacheKibibytes})
    // The file has no name until all of it is on the disk; its journal tells SQLite that another run took the file.
    database.exec(`PRAGMA synchronous=OFF; PRAGMA application_id=${applicationId}; BEGIN`)
    const publish = async () => {
      if (overwrite) await removeNeighbours(path)
      await file.commit()
    }
    const remove = async () => {
      await file.discard()
      await removeNeighbours(part)
    }
    return toFile({path, database, publish, remove})
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Removes journals of a database that was there before: SQLite would apply them to the new one. */
async function removeNeighbours(path: string): Promise<void> {
  for (const end of neighbours) await system.rm(`${path}${end}`, {force: true})
}

function openExisting(path: string, busyMilliseconds: number): DatabaseFile {
  const database = openDatabase(path, {cacheKibibytes, busyMilliseconds})
  try {
    const {application_id: mark} = database.get('PRAGMA application_id') ?? {}
    if (mark !== applicationId) throw isForeign(path, 'its head has another mark')
    database.exec('PRAGMA synchronous=FULL; BEGIN IMMEDIATE')
  } catch (error) {
    database.close()
    throw error
  }

  const nothing = async () => undefined
  return toFile({path, database, publish: nothing, remove: nothing})
}

type Opened = {path: string; database: Database; publish: AtomicFile['commit']; remove: AtomicFile['discard']}

function toFile({path, database, publish, remove}: Opened): DatabaseFile {
  let isOpen = true
  const close = () => {
    if (isOpen) database.close() // what was not committed is rolled back
    isOpen = false
  }

  return {
    path,
    database,
    async commit() {
      try {
        database.exec('COMMIT')
        close()
        await publish()
      } catch (error) {
        close()
        await remove()
        throw toDatabaseFailure(error, path)
      }
    },
    async discard() {
      close()
      await remove()
    },
  }
}
