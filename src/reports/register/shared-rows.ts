import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import {ofName, type SharedName} from './shared-lock.js'
import type {Announced, SharedFinish, SharedMark, UnfinishedFile} from './shared-types.js'
import type {Covered} from './written-files.js'

export async function readMark(session: Postgres, {key, name, scope}: SharedName): Promise<SharedMark> {
  const sql = `SELECT mark.*, mark_store.id AS store FROM vendorctl.mark_store LEFT JOIN vendorctl.mark ON ${ofName}`
  return toSharedMark((await session.get(sql, key, name, scope)) ?? {})
}

function toSharedMark({
  store,
  version,
  at,
  next_start: nextStart,
  keys,
  manifest,
  machine,
  host,
  unfinished,
}: PostgresRow): SharedMark {
  const left = typeof unfinished === 'string' ? {unfinished: JSON.parse(unfinished) as UnfinishedFile} : {}
  const mark = {store: String(store), version: Number(version ?? 0), ...left}
  if (typeof at !== 'string') return mark
  const value = {
    at,
    nextStart: String(nextStart),
    keys: JSON.parse(String(keys)) as string[],
    manifest: String(manifest),
  }
  return {...mark, value, machine: String(machine), host: String(host)}
}

/** Undefined for what was announced before the mark was moved. */
export async function readAnnounced(session: Postgres, {key, name, scope}: SharedName, version: number) {
  const sql = `SELECT machine, host, finished, (extract(epoch FROM at) * 1000)::bigint AS at
    FROM vendorctl.mark_announced WHERE ${ofName} AND version = $4`
  const row = await session.get(sql, key, name, scope, version)
  return row && toAnnounced(row)
}

function toAnnounced({machine, host, finished, at}: PostgresRow): Announced {
  const finish = JSON.parse(String(finished)) as SharedFinish
  return {machine: String(machine), host: String(host), at: Number(at), finish}
}

export async function putFinished(
  session: Postgres,
  {named: {key, name, scope}, machine, version}: {named: SharedName; machine: Machine; version: number},
  {id, file, last}: SharedFinish,
): Promise<void> {
  await session.run(
    `INSERT INTO vendorctl.mark_finished
      (key, id, name, scope, version, machine, host, path, digest, bytes, rows, range_from, range_to, delivery, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, vendorctl.clock())`,
    ...[key, id, name, scope, version, machine.id, machine.host],
    ...[
      file?.path ?? null,
      file?.digest ?? null,
      file?.bytes ?? null,
      last.rows,
      last.from,
      last.to,
      file?.delivers ? 'outstanding' : null,
    ],
  )
}

type Coverage = {key: string; scope: string; machine: Machine}

/** What lies within a new window counts as read with it. */
export async function putCovered(session: Postgres, {key, scope, machine}: Coverage, covered: readonly Covered[]) {
  if (covered.length === 0) return
  const windows = JSON.stringify(covered)
  await session.run(
    `DELETE FROM vendorctl.covered AS old USING json_to_recordset($3::json) AS new ("from" text, "to" text)
     WHERE old.key = $1 AND old.scope = $2 AND old.window_from >= new."from" AND old.window_to <= new."to"`,
    ...[key, scope, windows],
  )
  await addCovered(session, {key, scope, machine}, covered)
}

export async function addCovered(session: Postgres, {key, scope, machine}: Coverage, covered: readonly Covered[]) {
  if (covered.length === 0) return
  await session.run(
    `INSERT INTO vendorctl.covered (key, scope, machine, host, window_from, window_to, grade, file, at)
     SELECT $1, $2, $4, $5, "from", "to", grade, file, vendorctl.clock()
     FROM json_to_recordset($3::json) AS new ("from" text, "to" text, grade text, file text)
     ON CONFLICT DO NOTHING`,
    ...[key, scope, JSON.stringify(covered), machine.id, machine.host],
  )
}

export function toCovered({window_from: from, window_to: to, grade, file}: PostgresRow): Covered {
  return {from: String(from), to: String(to), grade: String(grade), file: String(file)}
}
