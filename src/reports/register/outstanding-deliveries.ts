import type {Database, Row} from '../../core/sqlite.js'
import type {Named} from './named-marks.js'

/** `gone`, `changed`: the file was removed or changed before it was delivered, so it was given up. */
export type DeliveryState = 'outstanding' | 'delivered' | 'gone' | 'changed'

/** A file that is to be delivered, as its manifest describes it. */
export type ExpectedDelivery = {
  /** Absolute path. */
  path: string
  /** The name that wrote it; without one, the delivery belongs to the file alone. */
  owner?: Named | undefined
  manifest: {digest: string; bytes: number; rows: number; finishedAt: string | null}
  /** Milliseconds since 1970. */
  at: number
}

/** Times are milliseconds since 1970. */
export type Delivery = {
  path: string
  owner?: Named
  digest: string
  bytes: number
  rows: number
  /** Time at which the file was complete. */
  writtenAt: number
  state: DeliveryState
  /** Tries so far, when the last one ended, and why it failed. */
  tries: number
  triedAt?: number
  why?: string
}

/** Outcome of a delivery in one run; `why` where the file is not delivered. */
export type DeliveryResult = {state: DeliveryState; tries: number; at: number; why?: string | undefined}

export function deliveriesOf(database: Database) {
  return {
    /** The files of a name that are not delivered yet, oldest first. */
    outstanding: (owner: Named): Delivery[] => select(database, owner, 'outstanding'),
    /** Those of a name with whatever filters and columns. */
    outstandingOf: (name: string): Delivery[] =>
      listDeliveries(database, name).filter(({state}) => state === 'outstanding'),
    delivered: (owner: Named): Delivery[] => select(database, owner, 'delivered'),
    findDelivery(path: string): Delivery | undefined {
      const row = database.get('SELECT * FROM delivery WHERE path = ?', path)
      return row && toDelivery(row)
    },
    expectDelivery: (expected: ExpectedDelivery) => expectDelivery(database, expected),
    /** Updates only the file that was looked at: another run may have written the next one meanwhile. */
    recordDelivery: ({path, digest, writtenAt}: Delivery, {state, tries, at, why}: DeliveryResult) =>
      void database.run(
        `UPDATE delivery SET state = ?, tries = tries + ?, tried_at = ?, why = ?
         WHERE path = ? AND digest = ? AND written_at = ?`,
        ...[state, tries, at, why ?? null, path, digest, writtenAt],
      ),
    /** `isRemoved`: the file was removed on request, so it is not missing. */
    forgetDelivery: (path: string, {isRemoved = false} = {}) =>
      database.transaction(() => {
        database.run('DELETE FROM delivery WHERE path = ?', path)
        if (isRemoved) database.run('DELETE FROM written WHERE path = ?', path)
      }),
  }
}

/** The files of a name with a delivery, oldest first. */
export function listDeliveries(database: Database, name: string): Delivery[] {
  return database.all('SELECT * FROM delivery WHERE name = ? ORDER BY written_at, path', name).map(toDelivery)
}

/** Belongs in the transaction that records the export. A file that was expected already is not changed. */
export function expectDelivery(database: Database, {path, owner, manifest, at}: ExpectedDelivery): void {
  const {digest, bytes, rows, finishedAt} = manifest
  database.run(
    `INSERT INTO delivery VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'outstanding', 0, NULL, NULL)
     ON CONFLICT (path) DO UPDATE SET name = ?2, scope = ?3, made = ?4, digest = ?5, bytes = ?6, rows = ?7,
       written_at = ?8, state = 'outstanding', tries = 0, tried_at = NULL, why = NULL
       WHERE made <> ?4 OR state IN ('gone', 'changed')`,
    ...[path, owner?.name ?? null, owner?.scope ?? null, `${finishedAt} ${digest}`, digest, bytes, rows, at],
  )
}

/** A file that waits for its delivery was written again by a run that delivers nothing: it waits still. */
export function renewDelivery(database: Database, {path, manifest, at}: Omit<ExpectedDelivery, 'owner'>): void {
  const {digest, bytes, rows, finishedAt} = manifest
  database.run(
    `UPDATE delivery SET made = ?, digest = ?, bytes = ?, rows = ?, written_at = ?
     WHERE path = ? AND state = 'outstanding'`,
    ...[`${finishedAt} ${digest}`, digest, bytes, rows, at, path],
  )
}

function select(database: Database, {name, scope}: Named, state: DeliveryState): Delivery[] {
  const sql = 'SELECT * FROM delivery WHERE name = ? AND scope = ? AND state = ? ORDER BY written_at, path'
  return database.all(sql, name, scope, state).map(toDelivery)
}

function toDelivery(row: Row): Delivery {
  const {name, scope, tried_at: triedAt, why} = row
  return {
    path: String(row['path']),
    ...(name !== null && {owner: {name: String(name), scope: String(scope)}}),
    digest: String(row['digest']),
    bytes: Number(row['bytes']),
    rows: Number(row['rows']),
    writtenAt: Number(row['written_at']),
    state: toState(row['state']),
    tries: Number(row['tries']),
    ...(triedAt !== null && {triedAt: Number(triedAt)}),
    ...(why !== null && {why: String(why)}),
  }
}

/** A state that only a later version knows counts as not delivered. */
function toState(value: Row[string] | undefined): DeliveryState {
  return value === 'delivered' || value === 'gone' || value === 'changed' ? value : 'outstanding'
}
