import type {Database, Row} from '../core/sqlite.js'
import type {Bucket} from './bucket.js'
import {oldestHour} from './day-use.js'
import type {Account, Book} from './ledger.js'
import type {RunUse} from './ledger-types.js'
import {type Lessons, noLessons} from './lessons.js'

export const ledgerVersion = 1

export const ledgerSchema = `
CREATE TABLE key_state (
  one INTEGER PRIMARY KEY CHECK (one = 1), base_url TEXT NOT NULL DEFAULT '',
  tokens REAL, milliseconds REAL, boot TEXT, slow_until REAL, lessons TEXT
);
INSERT INTO key_state (one) VALUES (1);
CREATE TABLE hour_use (hour INTEGER PRIMARY KEY, requests INTEGER NOT NULL);
CREATE TABLE flight (id INTEGER PRIMARY KEY, until REAL NOT NULL);
CREATE TABLE run (
  id INTEGER PRIMARY KEY, command TEXT NOT NULL, run_id TEXT, pid INTEGER NOT NULL, started_at INTEGER NOT NULL
);
CREATE TABLE run_use (
  run INTEGER NOT NULL, hour INTEGER NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (run, hour)
) WITHOUT ROWID;
`

/** Hours of the past that are kept, for people who look. */
const keptHours = 7 * 24

/** The process that counts. */
export type Counting = {command: string; pid: number; startedAt: number}

/** An account in a database that all processes share. */
export function createLedgerBook(database: Database, {command, pid, startedAt}: Counting, now: () => number): Book {
  let run: number | bigint | undefined
  const startRun = () => {
    forgetOld(database, now())
    database.run('INSERT INTO run (command, pid, started_at) VALUES (?, ?, ?)', command, pid, startedAt)
    run = Number(database.get('SELECT last_insert_rowid() AS id')?.['id'])
    return run
  }

  return {
    is: 'counted',
    transaction: (work) => database.transaction(work),
    read: () => readAccount(database, now()),
    writeBucket: ({tokens, milliseconds, boot, slowUntil}) => {
      const sql = 'UPDATE key_state SET tokens = ?, milliseconds = ?, boot = ?, slow_until = ?'
      database.run(sql, tokens, milliseconds, boot ?? null, slowUntil)
    },
    writeLessons: (lessons) => void database.run('UPDATE key_state SET lessons = ?', JSON.stringify(lessons)),
    count: (hour, requests) => {
      database.run(`INSERT INTO hour_use VALUES (?, ?) ${adding}`, hour, requests)
      database.run(`INSERT INTO run_use VALUES (?, ?, ?) ${adding}`, run ?? startRun(), hour, requests)
    },
    landings: () => database.all('SELECT until FROM flight ORDER BY until').map(({until}) => Number(until)),
    startFlight: (until) => Number(database.get(startingFlight, until)?.['id']),
    landFlight: (flight, milliseconds) => {
      database.run('UPDATE flight SET until = min(until, ?) WHERE id = ?', milliseconds, flight)
    },
    endFlight: (flight) => void database.run('DELETE FROM flight WHERE id = ?', flight),
    forgetFlights: (milliseconds) => void database.run('DELETE FROM flight WHERE until <= ?', milliseconds),
    runs: () => database.all(runsSql, oldestHour(now())).map(toRunUse),
    nameRun: (runId) => void database.run('UPDATE run SET run_id = ? WHERE id = ?', runId, run ?? startRun()),
    close: () => database.close(),
  }
}

const adding = 'ON CONFLICT DO UPDATE SET requests = requests + excluded.requests'

/** A number that no other had: who lands after it was forgotten must not land another. */
const startingFlight = 'INSERT INTO flight VALUES (abs(random() % 9007199254740991), ?) RETURNING id'

const runsSql = `
SELECT command, run_id, pid, started_at, sum(requests) AS requests FROM run JOIN run_use ON run.id = run
WHERE hour >= ? GROUP BY run.id HAVING sum(requests) > 0 ORDER BY started_at DESC, run.id DESC`

function readAccount(database: Database, now: number): Account {
  const row = database.get('SELECT tokens, milliseconds, boot, slow_until, lessons FROM key_state')
  if (!row) throw new Error('the row of the key is missing')
  const hours = database.all('SELECT hour, requests FROM hour_use WHERE hour >= ? ORDER BY hour', oldestHour(now))
  return {
    bucket: toBucket(row),
    hours: hours.map(({hour, requests}) => [Number(hour), Number(requests)] as const),
    lessons: row['lessons'] === null ? noLessons : (JSON.parse(String(row['lessons'])) as Lessons),
  }
}

function toBucket({tokens, milliseconds, boot, slow_until: slowUntil}: Row): Bucket | undefined {
  if (tokens === null) return undefined
  return {
    tokens: Number(tokens),
    milliseconds: Number(milliseconds),
    boot: boot === null ? undefined : String(boot),
    slowUntil: Number(slowUntil),
  }
}

function toRunUse({command, run_id: runId, pid, started_at: startedAt, requests}: Row): RunUse {
  return {
    command: String(command),
    ...(runId !== null && {runId: String(runId)}),
    pid: Number(pid),
    startedAt: Number(startedAt),
    requests: Number(requests),
  }
}

function forgetOld(database: Database, now: number): void {
  const oldest = oldestHour(now) - keptHours
  database.run('DELETE FROM hour_use WHERE hour < ?', oldest)
  database.run('DELETE FROM run_use WHERE hour < ?', oldest)
  database.run('DELETE FROM run WHERE id NOT IN (SELECT run FROM run_use)')
}
