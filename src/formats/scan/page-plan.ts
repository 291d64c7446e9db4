import type {ColumnTree} from '../column-tree.js'
import {toColumnName} from '../columns.js'
import type {LineNames} from '../lines.js'
import type {Field} from './page-shapes.js'
import {kindShift, nullToken} from './page-tokens.js'

/** Where the cells of a row stand among the tokens of an object of one shape. */
export type Plan = {
  /** For each column the offset of its token; -1 for an empty cell. */
  readonly cells: Int32Array
  /** The offset of the list that is spread over lines; -1 when the shape has none. */
  readonly list: number
  /** Tokens that must be null: objects of the contract that came as something else are for the reference to lay out. */
  readonly nulls: Int32Array
  /** Values without a column. */
  readonly others: readonly {offset: number; name: string}[]
}

export type PlanOptions = {
  tree: ColumnTree
  columns: number
  /** Where the object stands in a row. */
  under: readonly string[]
  lines: LineNames | undefined
  countsOthers: boolean
}

/**
 * The plan for a shape: what `visitFields` would do with every object of it, found out once. Undefined when that is
 * not the same for all of them, or is not worth a plan: names in other case, objects in one cell.
 */
export function toPlan(fields: readonly Field[], options: PlanOptions): Plan | undefined {
  const {under, columns, lines, countsOthers} = options
  const cells = new Int32Array(columns).fill(-1)
  const nulls: number[] = []
  const others: {offset: number; name: string}[] = []
  let list = -1

  const self: Field = {kind: fields.length > 0 ? 'object' : 'empty', path: [], offset: 0}
  for (const {kind, path, offset} of under.length > 0 ? [self, ...fields] : fields) {
    const spread = lines ? roleOf(path, lines) : 'none'
    if (spread === 'odd' || (spread === 'list' && (kind === 'object' || kind === 'empty'))) return undefined
    if (spread === 'list') {
      if (kind === 'list') list = offset
      else nulls.push(offset)
      continue
    }

    const full = [...under, ...path]
    const found = findNode(options.tree, full)
    if (found === 'odd' || (found?.place !== undefined && found.children.size > 0)) return undefined
    const hasToken = kind === 'value' || kind === 'list'
    if (found === undefined) {
      if (hasToken) others.push({offset, name: toColumnName(full)})
      else if (kind === 'empty' && countsOthers) return undefined
    } else if (found.place === undefined) {
      if (hasToken) nulls.push(offset)
    } else if (hasToken) cells[found.place] = offset
    else return undefined
  }

  return {cells, list, nulls: Int32Array.from(nulls), others: countsOthers ? others : []}
}

/** What a field of a record means for lines: their list, nothing, or that only the reference knows. */
function roleOf(path: readonly string[], {list, line}: LineNames): 'list' | 'odd' | 'none' {
  const [name = ''] = path
  if (path.length === 1 && name === list) return 'list'
  return name === line || (path.length === 1 && name.toLowerCase() === list.toLowerCase()) ? 'odd' : 'none'
}

/** The node of exactly this path; `odd` when a name differs from that of a column in case only. */
function findNode(tree: ColumnTree, path: readonly string[]): ColumnTree | 'odd' | undefined {
  let node = tree
  for (const name of path) {
    const child = node.children.get(name)
    if (child === undefined) return node.folded.has(name.toLowerCase()) ? 'odd' : undefined
    node = child
  }

  return node
}

/** Whether the tokens at these offsets from `first` are null. */
export function areNull(offsets: Int32Array, integers: Int32Array, first: number): boolean {
  for (let at = 0; at < offsets.length; at++) {
    if ((integers[first + (offsets[at] as number) + 1] as number) >>> kindShift !== nullToken) return false
  }

  return true
}
