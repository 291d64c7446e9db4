import {createColumnTree} from '../column-tree.js'
import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {integersPerRecord, notCompact, type ScannedPage, unscanned} from './page-elements.js'
import {type Plan, toPlan} from './page-plan.js'
import type {Shapes} from './page-shapes.js'
import {endMask, kindShift, nullToken} from './page-tokens.js'

/** Sees where the cells of rows stand. `cells` is the same array for all objects of one shape. */
export type RowVisitor = {
  /**
   * Once per record, before its rows: `cells[i]` is the offset from `first` in `page.tokens` of the token of column
   * `recordColumns[i]`; -1 is an empty cell.
   */
  record(page: ScannedPage, first: number, cells: Int32Array): void
  /**
   * One row: `cells[i]` is the offset from `first` in `page.items` of column `lineColumns[i]`. A record without lines
   * has one row with all -1.
   */
  row(page: ScannedPage, first: number, cells: Int32Array): void
}

export type PageRows = {
  /** Places in `columns` of those that come from the record itself, and of those that come from its lines. */
  readonly recordColumns: readonly number[]
  readonly lineColumns: readonly number[]
  /**
   * Rows visited; -1 when the record has no plan: nothing was visited and nothing added to `lost`, and the caller takes
   * the way of the reference (`parseRecord`, `toLines`, `flatten`).
   */
  visit(page: ScannedPage, index: number, visitor: RowVisitor, lost: Lost): number
}

export type PageRowsOptions = {
  columns: readonly Column[]
  lines: LineNames | undefined
  countsLost: boolean
  shapes: Shapes
}

type RowPlan = Omit<Plan, 'nulls'> & {readonly nulls: Int32Array; readonly size: number}

/** Finds the cells of rows among tokens, and makes no objects. Time and memory: one plan for each shape. */
export function createPageRows({columns, lines, countsLost, shapes}: PageRowsOptions): PageRows {
  const tree = createColumnTree(columns)
  const places = [...columns.keys()]
  const isOfLine = (place: number) => lines !== undefined && columns[place]?.path[0] === lines.line
  const lineColumns = places.filter(isOfLine)
  const recordColumns = places.filter((place) => !isOfLine(place))
  const noLine = new Int32Array(lineColumns.length).fill(-1)
  const recordPlans: (RowPlan | null)[] = []
  const itemPlans: (RowPlan | null)[] = []

  return {
    recordColumns,
    lineColumns,
    visit(page, index, visitor, lost) {
      const {records, tokens, items} = page
      const place = index * integersPerRecord
      const shape = records[place + 2] as number
      const first = records[place + 3] as number
      const plan = shape === unscanned ? null : recordPlanOf(shape & ~notCompact)
      if (plan === null || !areNull(plan.nulls, tokens, first)) return -1

      const count = plan.list < 0 ? 0 : (tokens[first + plan.list + 1] as number) & endMask
      const start = count === 0 ? 0 : (tokens[first + plan.list] as number)
      if (!havePlans(items, start, count)) return -1

      const rows = Math.max(1, count)
      if (plan.others.length > 0) countOthers(plan.others, tokens, first, rows, lost)
      visitor.record(page, first, plan.cells)
      if (count === 0) visitor.row(page, 0, noLine)
      for (let row = 0, item = start; row < count; row++) {
        const {cells, others, size} = itemPlans[items[item] as number] as RowPlan
        if (others.length > 0) countOthers(others, items, item + 1, 1, lost)
        visitor.row(page, item + 1, cells)
        item += 1 + size
      }

      return rows
    },
  }

  /** Whether each of so many lines has a plan. */
  function havePlans(items: Int32Array, start: number, count: number): boolean {
    for (let row = 0, item = start; row < count; row++) {
      const plan = itemPlanOf(items[item] as number)
      if (plan === null || !areNull(plan.nulls, items, item + 1)) return false
      item += 1 + plan.size
    }

    return true
  }

  function recordPlanOf(shape: number): RowPlan | null {
    const known = recordPlans[shape]
    if (known !== undefined) return known
    recordPlans[shape] = planOf(shape, recordColumns, [], lines)
    return recordPlans[shape]
  }

  function itemPlanOf(shape: number): RowPlan | null {
    const known = itemPlans[shape]
    if (known !== undefined) return known
    itemPlans[shape] = planOf(shape, lineColumns, lines ? [lines.line] : [], undefined)
    return itemPlans[shape]
  }

  function planOf(
    shape: number,
    shown: readonly number[],
    under: readonly string[],
    spread: LineNames | undefined,
  ): RowPlan | null {
    const asked = {tree, columns: columns.length, under, lines: spread, countsOthers: countsLost}
    const plan = toPlan(shapes.fieldsOf(shape), asked)
    if (!plan) return null
    return {
      ...plan,
      cells: Int32Array.from(shown, (place) => plan.cells[place] as number),
      nulls: Int32Array.from(plan.nulls),
      size: shapes.sizeOf(shape),
    }
  }
}

function areNull(offsets: Int32Array, integers: Int32Array, first: number): boolean {
  for (let at = 0; at < offsets.length; at++) {
    if (kindOf(integers, first + (offsets[at] as number)) !== nullToken) return false
  }

  return true
}

function countOthers(others: Plan['others'], integers: Int32Array, first: number, times: number, lost: Lost): void {
  for (const {offset, name} of others) {
    if (kindOf(integers, first + offset) !== nullToken) lost.set(name, (lost.get(name) ?? 0) + times)
  }
}

function kindOf(integers: Int32Array, place: number): number {
  return (integers[place + 1] as number) >>> kindShift
}
