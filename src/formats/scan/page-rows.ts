import type {JsonRecord} from '../../values/json.js'
import {type Column, toColumnName} from '../columns.js'
import type {Condition} from '../conditions.js'
import {type ColumnTree, createColumnTree, type Lost} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {integersPerRecord, notCompact, type ScannedPage, unscanned} from './page-elements.js'
import type {Field, Shapes} from './page-shapes.js'
import {endMask, kindShift, nullToken} from './page-tokens.js'
import {createPrintedRows, type RowVisitor, rowsOf} from './printed-rows.js'
import {parseRecord} from './record-scan.js'
import {TokenCells} from './token-cells.js'

/** The rows of records, found among tokens. */
export type PageRows = ReturnType<typeof createPageRows>

/** Adjacent columns from the same object, the record or one of its lines: a range of places among its columns. */
export type Run = {readonly ofLine: boolean; readonly from: number; to: number}

/** All columns, in order, as runs. */
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

/** Puts a cell, whose token begins at `at`; -1 is an empty one. */
export type PutCell = (column: number, bytes: Buffer, integers: Int32Array, at: number) => void

/** A visitor that puts the cells of a record once, and for each of its rows those of the line. */
export function cellVisitor({recordColumns, lineColumns}: PageRows, put: PutCell, endRow: () => void): RowVisitor {
  const putAll = (
    columns: readonly number[],
    bytes: Buffer,
    integers: Int32Array,
    [first, cells]: readonly [number, Int32Array],
  ) => {
    for (let place = 0; place < columns.length; place++) {
      const offset = cells[place] as number
      put(columns[place] as number, bytes, integers, offset < 0 ? -1 : first + offset)
    }
  }
  return {
    record: ({bytes, tokens}, ...cells) => putAll(recordColumns, bytes, tokens, cells),
    row({bytes, items}, first, cells) {
      putAll(lineColumns, bytes, items, [first, cells])
      endRow()
    },
  }
}

/** Places of the rows of a record that has one. */
const onlyRow = [0]

/** Visitor for callers that need only the number of rows. */
export const noVisitor: RowVisitor = {record: () => undefined, row: () => undefined}

export type PageRowsOptions = {
  columns: readonly Column[]
  lines: LineNames | undefined
  countsLost: boolean
  shapes: Shapes
  /** Rows that do not satisfy them are not visited. */
  conditions?: readonly Condition[] | undefined
  /** A record with a field that no column shows has no plan, whatever its value. */
  knownOnly?: boolean
}

/** `asked`: the offsets of the tokens that conditions look at. */
type RowPlan = Plan & {readonly size: number; readonly asked: Int32Array}

/**
 * Finds the cells of rows among tokens, and makes no objects. Time: constant for each row, and a plan for each shape;
 * memory: those plans.
 */
