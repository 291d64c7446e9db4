import {join} from 'node:path'
import {commandLine} from '../../core/command-line.js'

/** Version of the tables of the register. */
export const registerVersion = 2

export const registerName = 'The register of exports'
/** The marks of `--since-last` and coverage are in it, so nothing replaces it silently. */
export const registerHints = [
  `Set it aside, with what it knows of earlier exports: ${commandLine('runs remove', ['exports'], {damaged: true})}`,
]

/** Counts invalid rows of the tables that every version has. */
export const registerSound = `
  (SELECT count(*) FROM watermark WHERE NOT json_valid(keys))
  + (SELECT count(*) FROM longest WHERE 0) + (SELECT count(*) FROM covered WHERE 0)
`

export function registerPath(stateFolder: string): string {
  return join(stateFolder, 'exports.db')
}

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
