import {join} from 'node:path'
import {isHeld} from '../../core/lock.js'
import {describeHolder} from '../../core/lock-holder.js'
import type {Database} from '../../core/sqlite.js'
import {stateNameOf} from '../export/export-identity.js'
import {
  exportsFolder,
  hasTable,
  parseFacts,
  readProgress,
  readRegister,
  resumeCommand,
  type Seen,
} from './activities.js'
import {nameLock} from './lock-name.js'
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
import {isFromNothing} from './since-last.js'

/** `new`: nothing is complete yet. `lost`: the service sent fields that have no column in the unfinished file. */
export type NamedState = 'running' | 'unfinished' | 'lost' | 'damaged' | 'newer' | 'done' | 'new'

/** A name of `--since-last`, as far as it is known. */
export type NamedExport = Named & {
  state: NamedState
  /** Who reads it now: ` (pid 4711, since 2026-01-31 17:45:02 UTC: vendorctl reports transactions)`. */
  holder?: string
  /** Less for names that only an earlier version of this program has used. */
  facts: Partial<NamedFacts>
  /** `isFromNothing`: it was set back by hand, and what earlier files hold is not known any more. */
  mark?: Pick<Watermark, 'at'> & Partial<Pick<Watermark, 'nextStart'>> & {isFromNothing?: true}
  /** Machines share their marks, and this one is of this machine alone. */
  isUnshared?: true
  last?: LastRun
  /** The file that a run left unfinished, or writes now. */
  file?: Seen & {path: string}
  /** Where machines share their marks: of the key and service, and the machine of the last complete run. */
  key?: string
  host?: string
  /** A complete file that a machine has not recorded. */
  announced?: {path: string; host: string}
  /** Complete files that are not where they are to be delivered. */
  undelivered: Delivery[]
}

/** All names of `--since-last`; changes nothing. Throws `storage` where they cannot be read. */
export function listNamed(stateFolder: string): NamedExport[] {
  return readRegister(stateFolder, [], (database) => {
    const tables = ['watermark', 'last_file', 'named'].filter((name) => hasTable(database, name))
    const sql = tables.map((name) => `SELECT name, scope FROM ${name}`).join(' UNION ')
    return database
      .all(`${sql} ORDER BY name, scope`)
      .map(({name, scope}) => readNamed(database, {name: String(name), scope: String(scope)}, stateFolder))
  })
}

function readNamed(database: Database, named: Named, stateFolder: string): NamedExport {
  const {name, scope} = named
  const find = (table: string, columns = '*') =>
    hasTable(database, table)
      ? database.get(`SELECT ${columns} FROM ${table} WHERE name = ? AND scope = ?`, name, scope)
      : undefined
  const row = hasTable(database, 'seal')
    ? database.get(`SELECT ${markColumns} WHERE watermark.name = ? AND watermark.scope = ?`, name, scope)
    : find('watermark', '*, NULL AS sum')
  const mark = row && toMark(row)
  const seen = find('seen_mark', 'at')?.['at']
  const known = find('named')
  const path = find('last_file')?.['path']
  const file = typeof path === 'string' ? readLeft(path, stateFolder) : undefined
  const lock = nameLock(exportsFolder(stateFolder), named)
  const isRunning = isHeld(lock, `The lock of --since-last ${name}`)
  const settled = mark || typeof seen === 'string' ? 'done' : 'new'
  return {
    ...named,
    ...(isRunning && {holder: describeHolder(lock)}),
    state: isRunning ? 'running' : row && !mark ? 'damaged' : (file?.state ?? settled),
    ...(known ? parseNamed(known) : {facts: typeof path === 'string' ? factsOfFile(database, path) : {}}),
    undelivered: listDeliveries(database, name).filter(
      (one) => one.owner?.scope === scope && one.state !== 'delivered',
    ),
    ...(mark ? {mark: toShownMark(mark)} : typeof seen === 'string' && {mark: {at: seen}}),
    ...(file && {file}),
  }
}

function toShownMark(mark: Watermark): NonNullable<NamedExport['mark']> {
  const {at, nextStart} = mark
  return {at, nextStart, ...(isFromNothing(mark) && {isFromNothing: true as const})}
}

function readLeft(path: string, stateFolder: string): NamedExport['file'] {
  const seen = readProgress(join(exportsFolder(stateFolder), `${stateNameOf(path)}.db`))
  return seen && {...seen, path}
}

/** What the list of runs knows of the export to a file; earlier versions recorded no more. */
function factsOfFile(database: Database, path: string): Partial<NamedFacts> {
  const table = ['export_run', 'activity'].find((name) => hasTable(database, name))
  const sql = `SELECT facts FROM ${table} WHERE name = ? ORDER BY id DESC LIMIT 1`
  const row = table && database.get(sql, stateNameOf(path))
  if (!row) return {}
  const facts = parseFacts(row['facts'])
  const {command, profile = '', stage = ''} = facts
  return {command, profile, stage, run: resumeCommand(facts).replace(/^vendorctl /, '')}
}