export function createPageRows(options: PageRowsOptions) {
  const {columns, lines, countsLost, shapes, conditions = [], knownOnly} = options
  const tree = createColumnTree(columns)
  const places = [...columns.keys()]
  const isOfLine = (place: number) => lines !== undefined && columns[place]?.path[0] === lines.line
  const lineColumns = places.filter(isOfLine)
  const recordColumns = places.filter((place) => !isOfLine(place))
  const noLine = new Int32Array(lineColumns.length).fill(-1)
  const recordPlans: (RowPlan | null)[] = []
  const itemPlans: (RowPlan | null)[] = []
  const isOnLine = ({column: {path}}: Condition) => path[0]?.toLowerCase() === lines?.line.toLowerCase()
  const askedOfRecord = conditions.filter((one) => !isOnLine(one)).map(toAsked)
  const askedOfLine = conditions.filter(isOnLine).map(toAsked)
  const keptWithoutLines = Number(askedOfLine.every(({ofNothing}) => ofNothing))
  /** First tokens of the lines that are visited, and their numbers. */
  let [chosen, numbers] = [new Int32Array(1 << 4), new Int32Array(1 << 4)]
  const visitRecord = createPrintedRows({columns, recordColumns, lineColumns, lines, conditions, countsLost})

  return {
    /** Places in `columns` of those that come from the record itself, and of those that come from its lines. */
    recordColumns,
    lineColumns,
    visit,
    visitPlanned,
    /** Visits the rows of a record that is in no page. */
    visitRecord,
    placesOf,
    /** The rows of a record of a page as records. */
    records(page: ScannedPage, index: number, most?: number): JsonRecord[] {
      const rows = rowsOf(parseRecord(page, index), lines)
      if (conditions.length === 0) return rows.slice(0, most)
      return placesOf(page, index, most).map((place) => rows[place] as JsonRecord)
    },
  }

  /**
   * Rows visited, at most `most`; 0 when the conditions leave none. The cells of a record without a plan are printed
   * again, to a page of their own. Throws `RecordProblem` for an element that is none.
   */
  function visit(page: ScannedPage, index: number, visitor: RowVisitor, lost: Lost, most?: number): number {
    const rows = visitPlanned(page, index, visitor, lost, most)
    return rows >= 0 ? rows : visitRecord(parseRecord(page, index), visitor, lost, most)
  }

  /** The places of the rows that are visited among all rows of their record. */
  function placesOf(page: ScannedPage, index: number, most?: number): readonly number[] {
    if (lines === undefined && conditions.length === 0) return onlyRow
    const places: number[] = []
    const row: RowVisitor['row'] = (_page, _first, _cells, place) => void places.push(place)
    visit(page, index, {record: () => undefined, row}, new Map(), most)
    return places
  }

  /** Visits as `visit`; -1 when the record has no plan: then nothing was visited and nothing added to `lost`. */
  function visitPlanned(
    page: ScannedPage,
    index: number,
    visitor: RowVisitor,
    lost: Lost,
    most = Number.POSITIVE_INFINITY,
  ): number {
    const {bytes, records, tokens, items} = page
    const place = index * integersPerRecord
    const shape = records[place + 2] as number
    const first = records[place + 3] as number
    const plan = shape === unscanned ? null : recordPlanOf(shape & ~notCompact)
    if (plan === null || !areNull(plan.nulls, tokens, first)) return -1
    if (!areMet(askedOfRecord, plan.asked, bytes, tokens, first)) return 0

    const count = plan.list < 0 ? 0 : (tokens[first + plan.list + 1] as number) & endMask
    const isEmpty = count === 0
    const found = isEmpty ? keptWithoutLines : choose(page, tokens[first + plan.list] as number, count)
    if (found <= 0) return found
    const rows = Math.min(found, most)

    if (plan.others.length > 0) countOthers(plan.others, tokens, first, rows, lost)
    visitor.record(page, first, plan.cells)
    if (isEmpty) visitor.row(page, 0, noLine, 0)
    for (let row = 0; row < rows && !isEmpty; row++) {
      const item = chosen[row] as number
      const {cells, others} = itemPlans[items[item] as number] as RowPlan
      if (others.length > 0) countOthers(others, items, item + 1, 1, lost)
      visitor.row(page, item + 1, cells, numbers[row] as number)
    }

    return rows
  }

  /** Finds the lines that are visited; -1 when one of them has no plan. */
  function choose({bytes, items}: ScannedPage, start: number, count: number): number {
    if (chosen.length < count) [chosen, numbers] = [new Int32Array(count * 2), new Int32Array(count * 2)]
    let rows = 0
    let item = start
    for (let line = 0; line < count; line++) {
      const plan = itemPlanOf(items[item] as number)
      if (plan === null || !areNull(plan.nulls, items, item + 1)) return -1
      if (areMet(askedOfLine, plan.asked, bytes, items, item + 1)) {
        numbers[rows] = line
        chosen[rows++] = item
      }
      item += 1 + plan.size
    }

    return rows
  }

  function recordPlanOf(shape: number): RowPlan | null {
    const known = recordPlans[shape]
    if (known !== undefined) return known
    recordPlans[shape] = planOf(shape, {shown: recordColumns, asked: askedOfRecord, under: [], spread: lines})
    return recordPlans[shape]
  }

  function itemPlanOf(shape: number): RowPlan | null {
    const known = itemPlans[shape]
    if (known !== undefined) return known
    const under = lines ? [lines.line] : []
    itemPlans[shape] = planOf(shape, {shown: lineColumns, asked: askedOfLine, under, spread: undefined})
    return itemPlans[shape]
  }

  function planOf(shape: number, {shown, asked, under, spread}: Planning): RowPlan | null {
    const fields = shapes.fieldsOf(shape)
    const to = {under, lines: spread}
    const plan = toPlan(fields, {...to, tree, columns: columns.length, countsOthers: countsLost})
    const plans = asked.map((one) => toPlan(fields, {...to, tree: one.tree, columns: 1, countsOthers: false}))
    const found = plans.filter((one) => one !== undefined)
    if (!plan || found.length < plans.length || (knownOnly && plan.others.length > 0)) return null
    return {
      ...plan,
      cells: Int32Array.from(shown, (place) => plan.cells[place] as number),
      asked: Int32Array.from(found, ({cells}) => cells[0] as number),
      nulls: Int32Array.from([plan, ...found].flatMap(({nulls}) => [...nulls])),
      size: shapes.sizeOf(shape),
    }
  }
}

