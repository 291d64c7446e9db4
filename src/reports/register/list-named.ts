import {isPathLocked} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import type {Postgres, PostgresRow} from '../../core/postgres.js'
import type {Database} from '../../core/sqlite.js'
import {stateNameOf} from '../export/export-identity.js'
import {type Progress, parseFacts, readProgress} from './activities.js'
import {
  type LastRun,
  markColumns,
  type Named,
  type NamedFacts,
  parseNamed,
  toMark,
  type Watermark,
} from './named-marks.js'
import {type Delivery, listDeliveries} from './outstanding-deliveries.js'
import {exportsFolder, readRegister} from './register-tables.js'
import {describeShared, isLockedNow, toHolder} from './shared-lock.js'
import {isFromNothing, nameLock} from './since-last.js'

/** `new`: nothing is complete yet. `lost`: the service sent fields that have no column in the unfinished file. */
export type NamedState = 'running' | 'unfinished' | 'lost' | 'damaged' | 'newer' | 'done' | 'new'

/** A name of `--since-last`, as far as known. */
export type NamedExport = Named & {
  state: NamedState
  /** Who reads it now: ` (pid 4711, since 2026-01-31 17:45:02 UTC: vendorctl reports transactions)`. */
  holder?: string
  /** Less for names that only an earlier version of this program has used. */
  facts: Partial<NamedFacts>
  /** `isFromNothing`: it was set back by hand, and the records of earlier files are no longer known. */
  mark?: Pick<Watermark, 'at'> & Partial<Pick<Watermark, 'nextStart'>> & {isFromNothing?: true}
  /** Machines share their marks, and this one is of this machine alone. */
  isUnshared?: true
  last?: LastRun
  /** The file that a run left unfinished, or writes now. */
  file?: Progress & {path: string}
  /** Where machines share their marks: of the key and service, and the machine of the last complete run. */
  key?: string
  host?: string
  /** A complete file that a machine has not recorded. */
  announced?: {path: string; host: string}
  /** Complete files that are not where they are to be delivered. */
  undelivered: Delivery[]
}

/** All names of `--since-last` of this machine; changes nothing. Throws `storage` where they cannot be read. */
export function listNamed(stateFolder: string): NamedExport[] {
  return readRegister(stateFolder, [], (database) => {
    const tables = ['watermark', 'last_file', 'named'].map((table) => `SELECT name, scope FROM ${table}`)
    return database
      .all(`${tables.join(' UNION ')} ORDER BY name, scope`)
      .map(({name, scope}) => readNamed(database, {name: String(name), scope: String(scope)}, stateFolder))
  })
}

function readNamed(database: Database, named: Named, stateFolder: string): NamedExport {
  const {name, scope} = named
  const find = (table: string) => database.get(`SELECT * FROM ${table} WHERE name = ? AND scope = ?`, name, scope)
  const sql = `SELECT ${markColumns} WHERE watermark.name = ? AND watermark.scope = ?`
  const row = database.get(sql, name, scope)
  const mark = row && toMark(row)
  const seen = find('seen_mark')?.['at']
  const known = find('named')
  const path = find('last_file')?.['path']
  const progress = typeof path === 'string' ? readProgress(stateFolder, stateNameOf(path)) : undefined
  const lock = nameLock(exportsFolder(stateFolder), named)
  const isRunning = isPathLocked(lock, `The lock of --since-last ${name}`)
  const settled = mark || typeof seen === 'string' ? 'done' : 'new'
  return {
    ...named,
    ...(isRunning && {holder: describeHolder(lock)}),
    state: isRunning ? 'running' : row && !mark ? 'damaged' : (progress?.state ?? settled),
    ...(known ? parseNamed(known) : {facts: typeof path === 'string' ? factsOfFile(database, path) : {}}),
    undelivered: listDeliveries(database, name).filter(
      (one) => one.owner?.scope === scope && one.state !== 'delivered',
    ),
    ...(mark ? {mark: toShownMark(mark)} : typeof seen === 'string' && {mark: {at: seen}}),
    ...(progress && typeof path === 'string' && {file: {...progress, path}}),
  }
}

function toShownMark(mark: Watermark): NonNullable<NamedExport['mark']> {
  const {at, nextStart} = mark
  return {at, nextStart, ...(isFromNothing(mark) && {isFromNothing: true as const})}
}

/** Facts about the export to a file from the list of runs; earlier versions recorded no more. */
function factsOfFile(database: Database, path: string): Partial<NamedFacts> {
  const row = database.get('SELECT facts FROM activity WHERE name = ? ORDER BY id DESC LIMIT 1', stateNameOf(path))
  if (!row) return {}
  const {command, profile = '', stage = '', resume: run} = parseFacts(row['facts'])
  return {command, profile, stage, run}
}

const select = `
  SELECT mark.key, mark.name, mark.scope, mark.at, mark.next_start, mark.facts, mark.last, mark.host AS moved_by,
    coalesce(mark.manifest = '' AND mark.keys = '[]', false)::int AS is_from_nothing,
    holder.machine, holder.host, holder.pid, holder.command, (extract(epoch FROM holder.since) * 1000)::bigint AS since,
    announced.host AS announced_by, announced.finished::json #>> '{file,path}' AS announced
  FROM vendorctl.mark
  LEFT JOIN (SELECT * FROM vendorctl.mark_holder WHERE ${isLockedNow}) AS holder USING (key, name, scope)
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

/** Unfinished and undelivered files are of this machine; the mark and who reads now are of all. */
function merge(row: NamedExport, local: NamedExport | undefined): NamedExport {
  if (!local) return row
  const {facts, state, file, undelivered} = local
  const isLeft = row.state !== 'running' && file !== undefined
  return {
    ...row,
    facts: {...facts, ...row.facts},
    state: isLeft ? state : row.state,
    undelivered,
    ...(file && {file}),
  }
}

function toNamed(row: PostgresRow): NamedExport {
  const {key, name, scope, at, next_start: nextStart, moved_by: host, announced, announced_by: by} = row
  const isRunning = typeof row['host'] === 'string'
  const known =
    row['facts'] === null ? {facts: {}} : parseNamed({facts: row['facts'] ?? '{}', last: row['last'] ?? null})
  return {
    ...{key: String(key), name: String(name), scope: String(scope), undelivered: []},
    ...known,
    state: isRunning ? 'running' : at === null ? 'new' : 'done',
    ...(isRunning && {holder: describeShared(toHolder(row))}),
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
