import type {Machine} from '../../core/machine.js'
import type {Postgres} from '../../core/postgres.js'
import type {Watermark} from './marks.js'
import {lostTurn} from './shared-failures.js'
import {ofName, type SharedName} from './shared-lock.js'
import {putCovered, putFinished, readAnnounced, readMark} from './shared-rows.js'
import type {Turn} from './shared-types.js'

/** Work that can be done twice without harm: after a lost session it is done again in a new one. */
export type InSession = <Value>(work: (session: Postgres) => Promise<Value>) => Promise<Value>
/** `next`: the version of the changed mark. */
type Changed = {last: string | null; next?: number}
type TurnOptions = {named: SharedName; machine: Machine; inSession: InSession}

/** What a run may do while it has the lock of a name; `first` is the session that has it. */
export async function openTurn(
  first: Postgres,
  {named, machine, inSession}: TurnOptions,
): Promise<Omit<Turn, 'release'>> {
  const keys = [named.key, named.name, named.scope] as const
  await first.run('INSERT INTO vendorctl.mark (key, name, scope) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', ...keys)
  const mark = await readMark(first, named)
  const announced = await readAnnounced(first, named, mark.version)
  const others = 'EXISTS (SELECT FROM vendorctl.mark WHERE key = $1 AND name = $2 AND scope <> $3 AND at IS NOT NULL)'
  const found = await first.get(`SELECT ${others}::int AS known`, ...keys)
  let {version} = mark
  /** What this run may announce anew: what it found, and what it announced itself. */
  let replaceable = announced?.finish.id

  /** Changes the mark where it is as this run knows it; `version` stays so until that is known to be done. */
  const change = async (one: Postgres, value: Watermark, {last, next = version + 1}: Changed) => {
    const {at, nextStart, keys: records, manifest} = value
    const sql = `UPDATE vendorctl.mark SET version = $12, at = $5, next_start = $6, keys = $7, manifest = $8,
      last = coalesce($9, last), machine = $10, host = $11, unfinished = NULL, moved_at = vendorctl.clock() WHERE ${ofName} AND version = $4`
    const given = [at, nextStart, JSON.stringify(records), manifest, last, machine.id, machine.host, next]
    if ((await one.run(sql, ...keys, version, ...given)) !== 1) throw lostTurn(named, undefined)
    await one.run(`DELETE FROM vendorctl.mark_announced WHERE ${ofName}`, ...keys)
    return {store: mark.store, version: next, value, machine: machine.id, host: machine.host}
  }
  const isFinished = async (one: Postgres, id: string) =>
    (await one.get(`SELECT 1 AS found FROM vendorctl.mark_finished WHERE ${ofName} AND id = $4`, ...keys, id)) !==
    undefined

  return {
    mark,
    get version() {
      return version
    },
    announced,
    isKnownName: found?.['known'] === '1',
    isFinished: (id) => inSession((one) => isFinished(one, id)),
    orphan: mark.unfinished?.machine === machine.id ? undefined : mark.unfinished,
    describe: async (facts, path) => {
      const sql = `UPDATE vendorctl.mark SET facts = $4, unfinished = coalesce($5, unfinished) WHERE ${ofName}`
      const begun = path === undefined ? null : JSON.stringify({machine: machine.id, host: machine.host, path})
      await inSession((one) => one.run(sql, ...keys, JSON.stringify(facts), begun))
    },
    async put(value, seen = 0) {
      const next = Math.max(version, seen) + 1
      const now = await inSession((one) =>
        one.transaction(async () => {
          const there = await readMark(one, named)
          const isDone = there.version === next && JSON.stringify(there.value) === JSON.stringify(value)
          return isDone ? there : change(one, value, {last: null, next})
        }),
      )
      version = now.version
      return now
    },
    announce: (finish) =>
      inSession((one) =>
        one.transaction(async () => {
          const there = await one.get(`SELECT version FROM vendorctl.mark WHERE ${ofName} FOR UPDATE`, ...keys)
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
      ),
    async record(finish) {
      const now = await inSession((one) =>
        one.transaction(async () => {
          await one.get(`SELECT 1 AS found FROM vendorctl.mark WHERE ${ofName} FOR UPDATE`, ...keys)
          if (await isFinished(one, finish.id)) return readMark(one, named)
          const moved = await change(one, finish.watermark, {last: JSON.stringify(finish.last)})
          await putFinished(one, {named, machine, version: moved.version}, finish)
          await putCovered(one, {key: named.key, scope: finish.coverage, machine}, finish.covered)
          return moved
        }),
      )
      version = now.version
      return now
    },
  }
}
