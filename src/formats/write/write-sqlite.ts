import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {thousands} from '../../values/thousands.js'
import type {Column} from '../columns.js'
import {toDatabaseFailure} from '../files/database-failure.js'
import type {DatabaseFile} from '../files/database-file.js'
import {createFlatten} from '../flatten.js'
import {doesNotFit} from './does-not-fit.js'
import type {RowWriter} from './file-writer.js'
import {type CellType, cellTypeOf, createSqliteCell, type SqliteCell} from './sqlite-cells.js'
import {countRows, openTable, type Table, toDistinctNames, toUpsert} from './sqlite-table.js'

/**
 * Writes rows into a table: a row whose key is there already is updated, so that the same read again doubles nothing.
 * Times are text as they came, truth values 1 and 0. Throws a `CliFailure` for a row without key, for two rows of one
 * record with the same key, and for a value that a column of an older table cannot hold.
 */
export async function writeSqlite(
  {database, path}: DatabaseFile,
  columns: readonly Column[],
  held: readonly JsonRecord[],
  table: Table,
): Promise<RowWriter> {
  const flatten = createFlatten(columns)
  const names = toDistinctNames(columns)
  const toSqliteCell = createSqliteCell()
  const types = settleTypes()
  const wanted = names.map((name, place) => ({name, type: types[place] as CellType}))
  const opened = await guard(path, () => openTable(database, table, wanted, path))
  const upsert = toUpsert(table, opened)
  const before = countRows(database, table)
  const checkKey = createKeyCheck(
    table.key.map((name) => names.indexOf(name)),
    table.name,
  )
  const notes: string[] = []
  let rows = 0

  return {
    rows: (records, lost) =>
      guard(path, () => {
        for (const record of records) {
          const cells = flatten(record, lost).map(toCell)
          checkKey(cells)
          database.run(upsert, ...cells)
          rows++
        }
      }),
    async end() {
      const added = countRows(database, table) - before
      notes.push(`Table ${table.name}: ${counted(added, 'row')} added, ${thousands(rows - added)} updated.`)
    },
    notes,
  }

  function toCell(value: JsonValue | undefined, place: number): SqliteCell {
    if (value === undefined || value === null) return null
    const {type, name} = opened[place] as (typeof opened)[number]
    const cell = toSqliteCell(type, value)
    if (cell === undefined) throw doesNotFit('sqlite', name, value, `the column of this database is ${type}`)
    return cell
  }

  /** A column in which a held value is not what its kind promises takes every value. */
  function settleTypes(): CellType[] {
    const settled = columns.map(cellTypeOf)
    for (const record of held) {
      for (const [place, value] of flatten(record).entries()) {
        const type = settled[place] as CellType
        if (value !== undefined && value !== null && toSqliteCell(type, value) === undefined) settled[place] = 'ANY'
      }
    }

    return settled
  }
}

/** Rows of one record come one after the other: the same key twice among them would lose one. */
function createKeyCheck(places: readonly number[], table: string): (cells: readonly SqliteCell[]) => void {
  const [first = 0] = places
  let record: SqliteCell = null
  let known = new Set<string>()
  return (cells) => {
    const id = cells[first] ?? null
    if (id === null) throw keyFailure(table, 'a row has no id')
    if (id !== record) known = new Set()
    record = id
    const key = places.map((place) => String(cells[place])).join(' ')
    if (places.length > 1 && known.has(key)) throw keyFailure(table, `two rows have the same key (${key})`)
    known.add(key)
  }
}

function keyFailure(table: string, what: string): CliFailure {
  return new CliFailure(`sqlite cannot keep the rows of ${table} apart: ${what}`, {
    code: 'KEY_NOT_UNIQUE',
    exit: 'incomplete',
    hints: ['Write csv or ndjson, which keep every row.'],
  })
}

async function guard<Result>(path: string, work: () => Result): Promise<Result> {
  try {
    return work()
  } catch (error) {
    throw toDatabaseFailure(error, path)
  }
}
