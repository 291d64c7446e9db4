import {carriageReturn, newline} from '../../values/byte-codes.js'
import {createColumnTree} from '../column-tree.js'
import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import {createFlatten} from '../flatten.js'
import {type LineNames, toLines} from '../lines.js'
import type {Dialect} from '../write/dialect.js'
import {createCellWriter, writeCsv} from '../write/write-csv.js'
import {CellCopier, canCopyCells} from './page-cells.js'
import {integersPerRecord, notCompact, type ScannedPage, unscanned} from './page-elements.js'
import type {PageWriter} from './page-kind.js'
import {PageOutput} from './page-output.js'
import {type Plan, toPlan} from './page-plan.js'
import type {Shapes} from './page-shapes.js'
import {endMask, kindShift, nullToken} from './page-tokens.js'
import {parseRecord} from './record-scan.js'

/** The plan of a shape, and for each run of columns where their tokens are. */
type RowPlan = Plan & {readonly runs: readonly Int32Array[]; readonly size: number}

/** Columns side by side that come from the same object: the record itself, or one of its lines. */
type Run = {readonly ofLine: boolean; readonly places: number[]}

/** Most bytes that a cell takes beyond those it comes from: two quotes, an apostrophe and the delimiter. */
const cellRoom = 4
/** A quote in a text is written twice. */
const growth = 2

export type PageCsvOptions = {
  columns: readonly Column[]
  dialect: Dialect
  lines: LineNames | undefined
  countsLost: boolean
  shapes: Shapes
}

/**
 * Writes rows of separated values from tokens. The columns of a record are written once and copied for each of its
 * lines. A record that has no plan is parsed and goes the way of the reference.
 */
