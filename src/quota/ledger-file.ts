import {createHash} from 'node:crypto'
import {existsSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {bootMoment, type Clock, systemClock} from '../core/clock.js'
import {CliFailure} from '../core/errors.js'
import {lockedByOther, tryLock} from '../core/lock.js'
import {type Database, neighbours, type Row, readDatabase} from '../core/sqlite.js'
import {stateFailure} from '../core/state-failure.js'
import {damage, openState, versionOf} from '../core/state-file.js'
import {serviceOf} from '../values/service.js'
import {oldestHour} from './day.js'
import {type KeyState, type KeyUse, lostKey, newKey} from './key-state.js'
import {createLedger, type Ledger, type RunUse, type Store, type Times} from './ledger.js'

export type LedgerKey = {
  /** The state folder of the user. */
  folder: string
  baseUrl: string
  /** Tells one API key from another and gives nothing away. */
  keyFingerprint: string
}

export type OpenedLedger = {
  ledger: Ledger
  /** The path to which a damaged ledger was moved; its count is gone. */
  setAside?: string
}

/** While many processes start together. */
const busyAtStartMilliseconds = 500
/** Taking a permit needs a moment; a longer wait is a retry, which does not block the process. */
const busyMilliseconds = 100
/** Waiting for the disk delays permits: about every 800 requests is often enough. */
const pagesBeforeSync = 4_000
const openingTries = 20
const openingPauseMilliseconds = 50
const what = 'The ledger of this key'
/** For opening a ledger that is only read: no request is counted. */
const noProcess: Process = {command: '', pid: 0, startedAt: 0}

const systemTimes: Times = {moment: bootMoment, now: systemClock.now}

/** The file of one key of one service. */
export function ledgerPath({folder, baseUrl, keyFingerprint}: LedgerKey): string {
  return join(ledgersFolder(folder), `${keyFingerprint}-${serviceMark(baseUrl)}.db`)
}

function ledgersFolder(stateFolder: string): string {
  return join(stateFolder, 'ledgers')
}

function serviceMark(baseUrl: string): string {
  return createHash('sha256').update(serviceOf(baseUrl)).digest('hex').slice(0, 12)
}

/** Whether requests of this key were ever counted on this machine. */
export function hasLedger(key: LedgerKey): boolean {
  return existsSync(ledgerPath(key))
}

/**
 * Opens the ledger of a key, and makes it when it is new. A damaged one is set aside, and a new one begins with an empty
 * bucket. Throws a `CliFailure` (storage, locked) when there can be none.
 */
export function openLedger(key: LedgerKey, owner: Process, times: Times = systemTimes): OpenedLedger {
  const path = ledgerPath(key)
  const over = (database: Database) => createLedger(createFileStore(database, owner, times.now), times)
  try {
    return {ledger: over(openChecked(path, times))}
  } catch (error) {
    if (!isDamaged(error)) throw error
    return {ledger: over(replaceDamaged(path, times)), setAside: asideOf(path)}
  }
}

/** Opens the ledger of a key while other processes open and close it, which locks it for moments. */
export async function openLedgerInTurn(key: LedgerKey, owner: Process, clock: Clock): Promise<OpenedLedger> {
  for (let tries = 1; tries < openingTries; tries++) {
    try {
      return openLedger(key, owner)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.code !== 'STATE_BUSY') throw error
      await clock.sleep(openingPauseMilliseconds)
    }
  }

  return openLedger(key, owner)
}

/** Contents of a ledger that cannot be written; undefined when they cannot be read either. */
export function readLedger(key: LedgerKey, times = systemTimes): {use: KeyUse; runs: RunUse[]} | undefined {
  const path = ledgerPath(key)
  try {
    return readDatabase(path, (database) => {
      if (versionOf(database) !== version) return undefined
      const ledger = createLedger(createFileStore(database, noProcess, times.now), times)
      return {use: ledger.read(), runs: ledger.runs()}
    })
  } catch {
    return undefined
  }
}

/** Forgets what was counted for a service that begins anew, whatever the key. Throws a `CliFailure` (storage, locked). */
export function forgetLedgers({folder, baseUrl}: Pick<LedgerKey, 'folder' | 'baseUrl'>): void {
  const ledgers = ledgersFolder(folder)
  if (!existsSync(ledgers)) return
  const ending = `-${serviceMark(baseUrl)}.db`
  for (const name of readdirSync(ledgers).filter((file) => file.endsWith(ending))) forget(join(ledgers, name))
}

function forget(path: string): void {
  const database = openChecked(path, systemTimes)
  try {
    database.transaction(() => {
      database.exec('DELETE FROM run_use')
      createFileStore(database, noProcess, systemClock.now).write(newKey)
    })
  } catch (error) {
    throw stateFailure(error, what, path)
  } finally {
    database.close()
  }
}

const asideOf = (path: string) => `${path}.damaged`

