import {CliFailure} from '../core/errors.js'
import {type Database, openDatabase} from '../core/sqlite.js'
import type {MirrorColumn, MirrorKind} from '../derive/mirror/column-types.js'
import {findingQuery} from '../derive/mirror/upgrade.js'
import {meanings} from '../formats/files/database-failure.js'
import {toFileFailure} from '../formats/files/file-failure.js'
import {endMask, kindShift, nullToken, numberToken, TokenCells, textToken} from '../formats/scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../formats/write/plain-digits.js'
import {type CellType, createSqliteCell, type SqliteCell} from '../formats/write/sqlite-cells.js'
import type {JsonValue} from '../values/json.js'
import {fits, type LoadTable, type LoadTables, type RowTarget} from './load/load-table.js'
import {mergeStage} from './load/merge-stage.js'
import {type Loader, type MirrorDatabase, quote, type Statements, stageOf, type Value} from './load/mirror-database.js'
import {createTableFiller} from './load/record-rows.js'

/** Memory for pages of tables and indexes, and once more while an index is made. */
const cacheKibibytes = 16_384
const busyMilliseconds = 5_000

/** Opens the file, which is made when it is not there. Throws a `CliFailure`. */
export function openSqliteMirror(path: string): MirrorDatabase {
  const guard = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw toMirrorFailure(error, path)
    }
  }
  const database = guard(() => openDatabase(path, {cacheKibibytes, busyMilliseconds}))
  try {
    guard(() => database.exec('PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF'))
  } catch (error) {
    database.close()
    throw error
  }
  const toParameter = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)
  const db: MirrorDatabase = {
    dialect: 'sqlite',
    name: path,
    all: async (sql, ...values) => guard(() => database.all(sql, ...values.map(toParameter))),
    run: async (sql, ...values) => guard(() => database.run(sql, ...values.map(toParameter))),
    async transaction(work) {
      guard(() => database.exec('BEGIN IMMEDIATE'))
      try {
        const result = await work()
        guard(() => database.exec('COMMIT'))
        return result
      } catch (error) {
        database.rollBack()
        throw error
      }
    },
    table: quote,
    async define(statements) {
      for (const statement of statements) guard(() => database.run(statement))
    },
    find: async () => guard(() => database.all(findingQuery('sqlite'))),
    openLoader: async (tables, look) => openSqliteLoader({database, db, guard}, tables, look),
    close: async () => database.close(),
  }
  return db
}

export type Opened = {database: Database; db: Statements; guard: <Result>(work: () => Result) => Result}

/** Rows go into the stage while pages come, in a transaction that stays open until they are compared and kept. */
function openSqliteLoader({database, db, guard}: Opened, tables: LoadTables, look: readonly string[]): Loader {
  for (const {name} of tables.lines ? [tables.records, tables.lines] : [tables.records]) {
    const stage = quote(stageOf(name))
    guard(() =>
      database.exec(
        `DROP TABLE IF EXISTS temp.${stage}; CREATE TEMP TABLE ${stage} AS SELECT * FROM ${quote(name)} WHERE 0`,
      ),
    )
  }
  const {split, filled, take, fill} = createTableFiller(tables, look, (table) =>
    createSqliteRows(database, table, stageOf(table.name)),
  )
  let isOpen = false
  let waiting = 0

  return {
    split,
    get waiting() {
      return waiting
    },
    page(page, wanted) {
      const ready = take(page, wanted)
      begin()
      const {bytes, ...found} = fill(ready, (work) => guard(() => putPage(work)))
      waiting += bytes
      return found
    },
    spill: async () => undefined,
    async keep({now, gone, alsoWrite}) {
      begin()
      try {
        const changes = await mergeStage(db, tables, {now, gone})
        await alsoWrite?.()
        guard(() => {
          for (const {table} of filled) database.exec(`DELETE FROM temp.${quote(stageOf(table.name))}`)
          database.exec('COMMIT')
        })
        settle()
        return changes
      } catch (error) {
        database.rollBack()
        settle()
        throw error
      }
    },
    async forget() {
      if (isOpen) database.rollBack()
      settle()
    },
  }

  function begin(): void {
    if (!isOpen) guard(() => database.exec('BEGIN IMMEDIATE'))
    isOpen = true
  }

  function settle(): void {
    isOpen = false
    waiting = 0
  }

  function putPage(work: () => void): void {
    for (const {target} of filled) target.clear() // rows of a page before that failed
    work()
    for (const {target} of filled) target.flush()
  }
}