export function createPageCsv({columns, dialect, lines, countsLost, shapes}: PageCsvOptions): PageWriter {
  const cell = createCellWriter(dialect)
  const copier = new CellCopier(dialect, cell)
  const flatten = createFlatten(columns)
  const tree = createColumnTree(columns)
  const canCopy = canCopyCells(dialect)
  const runs = toRuns(columns, lines)
  const nothing = runs.map(({places}) => new Int32Array(places.length).fill(-1))
  const room = columns.length * cellRoom + dialect.lineEnding.length
  const recordPlans: (RowPlan | null)[] = []
  const itemPlans: (RowPlan | null)[] = []
  const heads = new PageOutput()
  const headEnds = runs.map(() => 0)

  return {
    header: writeCsv(columns, dialect).header,
    record(page, index, output, lost) {
      const before = output.at
      const rows = canCopy ? copyRecord(page, index, output, lost) : 0
      if (rows > 0) return rows
      output.at = before
      return byReference(page, index, output, lost)
    },
  }

  function byReference(page: ScannedPage, index: number, output: PageOutput, lost: Lost): number {
    const record = parseRecord(page, index)
    const rows = lines ? [...toLines(record, lines)] : [record]
    for (const row of rows) {
      const cells = flatten(row, countsLost ? lost : undefined)
      output.text(cells.map(cell).join(dialect.delimiter) + dialect.lineEnding)
    }
    return rows.length
  }

  /** Returns how many rows were written; 0 when the record is for the reference, whatever was written until then. */
  function copyRecord(page: ScannedPage, index: number, output: PageOutput, lost: Lost): number {
    const {bytes, records, tokens} = page
    const place = index * integersPerRecord
    const shape = records[place + 2] as number
    const first = records[place + 3] as number
    const plan = shape === unscanned ? null : recordPlanOf(shape & ~notCompact)
    if (!plan || !areNull(plan.nulls, tokens, first)) return 0

    const size = ((records[place + 1] as number) - (records[place] as number)) * growth
    writeHeads(plan, page, first, size)
    const items = plan.list < 0 ? 0 : (tokens[first + plan.list + 1] as number) & endMask
    const rows = Math.max(1, items)
    output.ensure(rows * (heads.at + room) + size)
    const found: Lost = new Map()
    countOthers(plan, tokens, first, rows, found)
    let item = items === 0 ? -1 : (tokens[first + plan.list] as number)
    for (let row = 0; row < rows; row++) {
      const itemPlan = item < 0 ? undefined : itemPlanOf(page.items[item] as number)
      if (itemPlan === null || (itemPlan && !areNull(itemPlan.nulls, page.items, item + 1))) return 0
      writeRow(output, bytes, page.items, item + 1, itemPlan)
      if (!itemPlan) continue
      countOthers(itemPlan, page.items, item + 1, 1, found)
      item += 1 + itemPlan.size
    }

    for (const [name, count] of found) lost.set(name, (lost.get(name) ?? 0) + count)
    return rows
  }

  function writeHeads(plan: RowPlan, page: ScannedPage, first: number, size: number): void {
    heads.at = 0
    heads.ensure(size + room)
    for (let run = 0; run < runs.length; run++) {
      if (!(runs[run] as Run).ofLine) copier.cells(heads, page.bytes, plan.runs[run] as Int32Array, page.tokens, first)
      headEnds[run] = heads.at
    }
  }

  function writeRow(
    output: PageOutput,
    bytes: Buffer,
    items: Int32Array,
    item: number,
    plan: RowPlan | undefined,
  ): void {
    let from = 0
    for (let run = 0; run < runs.length; run++) {
      if (run > 0) output.bytes[output.at++] = copier.delimiter
      if ((runs[run] as Run).ofLine)
        copier.cells(output, bytes, (plan?.runs ?? nothing)[run] as Int32Array, items, item)
      else output.at += heads.bytes.copy(output.bytes, output.at, from, headEnds[run] as number)
      from = headEnds[run] as number
    }

    if (dialect.lineEnding.length > 1) output.bytes[output.at++] = carriageReturn
    output.bytes[output.at++] = newline
  }

  function itemPlanOf(shape: number): RowPlan | null {
    const known = itemPlans[shape]
    if (known !== undefined) return known
    itemPlans[shape] = planOf(shape, undefined)
    return itemPlans[shape]
  }

  function recordPlanOf(shape: number): RowPlan | null {
    const known = recordPlans[shape]
    if (known !== undefined) return known
    recordPlans[shape] = planOf(shape, lines)
    return recordPlans[shape]
  }

  /** The plan of a record (with `lines` as they are spread) or, without, of a line. */
  function planOf(shape: number, spread: LineNames | undefined): RowPlan | null {
    const isItem = lines !== undefined && spread === undefined
    const under = isItem ? [lines.line] : []
    const plan = toPlan(shapes.fieldsOf(shape), {
      tree,
      columns: columns.length,
      under,
      lines: spread,
      countsOthers: countsLost,
    })
    if (!plan) return null
    return {
      ...plan,
      runs: runs.map(({places}) => Int32Array.from(places, (place) => plan.cells[place] as number)),
      size: shapes.sizeOf(shape),
    }
  }
}

function toRuns(columns: readonly Column[], lines: LineNames | undefined): Run[] {
  const runs: Run[] = []
  for (const [place, {path}] of columns.entries()) {
    const ofLine = lines !== undefined && path[0] === lines.line
    const last = runs.at(-1)
    if (last?.ofLine === ofLine) last.places.push(place)
    else runs.push({ofLine, places: [place]})
  }

  return runs
}

function areNull(offsets: readonly number[], integers: Int32Array, first: number): boolean {
  return offsets.every((offset) => kindOf(integers, first + offset) === nullToken)
}

function countOthers({others}: Plan, integers: Int32Array, first: number, times: number, lost: Lost): void {
  for (const {offset, name} of others) {
    if (kindOf(integers, first + offset) !== nullToken) lost.set(name, (lost.get(name) ?? 0) + times)
  }
}

function kindOf(integers: Int32Array, place: number): number {
  return (integers[place + 1] as number) >>> kindShift
}
