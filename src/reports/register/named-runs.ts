import type {Database, Row} from '../../core/sqlite.js'

/** A name of `--since-last` with the filters and columns that it was used with, which are one mark. */
export type Named = {name: string; scope: string}

/** What a name reads, without secrets. */
export type NamedFacts = {
  command: string
  /** The arguments of `vendorctl` that run it again. */
  run: string
  profile: string
  stage: string
  baseUrl: string
  /** Filters and columns as flags. */
  filters: string
  isAppended?: true
  isDelivered?: true
  /** A list of what is new or changed: the keys of its records begin with their times. */
  isList?: true
}

/** The last run of a name that was complete; `at` in milliseconds since 1970. */
export type LastRun = {from: string; to: string; rows: number; file: string | null; at: number}

export const namedTable = `
  CREATE TABLE IF NOT EXISTS named (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    facts TEXT NOT NULL,
    last TEXT,
    PRIMARY KEY (name, scope)
  ) STRICT;
`

export function putFacts(database: Database, {name, scope}: Named, facts: NamedFacts): void {
  const sql = 'INSERT INTO named VALUES (?, ?, ?, NULL) ON CONFLICT (name, scope) DO UPDATE SET facts = excluded.facts'
  database.run(sql, name, scope, JSON.stringify(facts))
}

/** Belongs in the transaction that moves the mark. */
export function putLastRun(database: Database, {name, scope}: Named, last: LastRun): void {
  database.run('UPDATE named SET last = ? WHERE name = ? AND scope = ?', JSON.stringify(last), name, scope)
}

export function parseNamed({facts, last}: Row): {facts: NamedFacts; last?: LastRun} {
  return {
    facts: JSON.parse(String(facts)) as NamedFacts,
    ...(last !== null && {last: JSON.parse(String(last)) as LastRun}),
  }
}
