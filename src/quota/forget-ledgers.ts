import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {openDatabase} from '../core/sqlite.js'
import {stateFailure} from '../core/state-failure.js'
import {type LedgerKey, ledgersFolder, serviceMark} from './open-ledger.js'

/** Nothing was asked of a service yet that begins anew, by whatever key. Throws a `CliFailure` (storage, locked). */
export function forgetLedgers({folder, baseUrl}: Pick<LedgerKey, 'folder' | 'baseUrl'>): void {
  const ledgers = ledgersFolder(folder)
  if (!existsSync(ledgers)) return
  const ending = `-${serviceMark(baseUrl)}.db`
  for (const name of readdirSync(ledgers).filter((file) => file.endsWith(ending))) forget(join(ledgers, name))
}

function forget(path: string): void {
  try {
    const database = openDatabase(path, {cacheKibibytes: 64})
    try {
      database.exec(`
        PRAGMA busy_timeout=500;
        BEGIN IMMEDIATE;
        DELETE FROM hour_use; DELETE FROM run_use; DELETE FROM flight;
        UPDATE key_state SET tokens = NULL, milliseconds = NULL, boot = NULL, slow_until = NULL, lessons = NULL;
        COMMIT
      `)
    } finally {
      database.close()
    }
  } catch (error) {
    throw stateFailure(error, 'The ledger of this key', path)
  }
}
