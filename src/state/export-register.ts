import type {Database, Row} from '../sqlite.js'
import {type BegunExport, type EndedExport, endRun, exportRunsOf, exportRunTable} from './export-runs.js'
import {openState} from './open-state.js'
import {
  type Covered,
  type CoveredFile,
  type Formerly,
  findFormerly,
  listCovered,
  putWritten,
  type WrittenFile,
  writtenTable,
} from './written-files.js'

/** Up to where a named export has read, and what its next run may meet again. */
export type Watermark = {
  /** The end of what was read, as the service counts time. */
  at: string
  /** Where the next run begins: so much earlier. */
  nextStart: string
  /** Keys of the records that were read from there on. */
  keys: readonly string[]
  /** Digest of the manifest that it belongs to. */
  manifest: string
}

/** The file that a named export wrote to last, finished or not; `command` is told by what decides its bytes. */
export type LastFile = {path: string; command: string}

/** What is recorded when an export has its manifest: all of it or nothing. */
export type Finished = {
  /** What was read from where, without range and layout; coverage is told by it. */
  scope: string
  covered: readonly Covered[]
  watermark?: {name: string; scope: string; value: Watermark} | undefined
  run?: EndedExport | undefined
  file?: WrittenFile
  at: number
}

/** What this machine knows of all its exports. */
export type ExportRegister = {
  /** The longest range that a service was seen to serve, in milliseconds; forgotten after 30 days. */
  findLongest(source: string, now: number): number | undefined
  keepLongest(source: string, longest: number, now: number): void
  findWatermark(name: string, scope: string): Watermark | undefined
  /** Whether the name was used, for whatever filters. */
  knowsName(name: string): boolean
  findLastFile(name: string, scope: string): LastFile | undefined
  /** The name writes to this file now. */
  begin(name: string, scope: string, file: LastFile): void
  finish(finished: Finished): void
  covered(scope: string): CoveredFile[]
  /** What was written last to the file of a checkpoint of this name. */
  findFormerly(name: string): Formerly | undefined
  findBegun(name: string): string | undefined
  startRun(begun: BegunExport): string
  tidyRuns(before: number, isThere: (name: string) => boolean): void
  close(): void
}

const version = 1
/** Services change: what was learned is learned anew after so many milliseconds. */
const believed = 30 * 86_400_000
const schema = `
  CREATE TABLE longest (source TEXT PRIMARY KEY, milliseconds INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TABLE watermark (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    at TEXT NOT NULL,
    next_start TEXT NOT NULL,
    keys TEXT NOT NULL,
    manifest TEXT NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
  CREATE TABLE covered (
    scope TEXT NOT NULL,
    window_from TEXT NOT NULL,
    window_to TEXT NOT NULL,
    grade TEXT NOT NULL,
    file TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX covered_scope ON covered (scope, window_from);
`
/** Made in registers of before, too: those who do not know it do without. */
const laterSchema = `
  CREATE TABLE IF NOT EXISTS last_file (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    path TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
  ${writtenTable}
  ${exportRunTable}
`
/** Opens the register of exports, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openExportRegister(path: string): ExportRegister {
  const database = openState({
    path,
    version,
    schema: schema + laterSchema,
    what: 'The register of exports',
    isShared: true,
  })
  const found = database.get("SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('written', 'export_run')")
  if (Number(found?.['n']) < 2) database.exec(laterSchema)
  return {
    ...exportRunsOf(database),
    findLongest(source, now) {
      const row = database.get('SELECT milliseconds FROM longest WHERE source = ? AND at > ?', source, now - believed)
      return row && Number(row['milliseconds'])
    },
    keepLongest: (source, longest, now) =>
      void database.run('INSERT OR REPLACE INTO longest VALUES (?, ?, ?)', source, Math.floor(longest), now),
    findWatermark(name, scope) {
      const row = database.get('SELECT * FROM watermark WHERE name = ? AND scope = ?', name, scope)
      return row && toWatermark(row)
    },
    knowsName: (name) => database.get('SELECT 1 FROM watermark WHERE name = ?', name) !== undefined,
    findLastFile(name, scope) {
      const row = database.get('SELECT path, command FROM last_file WHERE name = ? AND scope = ?', name, scope)
      return row && {path: String(row['path']), command: String(row['command'])}
    },
    begin: (name, scope, {path: file, command}) =>
      void database.run('INSERT OR REPLACE INTO last_file VALUES (?, ?, ?, ?)', name, scope, file, command),
    finish: ({scope, covered, watermark, run, file: written, at}) =>
      database.transaction(() => {
        for (const {from, to, grade, file} of covered) {
          database.run('DELETE FROM covered WHERE scope = ? AND window_from >= ? AND window_to <= ?', scope, from, to)
          database.run('INSERT INTO covered VALUES (?, ?, ?, ?, ?, ?)', scope, from, to, grade, file, at)
        }
        if (watermark) putWatermark(database, watermark)
        if (run) endRun(database, run, at)
        if (run && written) putWritten(database, run, written, at)
      }),
    covered: (scope) => listCovered(database, scope),
    findFormerly: (name) => findFormerly(database, name),
    close: () => database.close(),
  }
}

function putWatermark(database: Database, {name, scope, value}: NonNullable<Finished['watermark']>): void {
  const {at, nextStart, keys, manifest} = value
  database.run(
    'INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?)',
    ...[name, scope, at, nextStart, JSON.stringify(keys), manifest],
  )
}

function toWatermark(row: Row): Watermark {
  return {
    at: String(row['at']),
    nextStart: String(row['next_start']),
    keys: JSON.parse(String(row['keys'])) as string[],
    manifest: String(row['manifest']),
  }
}
