import {hash} from 'node:crypto'
import type {Database} from '../../core/sqlite.js'
import {checksum} from '../../core/state-file.js'
import {textOf} from './journal-entries.js'

/** The columns that the seal of a row is made of. A body is sealed by its digest. */
const sealed = {
  run: 'id, facts, outcome',
  row: 'place, line, digest, natural_key, id, skip, given, by_run',
  part: `seq, parent, number, places, origin, body_digest, state, attempts, sent_boot, sent_at, doubt_boot, doubt_at,
    answer, how`,
  preimage: 'natural_key, record',
  event: 'at, part, from_state, to_state, why',
}

type Sealed = keyof typeof sealed

const tables = ['run', 'row', 'part', 'preimage', 'event'] as const satisfies Sealed[]

/** Defines `seal(…)` for statements: a checksum of any values. */
export function defineSeal(database: Database): void {
  database.define('seal', (...values) => {
    const plain = values.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString('latin1')] : value))
    return checksum(JSON.stringify(plain))
  })
}

/** The schema is sealed with the run: a renamed column would read as an empty one. */
const schema = '(SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name))'

/** A statement that adds a row with its seal, from the values of the sealed columns in their order. */
export function insertSealed(table: Sealed, verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT'): string {
  const values = sealed[table].split(',').map((_, index) => `?${index + 1}`)
  return `${verb} INTO ${table}(${sealed[table]}, seal) VALUES (${values}, ${sealOf(table, values.join(', '))})`
}

/** A statement that changes the facts or the outcome of a run. */
export function changeRun(column: 'facts' | 'outcome'): string {
  return `UPDATE run SET ${column} = ?1, seal = ${sealOf('run', sealed.run.replace(column, '?1'))}`
}

/** A statement that seals rows which have changed. */
export function sealAgain(table: Sealed, where = 'true'): string {
  return `UPDATE ${table} SET seal = ${sealOf(table)} WHERE ${where}`
}

function sealOf(table: Sealed, values: string = sealed[table]): string {
  return table === 'run' ? `seal(${values}, ${schema})` : `seal(${values})`
}

/** Whether a journal is complete and as it was written. */
export function isSound(database: Database): boolean {
  if (database.get('PRAGMA integrity_check(1)')?.['integrity_check'] !== 'ok') return false
  if (!tables.every((table) => hasSeals(database, table))) return false
  const rows = database.get("SELECT (SELECT count(*) FROM row) = facts ->> '$.rows' AS areThere FROM run")
  return rows?.['areThere'] === 1 && hasBodies(database)
}

/** Whether the rows of a table are as they were written. */
export function hasSeals(database: Database, table: Sealed): boolean {
  return database.get(`SELECT 1 FROM ${table} WHERE seal IS NOT ${sealOf(table)} LIMIT 1`) === undefined
}

function hasBodies(database: Database): boolean {
  const all = database.iterate('SELECT body_digest, text FROM part LEFT JOIN body ON body.part = part.seq')
  for (const row of all) if (digestOfBody(textOf(row, 'text')) !== row['body_digest']) return false
  return true
}

/** SHA-256 in hex. */
export function digestOfBody(body: string): string {
  return hash('sha256', body)
}
