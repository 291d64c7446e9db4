import type {Database} from '../../core/sqlite.js'
import type {Watermark} from './marks.js'
import type {Named} from './named-runs.js'

/**
 * What this machine saw last of a mark that machines share, by which it notices a store that was restored. `begun`: the
 * version that its last file began from; `part` tells its complete file from that of another machine, whatever its name.
 */
export type SeenMark = {store: string; version: number; at?: string; begun?: number; part?: string}

export const seenTable = `
  CREATE TABLE IF NOT EXISTS seen_mark (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    store TEXT NOT NULL,
    version INTEGER NOT NULL,
    at TEXT,
    begun INTEGER,
    part TEXT,
    PRIMARY KEY (name, scope)
  ) STRICT;
`

/** Registers of version 1 kept a copy of each shared mark, as if it were a mark of this machine. */
export const moveCopies = `
  INSERT OR IGNORE INTO seen_mark
    SELECT name, scope, store, version, watermark.at, begun, part
    FROM shared_copy LEFT JOIN watermark USING (name, scope);
  DROP TABLE shared_copy;
`

/** The mark that machines share, as a turn shows it. */
export type Seen = {store: string; version: number; value?: Watermark}

/** A mark is that of this machine or shared, never both. Belongs in the transaction that records what was read. */
export function putSeen(database: Database, {name, scope}: Named, {store, version, value}: Seen): void {
  for (const table of ['watermark', 'seal'])
    database.run(`DELETE FROM ${table} WHERE name = ? AND scope = ?`, name, scope)
  database.run(
    `INSERT INTO seen_mark (name, scope, store, version, at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (name, scope) DO UPDATE SET begun = iif(store = ?3, begun, NULL), store = ?3, version = ?4, at = ?5`,
    ...[name, scope, store, version, value?.at ?? null],
  )
}

export function seenMarksOf(database: Database) {
  return {
    findSeen({name, scope}: Named): SeenMark | undefined {
      const row = database.get('SELECT * FROM seen_mark WHERE name = ? AND scope = ?', name, scope)
      if (!row) return undefined
      const {at, begun, part} = row
      return {
        ...{store: String(row['store']), version: Number(row['version'])},
        ...(at !== null && {at: String(at)}),
        ...(begun !== null && {begun: Number(begun)}),
        ...(part !== null && {part: String(part)}),
      }
    },
    /** The mark of the name is the shared one from now on. */
    see: (named: Named, mark: Seen) => database.transaction(() => putSeen(database, named, mark)),
    keepPart: ({name, scope}: Named, part: string | undefined) =>
      void database.run('UPDATE seen_mark SET part = ? WHERE name = ? AND scope = ?', part ?? null, name, scope),
    /** The last file of the name began from this version of the shared mark. */
    beginFrom: ({name, scope}: Named, version: number | undefined) =>
      void database.run('UPDATE seen_mark SET begun = ? WHERE name = ? AND scope = ?', version ?? null, name, scope),
  }
}
