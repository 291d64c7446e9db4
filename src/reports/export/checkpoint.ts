import type {Database, Row} from '../../core/sqlite.js'
import {openSound} from '../../core/state-file.js'
import type {Committed} from '../../formats/files/part-file.js'

/** The request of an export, and the decisions when it began; both as JSON. */
export type ExportFacts = {
  /** Equal for the same command only. */
  identity: string
  /** Choices that the command left open and its first run made, such as the moment of `now`. */
  frozen: string
}

/** The pages and rows of one committed stretch of the output file. */
export type Segment = {
  partition: number
  /** Number of its page, from 1; 0 for the text after the last page. */
  page: number
  /** Page size by which `page` counts. */
  size: number
  byteOffset: number
  bytes: number
  rows: number
  records: number
  /** Digest of the file up to the end of this stretch, in hexadecimal. */
  sha256: string
  /** The keys of the records of the page, to find duplicates. */
  keys: readonly string[]
}

/** A window that was begun; `facts` is JSON of the code that reads windows. */
export type StoredWindow = {partition: number; from: string; to: string; facts: string}

/** State that is stored with a segment, in the same transaction. */
export type BesideSegment = {facts?: string; columns?: string; lost?: string; requests: number; probes: number}

/**
 * The checkpoint of one export. The effect of a call that has returned survives a power cut. A commit takes the time of
 * its keys; `totals` and `dropKeysBefore` look at every segment. Nothing is kept in memory.
 */
export type Checkpoint = ReturnType<typeof checkpointOf>

/** Version of the tables of an export. */
export const exportVersion = 1

/** One export is one file: what was asked, the windows, and every segment of its output. */
export const exportSchema = `
  CREATE TABLE export (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL,
    frozen TEXT NOT NULL,
    windows TEXT NOT NULL,
    columns TEXT,
    lost TEXT,
    started_at INTEGER,
    requests INTEGER NOT NULL DEFAULT 0,
    probes INTEGER NOT NULL DEFAULT 0,
    manifest TEXT
  ) STRICT;
  CREATE TABLE part (
    partition INTEGER PRIMARY KEY,
    window_from TEXT NOT NULL,
    window_to TEXT NOT NULL,
    facts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE seg (
    seq INTEGER PRIMARY KEY,
    partition INTEGER NOT NULL,
    page INTEGER NOT NULL,
    size INTEGER NOT NULL,
    byte_off INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    records INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    keys TEXT
  ) STRICT;
  CREATE INDEX seg_partition ON seg (partition);
`

const countInvalid = `
  (SELECT count(*) FROM export WHERE NOT json_valid(identity) OR NOT json_valid(frozen) OR NOT json_valid(windows)
    OR NOT json_valid(columns) OR NOT json_valid(lost) OR NOT json_valid(manifest))
  + (SELECT count(*) FROM part WHERE NOT json_valid(facts))
  + (SELECT count(*) FROM seg WHERE NOT json_valid(keys))
`

