import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {Named} from './named-marks.js'
import {nameLocked} from './since-last.js'

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
const longestGoneSeconds = 25

/** Conditions under which a row of `mark_holder` tells the truth: its session still has the lock. */
export const isLockedNow = `EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid = mark_holder.backend
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = ((mark_holder.lock >> 32) & 4294967295)::oid AND objid = (mark_holder.lock & 4294967295)::oid
)`
const holderColumns = 'machine, host, pid, command, (extract(epoch FROM since) * 1000)::bigint AS since'
export const ofName = 'key = $1 AND name = $2 AND scope = $3'

/** Sets the session so that a lock ends soon after its machine, and not before a run that only reads for hours. */
export async function prepareSession(session: Postgres): Promise<void> {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  await session.all(`SELECT ${settings.join(', ')}`)
  await session.all(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'`) // since PostgreSQL 14
}

/** Takes the lock of a name for this session, and notes who has it. False while another session has it. */
export async function tryTake(session: Postgres, {key, name, scope}: SharedName, asking: Asking): Promise<boolean> {
  const {machine, pid, command, token} = asking
  const locked = await session.run(
    `WITH wanted AS MATERIALIZED (SELECT hashtextextended($4, 0) AS lock),
      locked AS MATERIALIZED (SELECT lock FROM wanted WHERE pg_try_advisory_lock(lock))
    INSERT INTO vendorctl.mark_holder AS past (key, name, scope, token, lock, backend, machine, host, pid, command, since)
    SELECT $1, $2, $3, $5, lock, pg_backend_pid(), $6, $7, $8::integer, $9, vendorctl.clock() FROM locked
    ON CONFLICT (key, name, scope) DO UPDATE SET
      token = excluded.token, lock = excluded.lock, backend = excluded.backend, machine = excluded.machine,
      host = excluded.host, pid = excluded.pid, command = excluded.command,
      since = CASE past.token WHEN excluded.token THEN past.since ELSE excluded.since END`,
    ...[key, name, scope, lockText({key, name, scope}), token, machine.id, machine.host, pid, command],
  )
  return locked === 1
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
     WHERE token = $1 AND backend <> pg_backend_pid() AND ${isLockedNow}`,
    token,
  )
}

/** Who has the lock of a name; undefined where nobody has it, or whoever has it noted nothing yet. */
export async function findHolder(session: Postgres, {key, name, scope}: SharedName): Promise<SharedHolder | undefined> {
  const sql = `SELECT ${holderColumns} FROM vendorctl.mark_holder WHERE ${ofName} AND ${isLockedNow}`
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

/** Another run, perhaps on another machine, has the right to write a name. */
export function lockedElsewhere(named: Named, holder = ''): CliFailure {
  return nameLocked(named, holder, `If that machine is gone, its lock ends by itself within ${longestGoneSeconds} s.`)
}

/** A store that cannot be reached at the moment, as opposed to one that refuses. */
export function isAway(error: unknown): error is CliFailure {
  return error instanceof CliFailure && error.exit === 'unavailable'
}

/** The session of a run ended in the middle, and another run has had the name since. */
export function lostTurn({name}: Named, holder: SharedHolder | undefined): CliFailure {
  const who = holder ? ` and another run is reading it${describeShared(holder)}` : ' and another run has read it since'
  return new CliFailure(
    `This run lost its lock of --since-last ${name},${who}; nothing of this run was recorded; the next run reads from where that one ends.`,
    {
      code: 'NAME_LOCKED',
      retry: 'safe',
      hints: [
        'Run the same command again when it has ended: what this run read is used only where no other run has read it.',
        `See who reads and up to where: ${commandLine('exports show', [name])}`,
      ],
    },
  )
}

/** The store could not be reached when all was read: nothing is lost, and nothing is read twice. */
export function notRecordedYet(name: string, file: string | undefined, cause: CliFailure): CliFailure {
  const kept = file === undefined ? 'what it read is to be read again' : `all of ${file} is read and kept`
  return new CliFailure(`The mark of --since-last ${name} is not moved yet; ${kept}. ${cause.message}`, {
    code: 'MARK_NOT_MOVED',
    exit: cause.exit,
    changed: cause.changed,
    retry: 'safe',
    cause,
    hints: [
      file === undefined
        ? 'Run the same command again: it lists this again.'
        : 'Run the same command again on this machine: it records the file and reads nothing of it twice.',
      ...cause.hints,
    ],
  })
}
