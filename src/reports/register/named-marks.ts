import type {Database, Row} from '../../core/sqlite.js'
import {checksum} from '../../core/state-file.js'

/** Up to where a named export has read, and what its next run may meet again. */
export type Watermark = {
  /** The end of what was read, as the service counts time. */
  at: string
  /** Start of the next run, earlier by the overlap. */
  nextStart: string
  /** Keys of the records that were read from there on. */
  keys: readonly string[]
  /** Digest of the manifest that it belongs to; empty after it was set by hand. */
  manifest: string
}

export type NamedMark = {name: string; scope: string; value: Watermark}

/** An earlier version of this program changes marks and leaves their seals as they were. */
export const markColumns = 'watermark.*, seal.sum FROM watermark LEFT JOIN seal USING (name, scope, manifest)'

export function putMark(database: Database, {name, scope, value}: NamedMark): void {
  const {at, nextStart, keys, manifest} = value
  database.run(
    'INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?)',
    ...[name, scope, at, nextStart, JSON.stringify(keys), manifest],
  )
  database.run('INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?)', name, scope, manifest, sumOf(value))
}

/** A row of `markColumns`; undefined for a mark that a disk fault changed: it would skip records or export them twice. */
export function toMark(row: Row): Watermark | undefined {
  const mark = {
    at: String(row['at']),
    nextStart: String(row['next_start']),
    keys: JSON.parse(String(row['keys'])) as string[],
    manifest: String(row['manifest']),
  }
  return row['sum'] === null || row['sum'] === sumOf(mark) ? mark : undefined
}

function sumOf({at, nextStart, keys, manifest}: Watermark): number {
  return checksum(JSON.stringify([at, nextStart, keys, manifest]))
}

/**
 * A shared mark as this machine saw it last, by which it notices a store that was restored. `begun`: the version that
 * its last file began from; `part` tells its complete file from that of another machine, whatever its name.
 */
export type SeenMark = {store: string; version: number; at?: string; begun?: number; part?: string}

/** The mark that machines share, as a turn shows it. */
export type ShownMark = {store: string; version: number; value?: Watermark}

/** A mark is that of this machine or shared, never both. Belongs in the transaction that records what was read. */
export function putSeen(database: Database, {name, scope}: Named, {store, version, value}: ShownMark): void {
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
    see: (named: Named, mark: ShownMark) => database.transaction(() => putSeen(database, named, mark)),
    keepPart: ({name, scope}: Named, part: string | undefined) =>
      void database.run('UPDATE seen_mark SET part = ? WHERE name = ? AND scope = ?', part ?? null, name, scope),
    /** The last file of the name began from this version of the shared mark. */
    beginFrom: ({name, scope}: Named, version: number | undefined) =>
      void database.run('UPDATE seen_mark SET begun = ? WHERE name = ? AND scope = ?', version ?? null, name, scope),
  }
}

/** A name of `--since-last` with the filters and columns that it was used with, which are one mark. */
export type Named = {name: string; scope: string}

/** Request behind a name, without secrets. */
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
  /** A list of new or changed records: their keys begin with their times. */
  isList?: true
}

/** The last run of a name that was complete; `at` in milliseconds since 1970. */
export type LastRun = {from: string; to: string; rows: number; file: string | null; at: number}

export function parseNamed({facts, last}: Row): {facts: NamedFacts; last?: LastRun} {
  return {
    facts: JSON.parse(String(facts)) as NamedFacts,
    ...(last !== null && {last: JSON.parse(String(last)) as LastRun}),
  }
}