/** Opens the checkpoint of an export, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openCheckpoint(path: string): Checkpoint {
  const what = 'The checkpoint of this export'
  const file = {path, version: exportVersion, schema: exportSchema, what, isShared: true}
  return checkpointOf(openSound(file, {countInvalid}))
}

/** The checkpoint in a database that has its tables. */
export function checkpointOf(database: Database) {
  return {
    facts() {
      const row = database.get('SELECT * FROM export')
      return row && toFacts(row)
    },
    windows: () => database.all('SELECT * FROM part ORDER BY partition').map(toWindow),
    totals() {
      const row = database.get(
        'SELECT count(*) AS segments, sum(bytes) AS bytes, sum(rows) AS rows, sum(records) AS records FROM seg',
      )
      const count = (name: string) => Number(row?.[name] ?? 0)
      return {segments: count('segments'), bytes: count('bytes'), rows: count('rows'), records: count('records')}
    },
    counts() {
      const row = database.get('SELECT requests, probes FROM export')
      return {requests: Number(row?.['requests'] ?? 0), probes: Number(row?.['probes'] ?? 0)}
    },
    /** Whether the text after the last page is there. */
    hasEnd: () => database.get('SELECT page FROM seg ORDER BY seq DESC LIMIT 1')?.['page'] === 0,
    /** Required state of `NAME.part`: its length, and the digest of all bytes. */
    committed(): Committed {
      const row = database.get(
        'SELECT sha256, (SELECT sum(bytes) FROM seg) AS bytes FROM seg ORDER BY seq DESC LIMIT 1',
      )
      return row ? {bytes: Number(row['bytes']), digest: String(row['sha256'])} : {bytes: 0}
    },
    /** The keys of a window in the order of their commit. */
    keysOf: (partition: number) =>
      database
        .all('SELECT keys FROM seg WHERE partition = ? AND keys IS NOT NULL ORDER BY seq', partition)
        .flatMap(({keys}) => JSON.parse(String(keys)) as string[]),
    /** Forgets everything and starts over. */
    begin: ({identity, frozen}: ExportFacts, windows: string) =>
      database.transaction(() => {
        database.exec('DELETE FROM export; DELETE FROM part; DELETE FROM seg')
        const sql = 'INSERT INTO export (id, identity, frozen, windows) VALUES (1, ?, ?, ?)'
        database.run(sql, identity, frozen, windows)
      }),
    startedAt: (serverTime: number) =>
      void database.run('UPDATE export SET started_at = ? WHERE started_at IS NULL', serverTime),
    /** Begins a window; `windows` are those that are left after it. */
    startWindow: ({partition, from, to, facts}: StoredWindow, windows: string) =>
      database.transaction(() => {
        database.run('INSERT INTO part VALUES (?, ?, ?, ?)', partition, from, to, facts)
        database.run('UPDATE export SET windows = ?', windows)
      }),
    changeWindow: (partition: number, facts: string, windows?: string) =>
      database.transaction(() => {
        database.run('UPDATE part SET facts = ? WHERE partition = ?', facts, partition)
        if (windows !== undefined) database.run('UPDATE export SET windows = ?', windows)
      }),
    commit: (segment: Segment, beside: BesideSegment) => database.transaction(() => commit(database, segment, beside)),
    /** Keys of windows before this one are not needed any more. */
    dropKeysBefore: (partition: number) =>
      void database.run('UPDATE seg SET keys = NULL WHERE partition < ? AND keys IS NOT NULL', partition),
    /** The file is complete; from here on only its name and its manifest are missing. */
    seal: (manifest: string) => void database.run('UPDATE export SET manifest = ?', manifest),
    unseal: () => void database.run('UPDATE export SET manifest = NULL'),
    close: () => database.close(),
  }
}

function commit(database: Database, segment: Segment, {facts, columns, lost, requests, probes}: BesideSegment): void {
  const {partition, page, size, byteOffset, bytes, rows, records, sha256, keys} = segment
  database.run(
    `INSERT INTO seg (partition, page, size, byte_off, bytes, rows, records, sha256, keys)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[partition, page, size, byteOffset, bytes, rows, records, sha256, JSON.stringify(keys)],
  )
  database.run('UPDATE export SET requests = ?, probes = ?', requests, probes)
  if (facts !== undefined) database.run('UPDATE part SET facts = ? WHERE partition = ?', facts, partition)
  if (lost !== undefined) database.run('UPDATE export SET lost = ?', lost)
  if (columns !== undefined) database.run('UPDATE export SET columns = ?', columns)
}

function toFacts(row: Row) {
  const {identity, frozen, windows, columns, lost, started_at: startedAt, manifest} = row
  return {
    identity: String(identity),
    frozen: String(frozen),
    windows: String(windows),
    ...(columns !== null && {columns: String(columns)}),
    ...(lost !== null && {lost: String(lost)}),
    ...(startedAt !== null && {startedAt: Number(startedAt)}),
    ...(manifest !== null && {manifest: String(manifest)}),
  }
}

function toWindow({partition, window_from: from, window_to: to, facts}: Row): StoredWindow {
  return {partition: Number(partition), from: String(from), to: String(to), facts: String(facts)}
}
