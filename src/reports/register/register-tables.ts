import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {type Database, readDatabase} from '../../core/sqlite.js'
import {stateFailure, stateNewer} from '../../core/state-failure.js'
import {checkSound, damage, openSound, setVersion, versionOf, writerOf} from '../../core/state-file.js'

const version = 2

export const registerName = 'The register of exports'
/** The marks of `--since-last` and coverage are in it, so nothing replaces it silently. */
export const registerHints = [
  `Set it aside, with what it knows of earlier exports: ${commandLine('runs remove', ['exports'], {damaged: true})}`,
]

export function registerPath(stateFolder: string): string {
  return join(stateFolder, 'exports.db')
}

/** The folder of checkpoints and locks of exports. */
export function exportsFolder(stateFolder: string): string {
  return join(stateFolder, 'exports')
}

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
const countInvalid = `
  (SELECT count(*) FROM watermark WHERE NOT json_valid(keys))
  + (SELECT count(*) FROM longest WHERE 0) + (SELECT count(*) FROM covered WHERE 0)
`
/**
 * Also added to registers of earlier versions. A delivery has `made`, which tells a file from the next one of the same
 * path, also where both have the same bytes.
 */
export const laterSchema = `
  CREATE TABLE IF NOT EXISTS last_file (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    path TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS written (
    name TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    since INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS written_path ON written (path);
  CREATE TABLE IF NOT EXISTS activity (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    rows INTEGER,
    requests INTEGER,
    exit INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS delivery (
    path TEXT PRIMARY KEY,
    name TEXT,
    scope TEXT,
    made TEXT NOT NULL,
    digest TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    written_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    tried_at INTEGER,
    why TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS delivery_name ON delivery (name, scope);
  CREATE TABLE IF NOT EXISTS named (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    facts TEXT NOT NULL,
    last TEXT,
    PRIMARY KEY (name, scope)
  ) STRICT;
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
  CREATE TABLE IF NOT EXISTS seal (
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    manifest TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (name, scope)
  ) STRICT;
`
const countLaterInvalid =
  '(SELECT count(*) FROM activity WHERE NOT json_valid(facts)) + (SELECT count(*) FROM named WHERE NOT json_valid(facts) OR NOT json_valid(last))'

/** Registers of version 1 listed exports alone, and kept a copy of each shared mark, as if it were of this machine. */
const moves = [
  {
    from: 'shared_copy',
    to: 'seen_mark',
    copy: `INSERT OR IGNORE INTO seen_mark SELECT name, scope, store, version, watermark.at, begun, part
      FROM shared_copy LEFT JOIN watermark USING (name, scope)`,
  },
  {
    from: 'export_run',
    to: 'activity',
    copy: `INSERT OR IGNORE INTO activity
      SELECT id, 'export', name, facts, created_at, ended_at, rows, requests, NULL FROM export_run`,
  },
]

/** Opens the register, and makes it when there is none. Throws a `CliFailure` (storage). */
export function openRegisterFile(path: string): Database {
  const file = {path, version, schema, what: registerName, isShared: true, wayOut: registerHints}
  const database = openSound(file, {countInvalid, later: {schema: laterSchema, countInvalid: countLaterInvalid}})
  moveUp(database)
  return database
}

/** Brings a register of version 1 to this one, which that version refuses from then on. */
export function moveUp(database: Database): void {
  if (versionOf(database) === version) return
  database.transaction(() => {
    if (versionOf(database) === version) return // another process was faster
    for (const {from, copy} of moves) if (hasTable(database, from)) database.exec(`${copy}; DROP TABLE ${from}`)
    setVersion(database, version)
  })
}

/** Reads the register and changes nothing. Throws `storage` where it cannot be read. */
export function readRegister<Result>(stateFolder: string, none: Result, read: (database: Database) => Result): Result {
  const path = registerPath(stateFolder)
  if (!existsSync(path)) return none
  try {
    return readDatabase(path, (database) => {
      if (versionOf(database) > version) throw stateNewer(registerName, path, writerOf(database))
      checkSound(database, countInvalid)
      addMissing(database)
      return read(database)
    })
  } catch (error) {
    const {errcode} = error as {errcode?: number}
    const isForeign = errcode === 1 || error instanceof SyntaxError // no such table, no JSON
    throw stateFailure(isForeign ? damage : error, registerName, path, registerHints)
  }
}

/** The tables that a register of an earlier version lacks, for this connection alone. */
function addMissing(database: Database): void {
  const old = moves.filter(({from}) => hasTable(database, from))
  for (const [create, name = ''] of laterSchema.matchAll(/CREATE TABLE IF NOT EXISTS (\w+) [^;]*;/g)) {
    if (hasTable(database, name) && !old.some(({to}) => to === name)) continue
    database.exec(`PRAGMA temp_store=MEMORY; ${create.replace('TABLE IF NOT EXISTS', 'TEMP TABLE')}`)
  }
  for (const {copy} of old) database.exec(copy)
}

function hasTable(database: Database, name: string): boolean {
  return database.get('SELECT 1 FROM sqlite_schema WHERE name = ?', name) !== undefined
}