const types: Readonly<Record<MirrorKind, CellType>> = {
  integer: 'INTEGER',
  boolean: 'INTEGER',
  decimal: 'ANY',
  text: 'TEXT',
  utcTime: 'TEXT',
  localTime: 'TEXT',
  json: 'TEXT',
}

/** Rows of one table on their way; those that wait are put with `flush`, or forgotten with `clear`. */
export type SqliteRows = RowTarget & {flush(): void; clear(): void}

/** Rows are inserted together: a statement for each would take longer than the insert itself. */
const rowsPerStatement = 8

/** Inserts rows into the table `name`. An error of SQLite about a row may be thrown when a later one ends. */
function createSqliteRows(database: Database, {columns}: LoadTable, name: string): SqliteRows {
  const names = [...columns.map((column) => column.name), 'extra']
  const width = names.length
  const insert = `INSERT INTO ${quote(name)}(${names.map(quote).join(',')}) VALUES`
  const tuple = `(${names.map(() => '?').join(',')})`
  const statements = new Map<number, string>()
  const cells: SqliteCell[] = new Array<SqliteCell>(width * rowsPerStatement).fill(null)
  let row = 0
  const toCell = createSqliteCell()
  const tokenCells = columns.map(({kind}) => new TokenCells((value) => toFittingCell(kind, value)))
  const kinds = columns.map(({kind}: MirrorColumn) => kind)

  return {
    token(column, bytes, integers, at) {
      const packed = integers[at + 1] as number
      const kind = packed >>> kindShift
      if (kind === nullToken) {
        cells[row + column] = null
        return true
      }
      const from = integers[at] as number
      const end = packed & endMask
      const columnKind = kinds[column]
      if (kind === numberToken && columnKind === 'integer') {
        const whole = toPlainInteger(bytes, from, end)
        if (!Number.isNaN(whole)) {
          cells[row + column] = whole
          return true
        }
      } else if (kind === textToken && (columnKind === 'utcTime' || columnKind === 'localTime')) {
        if (!Number.isNaN(toPlainMicroseconds(bytes, from, end))) {
          cells[row + column] = bytes.toString('latin1', from, end)
          return true
        }
      }
      return set(column, (tokenCells[column] as TokenCells<SqliteCell | undefined>).at(bytes, integers, at))
    },
    value: (column, value) => set(column, toFittingCell((columns[column] as MirrorColumn).kind, value)),
    empty(column) {
      cells[row + column] = null
    },
    end(extra) {
      cells[row + width - 1] = extra
      row += width
      if (row === cells.length) flush()
    },
    flush,
    clear() {
      row = 0
    },
  }

  function flush(): void {
    if (row === 0) return
    const ready = row === cells.length ? cells : cells.slice(0, row)
    const count = row / width
    row = 0
    database.get(toStatement(count), ...ready) // `run` makes an object for each statement
  }

  function toStatement(count: number): string {
    const known = statements.get(count)
    if (known !== undefined) return known
    const text = insert + new Array<string>(count).fill(tuple).join(',')
    statements.set(count, text)
    return text
  }

  function set(column: number, cell: SqliteCell | undefined): boolean {
    cells[row + column] = cell ?? null
    return cell !== undefined
  }

  function toFittingCell(kind: MirrorKind, value: JsonValue): SqliteCell | undefined {
    return fits(kind, value) ? toCell(types[kind], value) : undefined
  }
}

const resumes = 'What was kept before is complete; the same command resumes.'

/** By primary result code of SQLite. */
const hints: Readonly<Record<number, string>> = {
  5: 'Run again when it has ended.',
  6: 'Run again when it has ended.',
  8: 'Make the file writable, or name another with --db.',
  10: `Check the disk. ${resumes}`,
  13: `Free some space. ${resumes}`,
  14: 'Check the folder and its permissions, or name another with --db.',
  26: 'Name another file with --db.',
}
const elsewhere = 'Sync into another file with --db.'

/** An error of SQLite or the system, as a failure that names the mirror. */
function toMirrorFailure(error: unknown, path: string): unknown {
  const {errcode, message = ''} = (error ?? {}) as {errcode?: number; message?: string}
  if (errcode === undefined) return error instanceof CliFailure ? error : toFileFailure(error, path)
  const primary = errcode & 0xff
  const refused = {words: `SQLite refused a statement: ${message}`, code: 'STORAGE_ERROR'} as const
  const {words, code} = meanings[primary] ?? refused
  return new CliFailure(`${path}: ${words}.`, {
    code,
    retry: 'safe',
    hints: [hints[primary] ?? elsewhere],
    cause: error,
  })
}
