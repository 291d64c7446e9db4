import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {isHeld} from '../../core/lock.js'
import {type Database, openDatabase, type Row} from '../../core/sqlite.js'
import {stateFailure, stateNewer} from '../../core/state-failure.js'
import {checkSound, damage, versionOf} from '../../core/state-file.js'
import {type ExportRunFacts, parseFacts, printFacts, resumeCommand} from './export-run-facts.js'
import {
  exportVersion,
  registerHints,
  registerName,
  registerPath,
  registerSound,
  registerVersion,
} from './export-tables.js'

/** `lost`: the service sent fields that have no column in the file. `newer`: it needs a later version of this program. */
export type ExportRunState = 'running' | 'unfinished' | 'lost' | 'done' | 'damaged' | 'newer'

export type ExportRun = {
  id: string
  state: ExportRunState
  facts: ExportRunFacts
  createdAt: number
  /** Rows in the file, and requests for pages and boundaries, as far as they are known. */
  rows?: number
  requests?: number
}

/** `name` is that of its checkpoint; milliseconds since 1970. */
export type BegunExport = {
  name: string
  facts: ExportRunFacts
  createdAt: number
  /** Whether an earlier export there is dropped. */
  isNew: boolean
  makeId: () => string
}

export type EndedExport = {name: string; rows: number; requests: number}

export const exportRunTable = `
  CREATE TABLE IF NOT EXISTS export_run (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    rows INTEGER,
    requests INTEGER,
    PRIMARY KEY (id, name)
  ) STRICT;
`
/** The folder of checkpoints and locks of exports. */
export function exportsFolder(stateFolder: string): string {
  return join(stateFolder, 'exports')
}

export function exportRunsOf(database: Database) {
  return {
    /** The id of an export that begins or is resumed. */
    startRun: (begun: BegunExport): string => database.transaction(() => startRun(database, begun)),
    /** The command that began what is not finished under this name. */
    findBegun(name: string): string | undefined {
      const row = database.get('SELECT facts FROM export_run WHERE name = ? AND ended_at IS NULL', name)
      return row && resumeCommand(parseFacts(row['facts']))
    },
    /** Forgets exports that were made before, where they are done or their checkpoint is gone. */
    tidyRuns: (before: number, isThere: (name: string) => boolean) =>
      database.transaction(() => {
        for (const {id, name, ended_at: endedAt} of database.all(
          'SELECT * FROM export_run WHERE created_at < ?',
          before,
        ))
          if (endedAt !== null || !isThere(String(name)))
            database.run('DELETE FROM export_run WHERE id = ? AND name = ?', id ?? '', name ?? '')
      }),
  }
}

/** An export of an earlier version that has no id yet gets one. */
function startRun(database: Database, {name, facts, createdAt, isNew, makeId}: BegunExport): string {
  if (isNew) database.run('DELETE FROM export_run WHERE name = ? AND ended_at IS NULL', name)
  const known = database.get('SELECT id FROM export_run WHERE name = ? AND ended_at IS NULL', name)
  if (known) return String(known['id'])
  let id = makeId()
  while (database.get('SELECT 1 FROM export_run WHERE id = ?', id)) id = makeId() // of the same millisecond
  const sql = 'INSERT INTO export_run (id, name, facts, created_at) VALUES (?, ?, ?, ?)'
  database.run(sql, id, name, printFacts(facts), createdAt)
  return id
}

/** Belongs in the transaction that records what was read. */
export function endRun(database: Database, {name, rows, requests}: EndedExport, at: number): void {
  const sql = 'UPDATE export_run SET rows = ?, requests = ?, ended_at = ? WHERE name = ? AND ended_at IS NULL'
  database.run(sql, rows, requests, at, name)
}

/** All exports that are known by id, newest first; changes nothing. Throws `storage` where they cannot be read. */
export function listExportRuns(stateFolder: string): ExportRun[] {
  return readRegister(stateFolder, [], (database) => {
    if (!hasTable(database, 'export_run')) return []
    const rows = database.all('SELECT * FROM export_run ORDER BY id DESC')
    return rows.flatMap((row) => toRun(row, stateFolder) ?? endedSince(database, row) ?? [])
  })
}

