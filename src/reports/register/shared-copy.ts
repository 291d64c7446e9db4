import type {Database} from '../../core/sqlite.js'
import {putMark, type Watermark} from './marks.js'
import type {Named} from './named-runs.js'

/**
 * Which version of a shared mark the mark of this machine is, and which one its last file began from; `part` tells the
 * complete file of this machine from one that another machine wrote, whatever its name.
 */
export type SharedCopy = {store: string; version: number; begun?: number; part?: string}

export const copyTable = `
  CREATE TABLE IF NOT EXISTS shared_copy (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    store TEXT NOT NULL,
    version INTEGER NOT NULL,
    begun INTEGER,
    part TEXT,
    PRIMARY KEY (name, scope)
  ) STRICT;
`

/** Belongs in the transaction that moves the mark. */
export function putCopy(database: Database, {name, scope}: Named, {store, version}: SharedCopy): void {
  database.run(
    `INSERT INTO shared_copy (name, scope, store, version) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (name, scope) DO UPDATE SET begun = iif(store = ?3, begun, NULL), store = ?3, version = ?4`,
    ...[name, scope, store, version],
  )
}

export function copiesOf(database: Database) {
  return {
    findCopy({name, scope}: Named): SharedCopy | undefined {
      const sql = 'SELECT store, version, begun, part FROM shared_copy WHERE name = ? AND scope = ?'
      const row = database.get(sql, name, scope)
      if (!row) return undefined
      const begun = row['begun'] === null ? {} : {begun: Number(row['begun'])}
      const part = row['part'] === null ? {} : {part: String(row['part'])}
      return {store: String(row['store']), version: Number(row['version']), ...begun, ...part}
    },
    /** The mark of this machine is what the machines share from now on; without one, it has none. */
    keepCopy: (named: Named, copy: SharedCopy, value: Watermark | undefined) =>
      database.transaction(() => {
        const {name, scope} = named
        if (value) putMark(database, {name, scope, value})
        else database.run('DELETE FROM watermark WHERE name = ? AND scope = ?', name, scope)
        putCopy(database, named, copy)
      }),
    keepPart: ({name, scope}: Named, part: string | undefined) =>
      void database.run('UPDATE shared_copy SET part = ? WHERE name = ? AND scope = ?', part ?? null, name, scope),
    /** The last file of the name began from this version; from the mark of this machine alone without one. */
    beginFrom: ({name, scope}: Named, version: number | undefined) =>
      void database.run('UPDATE shared_copy SET begun = ? WHERE name = ? AND scope = ?', version ?? null, name, scope),
  }
}
