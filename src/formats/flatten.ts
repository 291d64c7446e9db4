import {isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../values/json.js'
import {createColumnTree, visitFields} from './column-tree.js'
import {type Column, toColumnName} from './columns.js'

/** The values of one record in the order of columns; undefined where the record has no such field. */
export type Cells = (JsonValue | undefined)[]

/** Counts, by column name, the values that no column shows. */
export type Lost = Map<string, number>

/**
 * Lays records along columns. A field that no column shows is counted in `lost` when it holds a value other than
 * null, if `lost` is given.
 */
export function createFlatten(columns: readonly Column[]): (record: JsonRecord, lost?: Lost) => Cells {
  const tree = createColumnTree(columns)
  return (record, lost) => {
    const cells: Cells = new Array(columns.length).fill(undefined)
    visitFields(
      tree,
      record,
      (place, value) => {
        if (cells[place] !== undefined) return false
        cells[place] = value
        return true
      },
      (path, value) => {
        if (lost && value !== null) count(lost, toColumnName(path))
      },
    )

    return cells
  }
}

/**
 * The text of a cell: texts as they are, numbers digit for digit, objects and lists as JSON; undefined for null and
 * for a field that is absent.
 */
export function toCellText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return Array.isArray(value) || isRecord(value) ? printJson(value) : numberText(value)
}

/** Names of fields that are counted one by one. */
const maximumLost = 2_000

function count(lost: Lost, name: string): void {
  const counted = lost.has(name) || lost.size < maximumLost ? name : 'others'
  lost.set(counted, (lost.get(counted) ?? 0) + 1)
}
