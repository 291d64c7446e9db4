import {isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../values/json.js'
import {type Column, toColumnName} from './columns.js'

/** The values of one record in the order of columns; undefined where the record has no such field. */
export type Cells = (JsonValue | undefined)[]

/** Counts, by column name, the values that no column shows. */
export type Lost = Map<string, number>

/**
 * Cells of records, in the order of columns. A field that no column shows is counted in `lost` when it has a value
 * other than null, if `lost` is given.
 */
export function createFlatten(columns: readonly Column[]): (record: JsonRecord, lost?: Lost) => Cells {
  const tree = createColumnTree(columns)
  return (record, lost) => {
    const cells: Cells = new Array(columns.length).fill(undefined)
    layCells(tree, record, cells, (path, value) => {
      if (lost && value !== null) count(lost, toColumnName(path))
    })
    return cells
  }
}

/** Puts the values of a record into cells; a value without a cell, or for one that is filled, goes to `onOther`. */
export function layCells(tree: ColumnTree, record: JsonRecord, cells: Cells, onOther: OnOther): void {
  const fill = (place: number, value: JsonValue) => {
    if (cells[place] !== undefined) return false
    cells[place] = value
    return true
  }
  visitFields(tree, record, fill, onOther)
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

/** Most field names that are counted one by one; the rest count as `others`. */
const maximumLost = 2_000

function count(lost: Lost, name: string): void {
  const counted = lost.has(name) || lost.size < maximumLost ? name : 'others'
  lost.set(counted, (lost.get(counted) ?? 0) + 1)
}

/** The columns as a tree of field names, so that one walk over a record meets every field once. */
export type ColumnTree = {
  readonly path: readonly string[]
  /** Place of the column that shows this field; undefined when only fields below it are shown. */
  place: number | undefined
  readonly children: Map<string, ColumnTree>
  /** Lower case to the spelling of `children`. */
  readonly folded: Map<string, string>
}

export function createColumnTree(columns: readonly Column[]): ColumnTree {
  const root = createNode([])
  columns.forEach(({path}, place) => {
    let node = root
    for (const name of path) node = grow(node, name)
    node.place ??= place
  })

  return root
}

type OnOther = (path: readonly string[], value: JsonValue) => void

/**
 * Meets every field of a record: those with a column, and the others with their path. Names are matched exactly, then
 * without regard to case; of two spellings of one name, the second is a field without a column. The value of a field
 * without a column is an object only when that is empty.
 */
export function visitFields(
  tree: ColumnTree,
  record: JsonRecord,
  onCell: (place: number, value: JsonValue) => boolean,
  onOther: OnOther,
): void {
  for (const name of Object.keys(record)) {
    const value = record[name] as JsonValue
    const node = findChild(tree, record, name)
    if (!node) visitOther([...tree.path, name], value, onOther)
    else if (node.children.size > 0 && isRecord(value)) visitFields(node, value, onCell, onOther)
    else if (node.place !== undefined) {
      if (!onCell(node.place, value)) onOther([...tree.path, name], value)
    } else if (value !== null) onOther(node.path, value)
  }
}

function visitOther(path: readonly string[], value: JsonValue, onOther: OnOther): void {
  const fields = isRecord(value) ? Object.entries<JsonValue>(value) : []
  if (fields.length === 0) onOther(path, value)
  for (const [name, field] of fields) visitOther([...path, name], field, onOther)
}

function findChild(tree: ColumnTree, record: JsonRecord, name: string): ColumnTree | undefined {
  const exact = tree.children.get(name)
  if (exact) return exact
  const spelling = tree.folded.get(name.toLowerCase())
  return spelling === undefined || Object.hasOwn(record, spelling) ? undefined : tree.children.get(spelling)
}

function grow(parent: ColumnTree, name: string): ColumnTree {
  const known = parent.children.get(name)
  if (known) return known
  const node = createNode([...parent.path, name])
  parent.children.set(name, node)
  if (!parent.folded.has(name.toLowerCase())) parent.folded.set(name.toLowerCase(), name)
  return node
}

function createNode(path: readonly string[]): ColumnTree {
  return {path, place: undefined, children: new Map(), folded: new Map()}
}
