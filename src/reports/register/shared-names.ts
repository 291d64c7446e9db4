import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {NamedExport} from './list-named.js'
import {parseNamed} from './named-runs.js'
import {describeShared, isHeldNow, toHolder} from './shared-lock.js'

const select = `
  SELECT mark.key, mark.name, mark.scope, mark.at, mark.next_start, mark.facts, mark.last, mark.host AS moved_by,
    coalesce(mark.manifest = '' AND mark.keys = '[]', false)::int AS is_from_nothing,
    holder.machine, holder.host, holder.pid, holder.command, (extract(epoch FROM holder.since) * 1000)::bigint AS since,
    announced.host AS announced_by, announced.finished::json #>> '{file,path}' AS announced
  FROM vendorctl.mark
  LEFT JOIN (SELECT * FROM vendorctl.mark_holder WHERE ${isHeldNow}) AS holder USING (key, name, scope)
  LEFT JOIN vendorctl.mark_announced AS announced
    ON announced.key = mark.key AND announced.name = mark.name AND announced.scope = mark.scope
      AND announced.version = mark.version
  WHERE mark.facts IS NOT NULL OR mark.at IS NOT NULL OR holder.host IS NOT NULL
  ORDER BY mark.name, mark.scope
`

/** All names as all machines see them, with what this machine knows of its own files. */
export async function listShared(session: Postgres, local: readonly NamedExport[]): Promise<NamedExport[]> {
  const rows = (await session.all(select)).map(toNamed)
  const isOf = (one: NamedExport, other: NamedExport) => one.name === other.name && one.scope === other.scope
  const shared = rows.map((row) =>
    merge(
      row,
      local.find((one) => isOf(one, row)),
    ),
  )
  const alone = local
    .filter((one) => !rows.some((row) => isOf(one, row)))
    .map((one) => (one.mark?.nextStart === undefined ? one : {...one, isUnshared: true as const}))
  return [...shared, ...alone].sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

/** What is unfinished, and not delivered, is of this machine; the mark and who reads now are of all. */
function merge(row: NamedExport, local: NamedExport | undefined): NamedExport {
  if (!local) return row
  const {mark: _, last: __, holder: ___, facts, state, ...own} = local
  const isLeft = row.state !== 'running' && local.file !== undefined
  const {undelivered: ____, ...shared} = row
  return {...own, ...shared, facts: {...facts, ...row.facts}, state: isLeft ? state : row.state}
}

function toNamed(row: PostgresRow): NamedExport {
  const {key, name, scope, at, next_start: nextStart, moved_by: host, announced, announced_by: by} = row
  const isHeld = typeof row['host'] === 'string'
  const known =
    row['facts'] === null ? {facts: {}} : parseNamed({facts: row['facts'] ?? '{}', last: row['last'] ?? null})
  return {
    ...{key: String(key), name: String(name), scope: String(scope), undelivered: []},
    ...known,
    state: isHeld ? 'running' : at === null ? 'new' : 'done',
    ...(isHeld && {holder: describeShared(toHolder(row))}),
    ...(typeof host === 'string' && {host}),
    ...(typeof at === 'string' && {
      mark: {
        ...{at, nextStart: String(nextStart)},
        ...(row['is_from_nothing'] === '1' && {isFromNothing: true as const}),
      },
    }),
    ...(typeof announced === 'string' && {announced: {path: announced, host: String(by)}}),
  }
}
