import type {MirrorColumn, MirrorKind} from '../../derive/mirror/types.js'
import {endMask, kindShift, nullToken, numberToken, TokenCells, textToken} from '../../formats/scan/page-renderer.js'
import {toPlainInteger, toPlainMicroseconds} from '../../formats/write/plain-digits.js'
import {type CellType, createSqliteCell, type SqliteCell} from '../../formats/write/sqlite-cells.js'
import type {JsonValue} from '../../values/json.js'
import {fits} from '../load/fits.js'
import type {LoadTable, RowTarget} from '../load/load-table.js'

const types: Readonly<Record<MirrorKind, CellType>> = {
  integer: 'INTEGER',
  boolean: 'INTEGER',
  decimal: 'ANY',
  text: 'TEXT',
  utcTime: 'TEXT',
  localTime: 'TEXT',
  json: 'TEXT',
}

/** Makes the cells of one row after the other; `put` takes each, in an array that is used again. */
export function createSqliteRows({columns}: LoadTable, put: (cells: readonly SqliteCell[]) => void): RowTarget {
  const row: SqliteCell[] = [...columns, 'extra'].map(() => null)
  const toCell = createSqliteCell()
  const make = columns.map(({kind}) => new TokenCells((value) => toFittingCell(kind, value)))
  const kinds = columns.map(({kind}: MirrorColumn) => kind)

  return {
    token(column, bytes, integers, at) {
      const packed = integers[at + 1] as number
      const kind = packed >>> kindShift
      if (kind === nullToken) {
        row[column] = null
        return true
      }
      const from = integers[at] as number
      const end = packed & endMask
      const held = kinds[column]
      if (kind === numberToken && held === 'integer') {
        const whole = toPlainInteger(bytes, from, end)
        if (!Number.isNaN(whole)) {
          row[column] = whole
          return true
        }
      } else if (kind === textToken && (held === 'utcTime' || held === 'localTime')) {
        if (!Number.isNaN(toPlainMicroseconds(bytes, from, end))) {
          row[column] = bytes.toString('latin1', from, end)
          return true
        }
      }
      return set(column, (make[column] as TokenCells<SqliteCell | undefined>).at(bytes, integers, at))
    },
    value: (column, value) => set(column, toFittingCell((columns[column] as MirrorColumn).kind, value)),
    empty(column) {
      row[column] = null
    },
    end(extra) {
      row[columns.length] = extra
      put(row)
    },
  }

  function set(column: number, cell: SqliteCell | undefined): boolean {
    row[column] = cell ?? null
    return cell !== undefined
  }

  function toFittingCell(kind: MirrorKind, value: JsonValue): SqliteCell | undefined {
    return fits(kind, value) ? toCell(types[kind], value) : undefined
  }
}
