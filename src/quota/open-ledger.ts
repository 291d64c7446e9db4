import {createHash} from 'node:crypto'
import {existsSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {bootMoment, type Clock, systemClock} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {tryLock} from '../core/lock.js'
import type {Database} from '../core/sqlite.js'
import {stateFailure} from '../core/state-failure.js'
import {openState} from '../core/state-file.js'
import {serviceOf} from '../values/service.js'
import {emptyBucket} from './bucket.js'
import {createLedger, type Times} from './ledger.js'
import {type Counting, createLedgerBook, ledgerSchema, ledgerVersion} from './ledger-book.js'
import type {Ledger} from './ledger-types.js'

export type LedgerKey = {
  /** The state folder of the user. */
  folder: string
  baseUrl: string
  /** Tells one API key from another and gives nothing away. */
  keyFingerprint: string
}

export type OpenedLedger = {
  ledger: Ledger
  /** Where a damaged ledger was set aside; its count is gone. */
  setAside?: string
}

/** While many processes start at once. */
const busyAtStartMilliseconds = 500
/** A take is over in a moment; whoever waits longer than this tries again without standing still. */
const busyMilliseconds = 100

export const systemTimes: Times = {moment: bootMoment, now: systemClock.now}

/** The file of one key of one service. */
export function ledgerPath({folder, baseUrl, keyFingerprint}: LedgerKey): string {
  return join(ledgersFolder(folder), `${keyFingerprint}-${serviceMark(baseUrl)}.db`)
}

export function ledgersFolder(stateFolder: string): string {
  return join(stateFolder, 'ledgers')
}

/** Tells one service from another. */
export function serviceMark(baseUrl: string): string {
  return createHash('sha256').update(serviceOf(baseUrl)).digest('hex').slice(0, 12)
}

/** Whether requests of this key were ever counted on this machine. */
export function hasLedger(key: LedgerKey): boolean {
  return existsSync(ledgerPath(key))
}

/**
 * Opens the ledger of a key, and makes it when it is new. A damaged one is set aside and begins anew with an empty
 * bucket. Throws a `CliFailure` (storage, locked) when there can be none.
 */
export function openLedger(key: LedgerKey, counting: Counting, times: Times = systemTimes): OpenedLedger {
  const path = ledgerPath(key)
  const make = (database: Database) => createLedgerBook(database, counting, times.now)
  try {
    return {ledger: createLedger(make(openSound(path)), times)}
  } catch (error) {
    if (!isDamaged(error)) throw error
    const book = make(mend(path))
    book.writeBucket(emptyBucket(times.moment()))
    return {ledger: createLedger(book, times), setAside: asideOf(path)}
  }
}

/** Waiting for the disk stands in the way of turns: about every 800 requests is often enough. */
const pagesBeforeSync = 4_000
const openingTries = 20
const openingPauseMilliseconds = 50

/** The same, while other processes open and close it, which keeps everybody else out for moments. */
export async function openLedgerInTurn(key: LedgerKey, counting: Counting, clock: Clock): Promise<OpenedLedger> {
  for (let tries = 1; tries < openingTries; tries++) {
    try {
      return openLedger(key, counting)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.code !== 'STATE_BUSY') throw error
      await clock.sleep(openingPauseMilliseconds)
    }
  }

  return openLedger(key, counting)
}

const what = 'The ledger of this key'
const asideOf = (path: string) => `${path}.damaged`

/** Throws when the file cannot be used; damage that shows only later is looked for at once, in the few pages there are. */
function openSound(path: string): Database {
  const database = openState({
    path,
    version: ledgerVersion,
    schema: ledgerSchema,
    what,
    synchronous: 'NORMAL',
    busyMilliseconds: busyAtStartMilliseconds,
    isShared: true,
  })
  try {
    const found = database.get('PRAGMA quick_check(1)')?.['quick_check']
    const key = database.get(
      'SELECT lessons FROM key_state LEFT JOIN hour_use LEFT JOIN run LEFT JOIN run_use LEFT JOIN flight LIMIT 1',
    )
    if (found !== 'ok' || !key) throw damaged(path)
    if (key['lessons'] !== null) JSON.parse(String(key['lessons']))
    database.exec(`PRAGMA busy_timeout=${busyMilliseconds}; PRAGMA wal_autocheckpoint=${pagesBeforeSync}`)
    return database
  } catch (error) {
    database.close()
    throw toDamaged(error, path)
  }
}

/** One process sets the damaged file aside; the others find the new one. */
function mend(path: string): Database {
  const lock = tryLock(`${path}.mend`, what)
  if (!lock) throw stateFailure({errcode: 5}, what, path)
  try {
    return openSound(path)
  } catch (error) {
    if (!isDamaged(error)) throw error
    renameSync(path, asideOf(path))
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, {force: true})
    return openSound(path)
  } finally {
    lock.release()
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof CliFailure && error.code === 'STATE_DAMAGED'
}

function damaged(path: string): CliFailure {
  return stateFailure({errcode: 11}, what, path)
}

/** No such table, and no JSON where there must be: not what this program wrote. */
function toDamaged(error: unknown, path: string): CliFailure {
  const {errcode} = error as {errcode?: number}
  return errcode === 1 || error instanceof SyntaxError ? damaged(path) : stateFailure(error, what, path)
}
