import type {Database} from '../../core/sqlite.js'
import type {EndedActivity} from './activities.js'

/** A window that was read; `grade` as in its manifest, `file` from the root. */
export type Covered = {from: string; to: string; grade: string; file: string}

/** The same with the length of its file: none where it is not known, `replaced` once another was written over it. */
export type CoveredFile = Covered & {bytes?: number | 'replaced'}

/** What was known of a file when an export to it ended last. */
export type Formerly = {rows: number; at: number}

/** `isAdded`: it still holds what was written to it before. */
export type WrittenFile = {path: string; bytes: number; isAdded: boolean}

export const writtenTable = `
  CREATE TABLE IF NOT EXISTS written (
    name TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    since INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS written_path ON written (path);
`
const selectCovered = `
  SELECT covered.*, written.bytes, covered.at < written.since AS replaced
  FROM covered LEFT JOIN written ON written.path = covered.file
  WHERE scope = ? ORDER BY window_from, covered.at
`

/** Belongs in the transaction that records what was read. */
export function putWritten(
  database: Database,
  {name, rows}: EndedActivity,
  {path, bytes, isAdded}: WrittenFile,
  at: number,
): void {
  database.run(
    `INSERT INTO written VALUES (?1, ?2, ?3, ?4, ?5, ?5)
     ON CONFLICT (name) DO UPDATE SET path = ?2, rows = ?3, bytes = ?4, at = ?5, since = iif(?6, since, ?5)`,
    ...[name, path, rows, bytes, at, Number(isAdded)],
  )
}

export function findFormerly(database: Database, name: string): Formerly | undefined {
  const row = database.get(
    `SELECT rows, at FROM written WHERE name = ?1
     UNION SELECT rows, ended_at FROM activity WHERE name = ?1 AND ended_at IS NOT NULL ORDER BY 2 DESC LIMIT 1`,
    name,
  )
  return row && {rows: Number(row['rows']), at: Number(row['at'])}
}

/** Every window that was read, with what is known of its file. */
export function listCovered(database: Database, scope: string): CoveredFile[] {
  return database.all(selectCovered, scope).map(({window_from: from, window_to: to, grade, file, bytes, replaced}) => ({
    ...{from: String(from), to: String(to), grade: String(grade), file: String(file)},
    ...(bytes !== null && {bytes: replaced === 1 ? 'replaced' : Number(bytes)}),
  }))
}
