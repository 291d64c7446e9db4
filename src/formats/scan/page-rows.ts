import type {JsonRecord} from '../../values/json.js'
import {type Column, toColumnName} from '../columns.js'
import type {RowMatch} from '../conditions.js'
import type {Lost} from '../flatten.js'
import {type ColumnTree, createColumnTree} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {integersPerRecord, notCompact, type ScannedPage, unscanned} from './page-elements.js'
import type {Field, Shapes} from './page-shapes.js'
import {endMask, kindShift, nullToken} from './page-tokens.js'
import {createPrintedRows, type RowVisitor} from './printed-rows.js'
import {parseRecord} from './record-scan.js'
import {TokenCells} from './token-cells.js'

export type PageRows = {
  /** Places in `columns` of those that come from the record itself, and of those that come from its lines. */
  readonly recordColumns: readonly number[]
  readonly lineColumns: readonly number[]
  /**
   * Rows visited, at most `most`; 0 when the conditions leave none. The cells of a record without a plan are printed again, and stand in
   * a page of their own. Throws `RecordProblem` for an element that is none.
   */
  visit(page: ScannedPage, index: number, visitor: RowVisitor, lost: Lost, most?: number): number
  /** The same; -1 when the record has no plan: then nothing was visited and nothing added to `lost`. */
  visitPlanned(page: ScannedPage, index: number, visitor: RowVisitor, lost: Lost, most?: number): number
  /** The same of a record that is in no page. */
  visitRecord(record: JsonRecord, visitor: RowVisitor, lost: Lost, most?: number): number
}

/** Columns side by side that come from the same object, the record itself or one of its lines; places among those. */
export type Run = {readonly ofLine: boolean; readonly from: number; to: number}

/** All columns, in order. */
export function toRuns({recordColumns, lineColumns}: PageRows): Run[] {
  const runs: Run[] = []
  const passed = {line: 0, record: 0}
  for (let place = 0; place < recordColumns.length + lineColumns.length; place++) {
    const ofLine = lineColumns[passed.line] === place
    const from = ofLine ? passed.line++ : passed.record++
    const last = runs.at(-1)
    if (last?.ofLine === ofLine) last.to = from + 1
    else runs.push({ofLine, from, to: from + 1})
  }

  return runs
}

/** Only counts. */
export const noVisitor: RowVisitor = {record: () => undefined, row: () => undefined}

export type PageRowsOptions = {
  columns: readonly Column[]
  lines: LineNames | undefined
  countsLost: boolean
  shapes: Shapes
  /** Conditions on lines: rows that do not satisfy them are not visited. */
  match?: RowMatch | undefined
  /** A record with a field that no column shows has no plan, whatever its value. */
  knownOnly?: boolean
}

type RowPlan = Plan & {readonly size: number}

/**
 * Finds the cells of rows among tokens, and makes no objects. Time: constant for each row, and a plan for each shape;
 * memory: those plans.
 */
export function createPageRows({columns, lines, countsLost, shapes, match, knownOnly}: PageRowsOptions): PageRows {
  const tree = createColumnTree(columns)
  const places = [...columns.keys()]
  const isOfLine = (place: number) => lines !== undefined && columns[place]?.path[0] === lines.line
  const lineColumns = places.filter(isOfLine)
  const recordColumns = places.filter((place) => !isOfLine(place))
  const noLine = new Int32Array(lineColumns.length).fill(-1)
  const recordPlans: (RowPlan | null)[] = []
  const itemPlans: (RowPlan | null)[] = []
  const lineMatch = match && lines ? createLineMatch(match, lines.line, shapes) : undefined
  const keptWithoutLines = Number(match?.tests.every((test) => test(undefined)) ?? true)
  /** Where the lines begin that are visited. */
  let chosen = new Int32Array(1 << 4)
  const isPlain = match?.isPlain ?? true
  const visitRecord = createPrintedRows({columns, recordColumns, lineColumns, lines, match, countsLost})

  return {
    recordColumns,
    lineColumns,
    visit(page, index, visitor, lost, most) {
      const rows = visitPlanned(page, index, visitor, lost, most)
      return rows >= 0 ? rows : visitRecord(parseRecord(page, index), visitor, lost, most)
    },
    visitPlanned,
    visitRecord,
  }

  function visitPlanned(
    page: ScannedPage,
    index: number,
    visitor: RowVisitor,
    lost: Lost,
    most = Number.POSITIVE_INFINITY,
  ): number {
    const {records, tokens, items} = page
    const place = index * integersPerRecord
    const shape = records[place + 2] as number
    const first = records[place + 3] as number
    const plan = shape === unscanned || !isPlain ? null : recordPlanOf(shape & ~notCompact)
    if (plan === null || !areNull(plan.nulls, tokens, first)) return -1

    const count = plan.list < 0 ? 0 : (tokens[first + plan.list + 1] as number) & endMask
    const isEmpty = count === 0
    const found = isEmpty ? keptWithoutLines : choose(page, tokens[first + plan.list] as number, count)
    if (found <= 0) return found
    const rows = Math.min(found, most)

    if (plan.others.length > 0) countOthers(plan.others, tokens, first, rows, lost)
    visitor.record(page, first, plan.cells)
    if (isEmpty) visitor.row(page, 0, noLine)
    for (let row = 0; row < rows && !isEmpty; row++) {
      const item = chosen[row] as number
      const {cells, others} = itemPlans[items[item] as number] as RowPlan
      if (others.length > 0) countOthers(others, items, item + 1, 1, lost)
      visitor.row(page, item + 1, cells)
    }

    return rows
  }

  /** Finds the lines that are visited, of so many; -1 when one of them has no plan. */
  function choose({bytes, items}: ScannedPage, start: number, count: number): number {
    if (chosen.length < count) chosen = new Int32Array(count * 2)
    let rows = 0
    let item = start
    for (let line = 0; line < count; line++) {
      const plan = itemPlanOf(items[item] as number)
      if (plan === null || !areNull(plan.nulls, items, item + 1)) return -1
      const verdict = lineMatch ? lineMatch(bytes, items, item) : lineKept
      if (verdict === lineUnscanned) return -1
      if (verdict === lineKept) chosen[rows++] = item
      item += 1 + plan.size
    }

    return rows
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
    if (!plan || (knownOnly && plan.others.length > 0)) return null
    return {
      ...plan,
      cells: Int32Array.from(shown, (place) => plan.cells[place] as number),
      size: shapes.sizeOf(shape),
    }
  }
}

