import {CliFailure} from '../../core/errors.js'
import {counted, thousands} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import {type Column, findColumns} from '../columns.js'
import {toDatabaseFailure} from '../files/database-failure.js'
import type {DatabaseFile} from '../files/database-file.js'
import {cellVisitor, type PageRows, type RowVisitor} from '../scan/page-renderer.js'
import {doesNotFit} from './does-not-fit.js'
import type {FileTo, OpenRows, RowWriter, Sample} from './file-writer.js'
import {
  type CellType,
  cellTypeOf,
  createSqliteCell,
  createTokenCell,
  type SqliteCell,
  type TokenCell,
} from './sqlite-cells.js'
import {countRows, openTable, type Table, type TableColumn, toDistinctNames, toUpsert} from './sqlite-table.js'

/**
 * The format of databases. Throws a `CliFailure` (usage) when columns are chosen without those by which a database knows
 * a row again.
 */
export function sqliteRows(to: FileTo): OpenRows {
  checkChosen(to)
  const {
    target: {database},
    table,
  } = to
  if (!database) throw new Error('a database has a target of its own')
  return (columns, sample) => writeSqlite(database, columns, sample, table)
}

function checkChosen({columns, chosen, table}: FileTo): void {
  if (chosen === undefined) return
  const names = chosen.flatMap((name) => findColumns(columns, name)).map(({name}) => name)
  const missing = table.key.filter((name) => !names.includes(name))
  if (missing.length === 0) return
  throw new CliFailure(
    `sqlite knows rows again by ${table.key.join(' and ')}: --columns leaves out ${missing.join(', ')}`,
    {code: 'KEY_MISSING', hints: [`Add to --columns: ${missing.join(',')}`]},
  )
}

/**
 * Writes rows into a table: a row whose key is there already is updated, so that the same read again doubles nothing.
 * Times are text as they came, truth values 1 and 0. Throws a `CliFailure` for a row without key, for two rows of one
 * record with the same key, and for a value that a column of an older table cannot have. Time: linear in cells, and for
 * each row a search among the keys; memory: a few cells of each column, and the keys of one record.
 */
export async function writeSqlite(
  {database, path}: DatabaseFile,
  columns: readonly Column[],
  sample: Sample,
  table: Table,
): Promise<RowWriter> {
  const names = toDistinctNames(columns)
  const toSqliteCell = createSqliteCell()
  const types = settleTypes()
  const wanted = names.map((name, place) => ({name, type: types[place] as CellType}))
  const opened = open()
  const upsert = toUpsert(table, opened)
  const before = countRows(database, table)
  const keyPlaces = table.key.map((name) => names.indexOf(name))
  const checkKey = keyPlaces.length > 0 ? createKeyCheck(keyPlaces, table.name) : () => undefined
  const notes: string[] = []
  let rows = 0

  return {
    visitor,
    async end() {
      const added = countRows(database, table) - before
      notes.push(`Table ${table.name}: ${counted(added, 'row')} added, ${thousands(rows - added)} updated.`)
    },
    notes,
  }

  /** Fills the same array for every row. */
  function visitor(pageRows: PageRows): RowVisitor {
    const row: SqliteCell[] = columns.map(() => null)
    const make = opened.map(({type}, place) => createTokenCell(type, (value) => toCell(value, place)))
    return cellVisitor(
      pageRows,
      (column, bytes, integers, at) => {
        row[column] = at < 0 ? null : (make[column] as TokenCell)(bytes, integers, at)
      },
      () => add(row),
    )
  }

  function add(cells: readonly SqliteCell[]): void {
    checkKey(cells)
    try {
      database.run(upsert, ...cells)
    } catch (error) {
      throw toDatabaseFailure(error, path)
    }
    rows++
  }

  function toCell(value: JsonValue | undefined, place: number): SqliteCell {
    if (value === undefined || value === null) return null
    const {type, name} = opened[place] as (typeof opened)[number]
    const cell = toSqliteCell(type, value)
    if (cell === undefined) throw doesNotFit('sqlite', name, value, `the column of this database is ${type}`)
    return cell
  }

  function open(): TableColumn[] {
    try {
      return openTable(database, table, wanted, path)
    } catch (error) {
      throw toDatabaseFailure(error, path)
    }
  }

  /** A column in which a value of the sample is not what its kind promises takes every value. */
  function settleTypes(): CellType[] {
    const settled = columns.map(cellTypeOf)
    sample((place, value) => {
      if (toSqliteCell(settled[place] as CellType, value) === undefined) settled[place] = 'ANY'
    })
    return settled
  }
}

/** Checks that rows of one record, which follow each other, have different keys: an upsert would lose one of two. */
function createKeyCheck(
  [first = 0, ...others]: readonly number[],
  table: string,
): (cells: readonly SqliteCell[]) => void {
  const [second = first] = others
  const known = new Set<SqliteCell>()
  let record: SqliteCell = null
  return (cells) => {
    const id = cells[first] ?? null
    if (id === null) throw keyFailure(table, 'a row has no id')
    if (others.length === 0) return
    if (id !== record) known.clear()
    record = id
    const key = others.length === 1 ? toPart(cells[second]) : others.map((place) => toPart(cells[place])).join(' ')
    if (known.has(key)) throw keyFailure(table, `two rows have the same key (${id} ${key})`)
    known.add(key)
  }
}

/** A missing part counts as the empty text, as in the index of the table. */
function toPart(cell: SqliteCell | undefined): SqliteCell {
  return cell ?? ''
}

function keyFailure(table: string, what: string): CliFailure {
  return new CliFailure(`sqlite cannot keep the rows of ${table} apart: ${what}`, {
    code: 'KEY_NOT_UNIQUE',
    hints: ['Write csv or ndjson, which keep every row.'],
  })
}