/** Reads the register of exports and changes nothing. Throws `storage` where it cannot be read. */
export function readRegister<Result>(stateFolder: string, none: Result, read: (database: Database) => Result): Result {
  const path = registerPath(stateFolder)
  if (!existsSync(path)) return none
  try {
    return readOnly(path, (database) => {
      if (versionOf(database) > registerVersion) throw stateNewer(registerName, path)
      checkSound(database, registerSound)
      return read(database)
    })
  } catch (error) {
    const {errcode} = error as {errcode?: number}
    const isForeign = errcode === 1 || error instanceof SyntaxError // no such table, no JSON
    throw stateFailure(isForeign ? damage : error, registerName, path, registerHints)
  }
}

/** Registers of earlier versions lack tables. */
export function hasTable(database: Database, name: string): boolean {
  return database.get('SELECT 1 FROM sqlite_schema WHERE name = ?', name) !== undefined
}

/** The one export that a text means by its id, or its beginning or end. */
export function findExportRun(stateFolder: string, text: string): ExportRun | undefined {
  if (text === '') return undefined
  try {
    const [only, ...more] = listExportRuns(stateFolder).filter(({id}) => id.startsWith(text) || id.endsWith(text))
    return more.length === 0 ? only : undefined
  } catch {
    return undefined
  }
}

/** Undefined for an unfinished export without a checkpoint: it had read nothing, or was dropped. */
function toRun(row: Row, stateFolder: string): ExportRun | undefined {
  if (row['ended_at'] !== null) return toDone(row)
  const name = join(exportsFolder(stateFolder), String(row['name']))
  const seen = readProgress(`${name}.db`)
  if (!seen) return undefined
  const {isSealed: _, ...progress} = seen
  return {...common(row), ...progress, ...(isHeld(`${name}.lock`, 'The lock of an export') && {state: 'running'})}
}

/** `isSealed`: all of it was read, and at most its names and its mark are missing. */
export type Seen = Pick<ExportRun, 'rows' | 'requests'> & {
  state: 'unfinished' | 'lost' | 'damaged' | 'newer'
  isSealed?: true
}

/** A checkpoint that cannot be read at the moment is not reported as damaged. */
export function readProgress(path: string): Seen | undefined {
  if (!existsSync(path)) return undefined
  try {
    return readOnly(path, readCheckpoint)
  } catch (error) {
    if (!existsSync(path)) return undefined
    const {code} = stateFailure(error, 'The checkpoint of an export', path)
    return {state: code === 'STATE_DAMAGED' ? 'damaged' : 'unfinished'}
  }
}

function readCheckpoint(database: Database): Seen | undefined {
  if (versionOf(database) > exportVersion) return {state: 'newer'}
  const found = database.get(
    'SELECT lost, manifest, requests + probes AS requests, (SELECT sum(rows) FROM seg) AS rows FROM export',
  )
  if (!found) return undefined
  const isLost = found['lost'] !== null && found['lost'] !== '[]'
  const [rows, requests] = [Number(found['rows']), Number(found['requests'])]
  const isSealed = found['manifest'] !== null
  return {state: isLost ? 'lost' : 'unfinished', rows, requests, ...(isSealed && {isSealed})}
}

/** An export that ends while it is being read removes its checkpoint. */
function endedSince(database: Database, {id, name}: Row): ExportRun | undefined {
  const sql = 'SELECT * FROM export_run WHERE id = ? AND name = ? AND ended_at IS NOT NULL'
  const row = database.get(sql, id ?? '', name ?? '')
  return row && toDone(row)
}

function toDone(row: Row): ExportRun {
  return {...common(row), state: 'done', rows: Number(row['rows']), requests: Number(row['requests'])}
}

function common({id, facts, created_at: createdAt}: Row): Pick<ExportRun, 'id' | 'facts' | 'createdAt'> {
  return {id: String(id), facts: parseFacts(facts), createdAt: Number(createdAt)}
}

function readOnly<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openDatabase(path, {readOnly: true, immutable: !existsSync(`${path}-wal`), cacheKibibytes: 512})
  try {
    return read(database)
  } finally {
    database.close()
  }
}
