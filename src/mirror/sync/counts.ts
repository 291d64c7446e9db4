import {exitCodeOf} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {Changes, Statements} from '../load/mirror-database.js'
import type {SyncedTable} from './sync-types.js'

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
  return {
    code: 'MIRROR_DIFFERS',
    message: `${table} holds ${what}; another program may have changed it`,
    exit: exitCodeOf('incomplete').code,
    changed: 'some',
    retry: 'safe',
    hint: 'Run the same command again; where that does not help, sync into a new database.',
  }
}