/** Throws when the file cannot be used; damage is looked for in all of it, which is a few pages. */
function openChecked(path: string, times: Times): Database {
  const database = openState({
    path,
    version,
    schema: () => schemaWith(existsSync(asideOf(path)) ? lostKey({moment: times.moment(), now: times.now()}) : newKey),
    what,
    synchronous: 'NORMAL',
    busyMilliseconds: busyAtStartMilliseconds,
    isShared: true,
  })
  try {
    if (database.get('PRAGMA quick_check(1)')?.['quick_check'] !== 'ok') throw damaged(path)
    database.get('SELECT 1 FROM run LEFT JOIN run_use')
    readKeyState(database)
    database.exec(`PRAGMA busy_timeout=${busyMilliseconds}; PRAGMA wal_autocheckpoint=${pagesBeforeSync}`)
    return database
  } catch (error) {
    database.close()
    throw toDamaged(error, path)
  }
}

/** One process sets the damaged file aside; whoever finds none then begins a new one with an empty bucket. */
function replaceDamaged(path: string, times: Times): Database {
  const lock = tryLock(`${path}.repair`, what)
  if (!lock) throw lockedByOther(`${path}.repair`, what)
  try {
    return openChecked(path, times)
  } catch (error) {
    if (!isDamaged(error)) throw error
    renameSync(path, asideOf(path))
    for (const end of neighbours) rmSync(`${path}${end}`, {force: true})
    return openChecked(path, times)
  } finally {
    lock.release()
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof CliFailure && error.code === 'STATE_DAMAGED'
}

function damaged(path: string): CliFailure {
  return stateFailure(damage, what, path)
}

/** No such table, and no JSON where there must be: not what this program wrote. */
function toDamaged(error: unknown, path: string): CliFailure {
  const {errcode} = error as {errcode?: number}
  return errcode === 1 || error instanceof SyntaxError ? damaged(path) : stateFailure(error, what, path)
}

const version = 2

const schemaWith = (state: KeyState) => `
CREATE TABLE key (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL);
INSERT INTO key VALUES (1, '${JSON.stringify(state)}');
CREATE TABLE run (
  id INTEGER PRIMARY KEY, command TEXT NOT NULL, run_id TEXT, pid INTEGER NOT NULL, started_at INTEGER NOT NULL
);
CREATE TABLE run_use (
  run INTEGER NOT NULL, hour INTEGER NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (run, hour)
) WITHOUT ROWID;
`

/** A process that counts its requests. */
export type Process = {command: string; pid: number; startedAt: number}

/** Requests of runs are kept as long as hours may count, and no longer. */
const keptHours = 24

/** The state of a key in a database that all processes share. */
function createFileStore(database: Database, {command, pid, startedAt}: Process, now: () => number): Store {
  let run: number | undefined
  const startRun = () => {
    forgetOldRuns(database, now())
    const sql = 'INSERT INTO run (command, pid, started_at) VALUES (?, ?, ?) RETURNING id'
    run = Number(database.get(sql, command, pid, startedAt)?.['id'])
    return run
  }

  return {
    is: 'counted',
    transaction: (work) => database.transaction(work),
    read: () => readKeyState(database),
    write: (state) => void database.run('UPDATE key SET state = ?', JSON.stringify(state)),
    countForRun: (hour, requests) => {
      const adding = 'ON CONFLICT DO UPDATE SET requests = requests + excluded.requests'
      database.run(`INSERT INTO run_use VALUES (?, ?, ?) ${adding}`, run ?? startRun(), hour, requests)
    },
    runs: () => database.all(runsSql, oldestHour(now())).map(toRunUse),
    nameRun: (runId) => void database.run('UPDATE run SET run_id = ? WHERE id = ?', runId, run ?? startRun()),
    close: () => database.close(),
  }
}

/** Throws `SyntaxError` where there is no state that this program wrote. */
function readKeyState(database: Database): KeyState {
  return JSON.parse(String(database.get('SELECT state FROM key')?.['state'])) as KeyState
}

const runsSql = `
SELECT command, run_id, pid, started_at, sum(requests) AS requests FROM run JOIN run_use ON run.id = run
WHERE hour >= ? GROUP BY run.id HAVING sum(requests) > 0 ORDER BY started_at DESC, run.id DESC`

function toRunUse({command, run_id: runId, pid, started_at: startedAt, requests}: Row): RunUse {
  return {
    command: String(command),
    ...(runId !== null && {runId: String(runId)}),
    pid: Number(pid),
    startedAt: Number(startedAt),
    requests: Number(requests),
  }
}

function forgetOldRuns(database: Database, now: number): void {
  database.run('DELETE FROM run_use WHERE hour < ?', oldestHour(now) - keptHours)
  database.run('DELETE FROM run WHERE id NOT IN (SELECT run FROM run_use)')
}
