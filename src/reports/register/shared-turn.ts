import type {Machine} from '../../core/machine.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {Covered} from './export-register.js'
import type {LastRun, NamedFacts, Watermark} from './named-marks.js'
import {isAway, lostTurn, notRecordedYet, ofName, type SharedName} from './shared-lock.js'

/** Work that can be done twice without harm: after a lost session it is done again in a new one. */
export type InSession = <Value>(work: (session: Postgres) => Promise<Value>) => Promise<Value>

type TurnOptions = {named: SharedName; machine: Machine; inSession: InSession; release: () => Promise<void>}

/** The right of a run to write a name, and what it read when it took it. */
export type Turn = Awaited<ReturnType<typeof openTurn>>

/** Steps of a run while it has the lock of a name; `first` is the session that has it. */
export async function openTurn(first: Postgres, {named, machine, inSession, release}: TurnOptions) {
  const keys = [named.key, named.name, named.scope] as const
  await first.run('INSERT INTO vendorctl.mark (key, name, scope) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', ...keys)
  const mark = await readMark(first, named)
  const announced = await readAnnounced(first, named, mark.version)
  const others = 'EXISTS (SELECT FROM vendorctl.mark WHERE key = $1 AND name = $2 AND scope <> $3 AND at IS NOT NULL)'
  const found = await first.get(`SELECT ${others}::int AS known`, ...keys)
  let {version} = mark
  /** The announcement that this run may replace: one that it found, or its own. */
  let replaceable = announced?.finish.id

  /** Changes the mark where it is as this run knows it; `version` stays so until that is known to be done. */
  const change = async (one: Postgres, value: Watermark, last: LastRun | undefined, next: number) => {
    const {at, nextStart, keys: records, manifest} = value
    const sql = `UPDATE vendorctl.mark SET version = $12, at = $5, next_start = $6, keys = $7, manifest = $8,
      last = coalesce($9, last), machine = $10, host = $11, unfinished = NULL, moved_at = vendorctl.clock() WHERE ${ofName} AND version = $4`
    const given = [at, nextStart, JSON.stringify(records), manifest, last ? JSON.stringify(last) : null]
    const changed = await one.run(sql, ...keys, version, ...given, machine.id, machine.host, next)
    if (changed !== 1) throw lostTurn(named, undefined)
    await one.run(`DELETE FROM vendorctl.mark_announced WHERE ${ofName}`, ...keys)
    return {store: mark.store, version: next, value, machine: machine.id, host: machine.host}
  }
  const isFinished = async (one: Postgres, id: string) => {
    const sql = `SELECT 1 AS found FROM vendorctl.mark_finished WHERE ${ofName} AND id = $4`
    return (await one.get(sql, ...keys, id)) !== undefined
  }
  const lockMark = (one: Postgres) => one.get(`SELECT version FROM vendorctl.mark WHERE ${ofName} FOR UPDATE`, ...keys)
  /** In one transaction. Where the store is away, the failure says that nothing of the run is lost. */
  const ending = <Value>({file}: SharedFinish, work: (one: Postgres) => Promise<Value>): Promise<Value> =>
    inSession((one) => one.transaction(() => work(one))).catch((error: unknown) => {
      throw isAway(error) ? notRecordedYet(named.name, file?.path, error) : error
    })

  return {
    mark,
    /** Version of the mark after the changes of this run. */
    get version() {
      return version
    },
    announced,
    /** Whether the name has a mark for other filters or columns. */
    isKnownName: found?.['known'] === '1',
    isFinished: (id: string) => inSession((one) => isFinished(one, id)),
    /** Host of the other machine that moved the mark last; undefined where it was this one, or none. */
    movedBy: mark.value && mark.machine !== machine.id ? mark.host : undefined,
    /** The unfinished run of another machine. */
    orphan: mark.unfinished?.machine === machine.id ? undefined : mark.unfinished,
    /** Records the request of the run that begins, with the file that it writes. */
    async describe(facts: NamedFacts, path?: string): Promise<void> {
      const sql = `UPDATE vendorctl.mark SET facts = $4, unfinished = coalesce($5, unfinished) WHERE ${ofName}`
      const begun = path === undefined ? null : JSON.stringify({machine: machine.id, host: machine.host, path})
      await inSession((one) => one.run(sql, ...keys, JSON.stringify(facts), begun))
    },
    /** Sets the mark by hand; `seen`: the highest version that is known, which a restored store may have lost. */
    async put(value: Watermark, seen = 0): Promise<SharedMark> {
      const next = Math.max(version, seen) + 1
      const now = await inSession((one) =>
        one.transaction(async () => {
          const there = await readMark(one, named)
          const isDone = there.version === next && JSON.stringify(there.value) === JSON.stringify(value)
          return isDone ? there : change(one, value, undefined, next)
        }),
      )
      version = now.version
      return now
    },
    /** To be called before a file gets its name. Throws `unavailable`, and `locked` once another run has the name. */
    announce: (finish: SharedFinish): Promise<void> =>
      ending(finish, async (one) => {
        const there = await lockMark(one)
        const sql = `INSERT INTO vendorctl.mark_announced AS old (key, name, scope, version, id, machine, host, finished, at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, vendorctl.clock())
          ON CONFLICT (key, name, scope) DO UPDATE SET version = excluded.version, id = excluded.id,
            machine = excluded.machine, host = excluded.host, finished = excluded.finished, at = excluded.at
          WHERE old.version <> excluded.version OR old.id IN (excluded.id, $9)`
        const {id} = finish
        if (await isFinished(one, id)) return
        const given = [version, id, machine.id, machine.host, JSON.stringify(finish), replaceable ?? '']
        const isOurs = Number(there?.['version']) === version && (await one.run(sql, ...keys, ...given)) === 1
        if (!isOurs) throw lostTurn(named, undefined)
        replaceable = id
      }),
    /** Moves the mark, unless that is done already; returns the current one. Throws as `announce` does. */
    async record(finish: SharedFinish): Promise<SharedMark> {
      const now = await ending(finish, async (one) => {
        await lockMark(one)
        if (await isFinished(one, finish.id)) return readMark(one, named)
        const moved = await change(one, finish.watermark, finish.last, version + 1)
        await putFinished(one, {named, machine, version: moved.version}, finish)
        await putCovered(one, {key: named.key, scope: finish.coverage, machine}, finish.covered)
        return moved
      })
      version = now.version
      return now
    },
    release,
  }
}

