import type {Database, Row} from '../core/sqlite.js'
import {oldestHour} from './day.js'
import {type KeyState, newKey} from './key-state.js'
import type {RunUse, Store} from './ledger.js'

export const version = 2

const tableOfState = `
CREATE TABLE key (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL);
`
export const schema = `
${tableOfState}
INSERT INTO key VALUES (1, '${JSON.stringify(newKey)}');
CREATE TABLE run (
  id INTEGER PRIMARY KEY, command TEXT NOT NULL, run_id TEXT, pid INTEGER NOT NULL, started_at INTEGER NOT NULL
);
CREATE TABLE run_use (
  run INTEGER NOT NULL, hour INTEGER NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (run, hour)
) WITHOUT ROWID;
`

/** Keeps the requests of each hour of a ledger of version 1; the bucket begins as a new one. */
export const upgradeFrom1 = `
${tableOfState}
INSERT INTO key SELECT 1, json_set('${JSON.stringify(newKey)}', '$.hours', json_group_array(json_array(hour, requests)))
FROM hour_use;
DROP TABLE key_state; DROP TABLE hour_use; DROP TABLE flight;
PRAGMA user_version=${version};
`

/** A process that counts its requests. */
export type Process = {command: string; pid: number; startedAt: number}

/** Requests of runs are kept as long as hours may count, and no longer. */
const keptHours = 24

/** The state of a key in a database that all processes share. */
export function createFileStore(database: Database, {command, pid, startedAt}: Process, now: () => number): Store {
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
export function readKeyState(database: Database): KeyState {
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