function countOthers(others: Plan['others'], integers: Int32Array, first: number, times: number, lost: Lost): void {
  for (const {offset, name} of others) {
    if (kindOf(integers, first + offset) !== nullToken) lost.set(name, (lost.get(name) ?? 0) + times)
  }
}

function kindOf(integers: Int32Array, place: number): number {
  return (integers[place + 1] as number) >>> kindShift
}

/** What a line is to conditions. */
const lineLeft = 0
const lineKept = 1
/** Only its record tells. */
const lineUnscanned = -1

/** Asks the conditions of the line that begins at `item` among the items of a page. */
type LineMatch = (bytes: Buffer, items: Int32Array, item: number) => number

/** Conditions on lines that stand as tokens; the field `line` of a row holds them. Time: one look per condition. */
function createLineMatch({columns, tests}: RowMatch, line: string, shapes: Shapes): LineMatch {
  const tree = createColumnTree(columns)
  const plans: (Plan | null)[] = []
  const ofNothing = tests.map((test) => test(undefined))
  const verdicts = tests.map((test) => new TokenCells<boolean>(test))

  return (bytes, items, item) => {
    const plan = planOf(items[item] as number)
    if (plan === null || !areNull(plan.nulls, items, item + 1)) return lineUnscanned
    for (let at = 0; at < verdicts.length; at++) {
      const offset = plan.cells[at] as number
      const isMet = offset < 0 ? ofNothing[at] : verdicts[at]?.at(bytes, items, item + 1 + offset)
      if (!isMet) return lineLeft
    }
    return lineKept
  }

  function planOf(shape: number): Plan | null {
    const known = plans[shape]
    if (known !== undefined) return known
    const fields = shapes.fieldsOf(shape)
    const asked = {tree, columns: columns.length, under: [line], lines: undefined, countsOthers: false}
    plans[shape] = toPlan(fields, asked) ?? null
    return plans[shape]
  }
}

/** Where the cells of a row stand among the tokens of an object of one shape. */
type Plan = {
  /** For each column the offset of its token; -1 for an empty cell. */
  readonly cells: Int32Array
  /** The offset of the list that is spread over lines; -1 when the shape has none. */
  readonly list: number
  /** Tokens that must be null: objects of the contract that came as something else are for the reference to lay out. */
  readonly nulls: Int32Array
  /** Values without a column. */
  readonly others: readonly {offset: number; name: string}[]
}

type PlanOptions = {
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
function toPlan(fields: readonly Field[], options: PlanOptions): Plan | undefined {
  const {under, columns, lines, countsOthers} = options
  const cells = new Int32Array(columns).fill(-1)
  const nulls: number[] = []
  const others: {offset: number; name: string}[] = []
  let list = -1

  const self: Field = {kind: fields.length > 0 ? 'object' : 'empty', path: [], offset: 0}
  for (const {kind, path, offset} of under.length > 0 ? [self, ...fields] : fields) {
    const spread = lines ? roleOf(path, lines) : 'none'
    if (spread === 'otherCase' || (spread === 'list' && (kind === 'object' || kind === 'empty'))) return undefined
    if (spread === 'list') {
      if (kind === 'list') list = offset
      else nulls.push(offset)
      continue
    }

    const full = [...under, ...path]
    const found = findNode(options.tree, full)
    if (found === 'otherCase' || (found?.place !== undefined && found.children.size > 0)) return undefined
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

/** What a field of a record means for lines: their list, nothing, or a name that only its record explains. */
function roleOf(path: readonly string[], {list, line}: LineNames): 'list' | 'otherCase' | 'none' {
  const [name = ''] = path
  if (path.length === 1 && name === list) return 'list'
  return name === line || (path.length === 1 && name.toLowerCase() === list.toLowerCase()) ? 'otherCase' : 'none'
}

/** The node of exactly this path; `otherCase` when a name differs from that of a column in case only. */
function findNode(tree: ColumnTree, path: readonly string[]): ColumnTree | 'otherCase' | undefined {
  let node = tree
  for (const name of path) {
    const child = node.children.get(name)
    if (child === undefined) return node.folded.has(name.toLowerCase()) ? 'otherCase' : undefined
    node = child
  }

  return node
}

/** Whether the tokens at these offsets from `first` are null. */
function areNull(offsets: Int32Array, integers: Int32Array, first: number): boolean {
  for (let at = 0; at < offsets.length; at++) {
    if ((integers[first + (offsets[at] as number) + 1] as number) >>> kindShift !== nullToken) return false
  }

  return true
}
