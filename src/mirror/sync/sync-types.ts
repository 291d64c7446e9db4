import {type ErrorEntry, entryOf} from '../../core/errors.js'
import type {ExportEngine} from '../../reports/export/export-types.js'
import type {Grade} from '../../reports/export/manifest.js'
import {counted} from '../../values/counted.js'
import type {ServiceKey} from '../../values/service.js'
import type {Changes, MirrorDatabase, Statements} from '../load/mirror-database.js'

/** One table after a sync. */
export type SyncedTable = {
  table: string
  /** Rows in it; those marked as deleted, too. */
  rows: number
  deleted: number
  /** Records, or their lines, that the service returned. */
  read: number
  added: number
  changed: number
  /** Newly marked as deleted; not marked any more. */
  gone: number
  back: number
}

export type SyncProgress = {
  what: string
  page: number
  totalPages: number
  rows: number
  window?: number
  done?: number
}

export type SyncOptions = Pick<ExportEngine, 'client' | 'clock' | 'tool' | 'pagesInFlight' | 'probes'> & {
  db: MirrorDatabase
  source: ServiceKey
  /** Given when transactions are mirrored; `start` is needed where nothing is known of them. */
  transactions?: {late: number} | undefined
  /** Tables whose lists are not read. */
  skip?: readonly string[] | undefined
  /** Resolved; from when on alerts and transactions are wanted. */
  start?: string | undefined
  pageSize?: number | undefined
  requireGrade: Grade
  /** Before the second page of a list or window; what it throws ends the sync. */
  onForecast: (what: string, requests: number) => void
  onProgress: (progress: SyncProgress) => void
  onNotice: (text: string) => void
}

export type Synced = {
  tables: SyncedTable[]
  /** Tables whose list the service does not know, or does not show to this key. */
  skipped: {table: string; why: string}[]
  /** Reasons why it is not complete. */
  errors: ErrorEntry[]
  /** Grade of the transactions. */
  grade?: Grade
  range?: {start: string; end: string}
  pages: number
}

export type TableCounts = {rows: number; deleted: number}

export async function countTable(db: Statements, table: string): Promise<TableCounts> {
  const [found = {}] = await db.all(`SELECT count(*) AS rows, count(deleted_at) AS deleted FROM ${db.table(table)}`)
  return {rows: Number(found['rows']), deleted: Number(found['deleted'])}
}

/** Sums what became of a table over several transactions. */
export function addChanges(sum: Map<string, Changes>, more: readonly Changes[]): void {
  for (const one of more) {
    const so = sum.get(one.table)
    if (!so) sum.set(one.table, {...one})
    else for (const name of ['added', 'changed', 'unchanged', 'deleted', 'restored'] as const) so[name] += one[name]
  }
}

/** A table after its sync, and what is wrong where the rows that are there are not those that were put there. */
export async function toSynced(
  db: Statements,
  {table, added, changed, deleted, restored}: Changes,
  {before, read, isAll}: {before: TableCounts; read: number; isAll: boolean},
): Promise<{synced: SyncedTable; error?: ErrorEntry}> {
  const now = await countTable(db, table)
  const synced = {table, ...now, read, added, changed, gone: deleted, back: restored}
  const expected = before.rows + added
  const live = now.rows - now.deleted
  if (now.rows !== expected)
    return {synced, error: differs(table, `${counted(now.rows, 'row')} instead of ${expected}`)}
  if (isAll && live !== read)
    return {synced, error: differs(table, `${counted(live, 'row')} not deleted, but the service returned ${read}`)}
  return {synced}
}

function differs(table: string, what: string): ErrorEntry {
  return entryOf('MIRROR_DIFFERS', `${table} has ${what}; another program may have changed it`, {
    ...{changed: 'some', retry: 'safe'},
    hint: 'Run the same command again; where that does not help, sync into a new database.',
  })
}
