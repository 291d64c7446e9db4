import type {Database, Row} from '../../core/sqlite.js'
import {stateFailure} from '../../core/state-failure.js'
import {damage, openSound} from '../../core/state-file.js'
import {checksum} from '../../values/checksum.js'
import {deliveriesOf, deliveryTable, type ExpectedDelivery, expectDelivery, renewDelivery} from './deliveries.js'
import {type BegunExport, type EndedExport, endRun, exportRunsOf, exportRunTable} from './export-runs.js'
import {registerHints, registerName, registerSound} from './export-tables.js'
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

/** The file that a named export wrote to last, finished or not; `command` is the digest of what decides its bytes. */
export type LastFile = {path: string; command: string}

/** What is recorded when an export has its manifest: all of it or nothing. */
export type Finished = {
  /** What was read from where, without range and layout, which coverage is kept by. */
  scope: string
  covered: readonly Covered[]
  watermark?: {name: string; scope: string; value: Watermark} | undefined
  run?: EndedExport | undefined
  file?: WrittenFile
  /** The file that was written; `isAsked`: it is to be delivered. */
  delivery?: Omit<ExpectedDelivery, 'at'> & {isAsked: boolean}
  at: number
}

/** What this machine knows of all its exports. */
export type ExportRegister = ReturnType<typeof deliveriesOf> & {
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
/** Services change: what was learned is forgotten after this many milliseconds. */
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
/** Also added to registers of earlier versions, which ignore it. */
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
  ${deliveryTable}
  CREATE TABLE IF NOT EXISTS seal (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    manifest TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
`
/** An earlier version of this program changes marks and leaves their seals as they were. */
const selectWatermark = `
  SELECT watermark.*, seal.sum FROM watermark LEFT JOIN seal USING (name, scope, manifest)
  WHERE watermark.name = ? AND watermark.scope = ?
`

/** Opens the register of exports, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openExportRegister(path: string): ExportRegister {
  const file = {path, version, schema, what: registerName, isShared: true, wayOut: registerHints}
  const database = openSound(file, {
    sound: registerSound,
    later: {schema: laterSchema, sound: '(SELECT count(*) FROM export_run WHERE NOT json_valid(facts))'},
  })
  return {
    ...exportRunsOf(database),
    ...deliveriesOf(database),
    findLongest(source, now) {
      const row = database.get('SELECT milliseconds FROM longest WHERE source = ? AND at > ?', source, now - believed)
      return row && Number(row['milliseconds'])
    },
    keepLongest: (source, longest, now) =>
      void database.run('INSERT OR REPLACE INTO longest VALUES (?, ?, ?)', source, Math.floor(longest), now),
    findWatermark(name, scope) {
      const row = database.get(selectWatermark, name, scope)
      if (row && row['sum'] !== null && row['sum'] !== sumOf(toWatermark(row)))
        throw stateFailure(damage, registerName, path, registerHints)
      return row && toWatermark(row)
    },
    knowsName: (name) => database.get('SELECT 1 FROM watermark WHERE name = ?', name) !== undefined,
    findLastFile(name, scope) {
      const row = database.get('SELECT path, command FROM last_file WHERE name = ? AND scope = ?', name, scope)
      return row && {path: String(row['path']), command: String(row['command'])}
    },
    begin: (name, scope, {path: file, command}) =>
      void database.run('INSERT OR REPLACE INTO last_file VALUES (?, ?, ?, ?)', name, scope, file, command),
    finish: ({scope, covered, watermark, run, file: written, delivery, at}) =>
      database.transaction(() => {
        for (const {from, to, grade, file} of covered) {
          database.run('DELETE FROM covered WHERE scope = ? AND window_from >= ? AND window_to <= ?', scope, from, to)
          database.run('INSERT INTO covered VALUES (?, ?, ?, ?, ?, ?)', scope, from, to, grade, file, at)
        }
        if (watermark) putWatermark(database, watermark)
        if (run) endRun(database, run, at)
        if (run && written) putWritten(database, run, written, at)
        if (delivery) (delivery.isAsked ? expectDelivery : renewDelivery)(database, {...delivery, at})
      }),
    covered: (scope) => listCovered(database, scope),
    findFormerly: (name) => findFormerly(database, name),
    close: () => database.close(),
  }
}

/** A mark that a disk fault changed would skip records or export them twice. */
function sumOf({at, nextStart, keys, manifest}: Watermark): number {
  return checksum(JSON.stringify([at, nextStart, keys, manifest]))
}

function putWatermark(database: Database, {name, scope, value}: NonNullable<Finished['watermark']>): void {
  const {at, nextStart, keys, manifest} = value
  database.run(
    'INSERT OR REPLACE INTO watermark VALUES (?, ?, ?, ?, ?, ?)',
    ...[name, scope, at, nextStart, JSON.stringify(keys), manifest],
  )
  database.run('INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?)', name, scope, manifest, sumOf(value))
}

function toWatermark(row: Row): Watermark {
  return {
    at: String(row['at']),
    nextStart: String(row['next_start']),
    keys: JSON.parse(String(row['keys'])) as string[],
    manifest: String(row['manifest']),
  }
}
