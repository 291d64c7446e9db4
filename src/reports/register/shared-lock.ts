import {toTimeText} from '../../core/clock.js'
import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {Named} from './named-runs.js'

/** A name of a key on one service: what one lock and one mark are for. */
export type SharedName = Named & {key: string}

/** Who has the right to write a name, on whatever machine; `since` in milliseconds since 1970. */
export type SharedHolder = {machine: string; host: string; pid: number; since: number; command: string}

export type Asking = {machine: Machine; pid: number; command: string; token: string}

/** The server ends the session of a machine that is gone, and with it its locks, after idle + count * interval seconds. */
const sessionSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  idle_in_transaction_session_timeout: '10s',
}
export const longestGoneSeconds = 25

/** Conditions under which a row of `mark_holder` tells the truth: its session still has the lock. */
export const isHeldNow = `EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid = mark_holder.backend
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = ((mark_holder.lock >> 32) & 4294967295)::oid AND objid = (mark_holder.lock & 4294967295)::oid
)`
const holderColumns = 'machine, host, pid, command, (extract(epoch FROM since) * 1000)::bigint AS since'
export const ofName = 'key = $1 AND name = $2 AND scope = $3'

/** How the session must be for a lock to end soon after its machine, and not before a run that only reads for hours. */
export async function prepareSession(session: Postgres): Promise<void> {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  await session.all(`SELECT ${settings.join(', ')}`)
  await session.all(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'`) // since PostgreSQL 14
}

/** Takes the lock of a name for this session, and notes who has it. False while another session has it. */
export async function tryTake(session: Postgres, {key, name, scope}: SharedName, asking: Asking): Promise<boolean> {
  const {machine, pid, command, token} = asking
  const taken = await session.run(
    `WITH wanted AS MATERIALIZED (SELECT hashtextextended($4, 0) AS lock),
      taken AS MATERIALIZED (SELECT lock FROM wanted WHERE pg_try_advisory_lock(lock))
    INSERT INTO vendorctl.mark_holder AS held (key, name, scope, token, lock, backend, machine, host, pid, command, since)
    SELECT $1, $2, $3, $5, lock, pg_backend_pid(), $6, $7, $8::integer, $9, vendorctl.clock() FROM taken
    ON CONFLICT (key, name, scope) DO UPDATE SET
      token = excluded.token, lock = excluded.lock, backend = excluded.backend, machine = excluded.machine,
      host = excluded.host, pid = excluded.pid, command = excluded.command,
      since = CASE held.token WHEN excluded.token THEN held.since ELSE excluded.since END`,
    ...[key, name, scope, lockText({key, name, scope}), token, machine.id, machine.host, pid, command],
  )
  return taken === 1
}

/** Gives the lock back; the session that has it must be the one that took it. */
export async function giveBack(session: Postgres, named: SharedName, token: string): Promise<void> {
  const {key, name, scope} = named
  await session.run(`DELETE FROM vendorctl.mark_holder WHERE ${ofName} AND token = $4`, key, name, scope, token)
  await session.all('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lockText(named))
}

/** Ends a session of this very run that the server does not know to be lost yet. */
export async function endOwnSession(session: Postgres, token: string): Promise<void> {
  await session.all(
    `SELECT pg_terminate_backend(backend) FROM vendorctl.mark_holder
     WHERE token = $1 AND backend <> pg_backend_pid() AND ${isHeldNow}`,
    token,
  )
}

/** Who has the lock of a name; undefined where nobody has it, or whoever has it noted nothing yet. */
export async function findHolder(session: Postgres, {key, name, scope}: SharedName): Promise<SharedHolder | undefined> {
  const sql = `SELECT ${holderColumns} FROM vendorctl.mark_holder WHERE ${ofName} AND ${isHeldNow}`
  const row = await session.get(sql, key, name, scope)
  return row && toHolder(row)
}

export function toHolder({machine, host, pid, since, command}: PostgresRow): SharedHolder {
  return {
    ...{machine: String(machine), host: String(host), command: String(command)},
    ...{pid: Number(pid), since: Number(since)},
  }
}

/** ` on web-3 (pid 4711, since 2026-01-31 17:45:02 UTC: vendorctl reports transactions)`. */
export function describeShared({host, pid, since, command}: SharedHolder): string {
  return ` on ${host} (pid ${pid}, since ${toTimeText(since)}: ${command})`
}

function lockText({key, name, scope}: SharedName): string {
  return JSON.stringify(['vendorctl mark', key, name, scope])
}