/** Parts of a plan for objects of one shape: the columns that they show, and the conditions on them. */
type Planning = {
  shown: readonly number[]
  asked: readonly Asked[]
  under: readonly string[]
  spread: LineNames | undefined
}

function countOthers(others: Plan['others'], integers: Int32Array, first: number, times: number, lost: Lost): void {
  for (const {offset, name} of others) {
    if ((integers[first + offset + 1] as number) >>> kindShift !== nullToken)
      lost.set(name, (lost.get(name) ?? 0) + times)
  }
}

/** A condition, with a cache of its results by token; `ofNothing` is the result for an absent value. */
type Asked = {readonly tree: ColumnTree; readonly cells: TokenCells<boolean>; readonly ofNothing: boolean}

function toAsked({column, holds}: Condition): Asked {
  return {tree: createColumnTree([column]), cells: new TokenCells(holds), ofNothing: holds(undefined)}
}

/** Whether the tokens at these offsets from `first` satisfy the conditions. */
function areMet(asked: readonly Asked[], offsets: Int32Array, bytes: Buffer, integers: Int32Array, first: number) {
  for (let at = 0; at < asked.length; at++) {
    const offset = offsets[at] as number
    const {cells, ofNothing} = asked[at] as Asked
    if (!(offset < 0 ? ofNothing : cells.at(bytes, integers, first + offset))) return false
  }

  return true
}

/** Places of the cells of a row among the tokens of an object of one shape. */
type Plan = {
  /** For each column the offset of its token; -1 for an empty cell. */
  readonly cells: Int32Array
  /** The offset of the list that is spread over lines; -1 when the shape has none. */
  readonly list: number
  /** Tokens that must be null: an object of the contract that came as another value has no plan. */
  readonly nulls: Int32Array
  /** Values without a column. */
  readonly others: readonly {offset: number; name: string}[]
}

type PlanOptions = {
  tree: ColumnTree
  columns: number
  /** Path of the object in a row. */
  under: readonly string[]
  lines: LineNames | undefined
  countsOthers: boolean
}

/**
 * The plan for a shape: what `visitFields` does with every object of it. Undefined when objects of the shape differ in
 * that, or the case is rare: names in other case, objects in one cell.
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

/** The role of a field of a record for lines: their list, none, or a name that only its record explains. */
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
