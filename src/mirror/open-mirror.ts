import {existsSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {lockOrFail} from '../core/lock.js'
import {stateNameOf} from '../reports/export/export-identity.js'
import type {DatabaseAddress} from '../values/database-address.js'
import {type MirrorDatabase, mirrorLocked} from './load/mirror-database.js'

export type OpenedMirror = {db: MirrorDatabase; close(): Promise<void>}

/** `folder` is asked for only where a file is locked. */
type Opening = {isDryRun: boolean; folder: () => string; signal: AbortSignal}

/** Opens the database for this sync alone. Throws a `CliFailure`: `locked` while another one writes into it. */
export async function openMirror(address: DatabaseAddress, {isDryRun, folder, signal}: Opening): Promise<OpenedMirror> {
  if (address.kind === 'postgres') {
    const {openPostgresMirror} = await import('./postgres-mirror.js')
    const db = await openPostgresMirror(address, {name: `vendorctl: sync on ${hostname()}, pid ${process.pid}`, signal})
    return {db, close: () => db.close()}
  }
  const {path} = address
  const {openSqliteMirror} = await import('./sqlite-mirror.js')
  if (isDryRun && !existsSync(path)) {
    const db = openSqliteMirror(':memory:')
    return {db, close: () => db.close()}
  }
  const name = join(folder(), 'mirrors', `${stateNameOf(path)}.lock`)
  const lock = lockOrFail(name, 'The lock of this mirror', (holder) => mirrorLocked(path, holder))
  try {
    const db = openSqliteMirror(path)
    const close = async () => {
      await db.close()
      lock.remove()
    }
    return {db, close}
  } catch (error) {
    lock.remove()
    throw error
  }
}
