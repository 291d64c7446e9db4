import type {Database, Row} from '../../core/sqlite.js'
import type {Column} from '../columns.js'
import {isForeign, tableExists} from '../files/database-failure.js'
import type {CellType} from './sqlite-cells.js'

export type Table = {
  name: string
  /** Columns that together tell a row from all others; without any, the table must be new. */
  key: readonly string[]
}

export type TableColumn = {readonly name: string; readonly type: CellType}

/**
 * Makes the table, or widens the one that is there by the columns that it does not have. The result is what each
 * column really stores. Throws a `CliFailure` when the table is not one of this program.
 */
export function openTable(
  database: Database,
  {name, key}: Table,
  wanted: readonly TableColumn[],
  path: string,
): TableColumn[] {
  const found = new Map(database.all(`PRAGMA table_info(${quote(name)})`).map(toTableColumn))
  if (found.size > 0 && key.length === 0) throw tableExists(path, name)
  if (found.size === 0) database.exec(`CREATE TABLE ${quote(name)}(${wanted.map(define).join(', ')}) STRICT`)
  for (const column of found.size === 0 ? [] : wanted) {
    const {type} = found.get(column.name.toLowerCase()) ?? {}
    if (type === undefined) database.exec(`ALTER TABLE ${quote(name)} ADD COLUMN ${define(column)}`)
    else if (!['INTEGER', 'TEXT', 'ANY'].includes(type))
      throw isForeign(path, `the column ${column.name} of its table ${name} is ${type}`)
  }

  if (key.length > 0)
    database.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${quote(`${name} key`)} ON ${quote(name)}(${toKey(key)})`)
  return wanted.map((column) => ({...column, ...(found.get(column.name.toLowerCase()) as TableColumn | undefined)}))
}

/** The statement that adds a row, or updates the row of the same key in the given columns. */
export function toUpsert({name, key}: Table, columns: readonly TableColumn[]): string {
  const names = columns.map((column) => quote(column.name))
  const updates = names.map((column) => `${column}=excluded.${column}`)
  const values = names.map(() => '?').join(',')
  const rows = `INSERT INTO ${quote(name)}(${names.join(',')}) VALUES(${values})`
  if (key.length === 0) return rows
  return `${rows} ON CONFLICT(${toKey(key)}) DO UPDATE SET ${updates.join(',')}`
}

export function countRows(database: Database, {name}: Table): number {
  return Number(database.get(`SELECT count(*) AS rows FROM ${quote(name)}`)?.['rows'])
}

/** Names of columns that differ by more than case, which SQLite ignores; a NUL, which ends a statement, is replaced. */
export function toDistinctNames(columns: readonly Column[]): string[] {
  const usedNames = new Set<string>()
  return columns.map((column) => {
    const name = column.name.replaceAll('\0', '\u2400')
    let distinct = name
    for (let number = 2; usedNames.has(distinct.toLowerCase()); number++) distinct = `${name} ${number}`
    usedNames.add(distinct.toLowerCase())
    return distinct
  })
}

function define({name, type}: TableColumn): string {
  return `${quote(name)} ${type}`
}

/** A missing part of a key counts as one value, so that a batch without line items is one row, however often it comes. */
function toKey(key: readonly string[]): string {
  return key.map((column) => `ifnull(${quote(column)},'')`).join(',')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function toTableColumn({name, type}: Row): [string, TableColumn] {
  return [String(name).toLowerCase(), {name: String(name), type: String(type) as CellType}]
}