/** Changes of the shared store by a complete run of a name, applied together or not at all. */
export type SharedFinish = {
  /** One for each complete file: a run that is recorded again has the id that it had. */
  id: string
  watermark: Watermark
  last: LastRun
  /** Key of `covered`. */
  coverage: string
  covered: readonly Covered[]
  file?: AnnouncedFile
}

/** A complete file, and all that another machine needs to give it its name and to record it. */
export type AnnouncedFile = {
  path: string
  digest: string
  bytes: number
  manifest: string
  /** Whether it waits for its delivery. */
  delivers?: boolean
}

/** A file whose machine ended between the announcement and the record. */
export type Announced = {machine: string; host: string; at: number; finish: SharedFinish}

/**
 * The mark of a name as all machines see it; `version` is raised by each change, and 0 before the first. `store` tells
 * one store from another; `unfinished`: the file that a run began and has not recorded.
 */
export type SharedMark = {
  store: string
  version: number
  value?: Watermark
  host?: string
  machine?: string
  unfinished?: {machine: string; host: string; path: string}
}

export async function readMark(session: Postgres, {key, name, scope}: SharedName): Promise<SharedMark> {
  const sql = `SELECT mark.*, mark_store.id AS store FROM vendorctl.mark_store LEFT JOIN vendorctl.mark ON ${ofName}`
  const row = (await session.get(sql, key, name, scope)) ?? {}
  const {store, version, at, next_start: nextStart, keys, manifest, machine, host, unfinished} = row
  const left = typeof unfinished === 'string' ? {unfinished: JSON.parse(unfinished)} : {}
  const mark = {store: String(store), version: Number(version ?? 0), ...left}
  if (typeof at !== 'string') return mark
  const value = {at, nextStart: String(nextStart), keys: JSON.parse(String(keys)), manifest: String(manifest)}
  return {...mark, value, machine: String(machine), host: String(host)}
}

/** Undefined for what was announced before the mark was moved. */
async function readAnnounced(session: Postgres, {key, name, scope}: SharedName, version: number) {
  const sql = `SELECT machine, host, finished, (extract(epoch FROM at) * 1000)::bigint AS at
    FROM vendorctl.mark_announced WHERE ${ofName} AND version = $4`
  const row = await session.get(sql, key, name, scope, version)
  if (!row) return undefined
  const finish = JSON.parse(String(row['finished'])) as SharedFinish
  return {machine: String(row['machine']), host: String(row['host']), at: Number(row['at']), finish}
}

async function putFinished(
  session: Postgres,
  {named: {key, name, scope}, machine, version}: {named: SharedName; machine: Machine; version: number},
  {id, file, last}: SharedFinish,
): Promise<void> {
  await session.run(
    `INSERT INTO vendorctl.mark_finished
      (key, id, name, scope, version, machine, host, path, digest, bytes, rows, range_from, range_to, delivery, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, vendorctl.clock())`,
    ...[key, id, name, scope, version, machine.id, machine.host],
    ...[file?.path ?? null, file?.digest ?? null, file?.bytes ?? null],
    ...[last.rows, last.from, last.to, file?.delivers ? 'outstanding' : null],
  )
}

type Coverage = {key: string; scope: string; machine: Machine}

/** Ranges within a new window count as read with it, unless they were read better before. */
export async function putCovered(session: Postgres, {key, scope, machine}: Coverage, covered: readonly Covered[]) {
  if (covered.length === 0) return
  await session.run(
    `DELETE FROM vendorctl.covered AS old USING json_to_recordset($3::json) AS new ("from" text, "to" text, grade text)
     WHERE old.key = $1 AND old.scope = $2 AND old.window_from >= new."from" AND old.window_to <= new."to"
       AND old.grade COLLATE "C" >= new.grade COLLATE "C"`,
    ...[key, scope, JSON.stringify(covered)],
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
