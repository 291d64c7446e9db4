import {existsSync} from 'node:fs'
import {openDatabase} from '../core/sqlite.js'
import {versionOf} from '../core/state-file.js'
import {createLedger} from './ledger.js'
import {createLedgerBook, ledgerVersion} from './ledger-book.js'
import type {LedgerState, RunUse} from './ledger-types.js'
import {type LedgerKey, ledgerPath, systemTimes} from './open-ledger.js'

/** What a ledger that cannot be written says all the same; undefined when not even that can be read. */
export function readLedger(key: LedgerKey, times = systemTimes): {state: LedgerState; runs: RunUse[]} | undefined {
  const path = ledgerPath(key)
  try {
    const database = openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes: 512})
    try {
      if (versionOf(database) !== ledgerVersion) return undefined
      const ledger = createLedger(createLedgerBook(database, {command: '', pid: 0, startedAt: 0}, times.now), times)
      return {state: ledger.read(), runs: ledger.runs()}
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}
