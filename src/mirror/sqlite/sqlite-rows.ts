import type {Database} from '../../core/sqlite.js'
import type {MirrorColumn, MirrorKind} from '../../derive/mirror/types.js'
import {endMask, kindShift, nullToken, numberToken, TokenCells, textToken} from '../../formats/scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../../formats/write/plain-digits.js'
import {type CellType, createSqliteCell, type SqliteCell} from '../../formats/write/sqlite-cells.js'
import type {JsonValue} from '../../values/json.js'
import {fits} from '../load/fits.js'
import type {LoadTable, RowTarget} from '../load/load-table.js'
import {quote} from '../load/mirror-database.js'

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

/** A statement for each row costs more than what it does. */
const rowsPerStatement = 8

/** Puts rows into the table of that name, which has the columns of `table`. What SQLite throws is thrown by any row. */
export function createSqliteRows(database: Database, {columns}: LoadTable, name: string): SqliteRows {
  const names = [...columns.map((column) => column.name), 'extra']
  const width = names.length
  const insert = `INSERT INTO ${quote(name)}(${names.map(quote).join(',')}) VALUES`
  const tuple = `(${names.map(() => '?').join(',')})`
  const statements = new Map<number, string>()
  const cells: SqliteCell[] = new Array<SqliteCell>(width * rowsPerStatement).fill(null)
  let row = 0
  const toCell = createSqliteCell()
  const make = columns.map(({kind}) => new TokenCells((value) => toFittingCell(kind, value)))
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
      const held = kinds[column]
      if (kind === numberToken && held === 'integer') {
        const whole = toPlainInteger(bytes, from, end)
        if (!Number.isNaN(whole)) {
          cells[row + column] = whole
          return true
        }
      } else if (kind === textToken && (held === 'utcTime' || held === 'localTime')) {
        if (!Number.isNaN(toPlainMicroseconds(bytes, from, end))) {
          cells[row + column] = bytes.toString('latin1', from, end)
          return true
        }
      }
      return set(column, (make[column] as TokenCells<SqliteCell | undefined>).at(bytes, integers, at))
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
