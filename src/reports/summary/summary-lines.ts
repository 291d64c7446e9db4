import {Buffer} from 'node:buffer'
import {toColumn, toPath} from '../../formats/columns.js'
import {type LineNames, toLines} from '../../formats/lines.js'
import {findName, valueAt} from '../../formats/record-path.js'
import {
  createPageRows,
  emptyToken,
  endMask,
  escapedToken,
  kindShift,
  listToken,
  nullToken,
  type PageRows,
  type RowVisitor,
  type ScannedPage,
  type Shapes,
} from '../../formats/scan/page-renderer.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {Summary} from './count-lines.js'
import {type LineCells, oddCell, type SummaryLine} from './line-cells.js'

/**
 * Adds a record of a scanned page to a summary. `values` gives its lines where its tokens do not tell: a record with other
 * fields, or a line with a value that is not plain. Throws what `Summary.add` throws, and `values`.
 */
export type AddRecord = (page: ScannedPage, index: number, values: () => Iterable<SummaryLine>) => void

/** Records are batches, or lines with their batch around them. Time O(tokens of the fields); memory: a plan a shape. */
export function createTokenLines(summary: Summary, shapes: Shapes): AddRecord {
  const columns = [...summary.fields, lineNames.list].map((field) => toColumn(toPath(field), 'text'))
  const options = {columns, countsLost: false, shapes}
  const ways = [lineNames, undefined].map((lines) => createVisit(createPageRows({...options, lines}), summary))
  return (page, index, values) => {
    if (ways.some((visit) => visit(page, index, values))) return
    for (const line of values()) summary.add(line)
  }
}

/** Whether a record could be added from its tokens; if not, nothing of it was. */
type Visit = (page: ScannedPage, index: number, values: () => Iterable<SummaryLine>) => boolean

function createVisit(rows: PageRows, summary: Summary): Visit {
  const {recordColumns, lineColumns} = rows
  const isNeeded = (place: number) => summary.needed.includes(summary.fields[place] ?? '')
  const listColumn = summary.fields.length
  const lost = new Map<string, number>()
  let valuesOf: () => Iterable<SummaryLine> = () => []
  let lines: SummaryLine[] | undefined
  let [row, isLeft] = [0, false]
  const cells: LineCells = {
    bytes: Buffer.alloc(0),
    starts: new Int32Array(listColumn + 1),
    ends: new Int32Array(listColumn + 1),
    values() {
      lines ??= [...valuesOf()]
      return lines[row] ?? []
    },
  }

  const hasRecord = createHasAll(recordColumns.map(isNeeded))
  const list = recordColumns.indexOf(listColumn)
  const hasLine = createHasAll(lineColumns.map(isNeeded))
  const visitor: RowVisitor = {
    record(page, first, offsets) {
      isLeft = !hasRecord(offsets) || (offsets[list] as number) >= 0 // a list that is not spread over lines
      if (!isLeft) fill(cells, {integers: page.tokens, first, offsets}, recordColumns)
    },
    row(page, first, offsets) {
      if (row === 0 && !hasLine(offsets)) isLeft = true
      if (isLeft) return
      fill(cells, {integers: page.items, first, offsets}, lineColumns)
      summary.addCells(cells)
      row++
    },
  }

  return (page, index, values) => {
    cells.bytes = page.bytes
    valuesOf = values
    lines = undefined
    row = 0
    return rows.visitPlanned(page, index, visitor, lost) >= 0 && !isLeft
  }
}

/** Whether objects of a shape have all fields that are needed; nearly all are of the shape of the one before. */
function createHasAll(needed: readonly boolean[]): (offsets: Int32Array) => boolean {
  let last: Int32Array | undefined
  return (offsets) => {
    if (offsets === last) return true
    const hasAll = offsets.every((offset, at) => offset >= 0 || !needed[at])
    if (hasAll) last = offsets
    return hasAll
  }
}

type Tokens = {integers: Int32Array; first: number; offsets: Int32Array}

function fill({starts, ends}: LineCells, {integers, first, offsets}: Tokens, places: readonly number[]): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number
    const offset = offsets[at] as number
    const packed = offset < 0 ? emptyCell : (integers[first + offset + 1] as number)
    const kind = packed >>> kindShift
    const isEmpty = kind === nullToken || kind === emptyToken
    const start = isEmpty ? 0 : (integers[first + offset] as number)
    starts[place] = kind === escapedToken || kind === listToken ? oddCell : start
    ends[place] = isEmpty ? 0 : packed & endMask
  }
}

const emptyCell = nullToken << kindShift

export const lineNames: LineNames = {list: 'lineItems', line: 'lineItem'}

/** Lays records of the report along fields: a record with a list is a batch and gives its lines, any other is a line. */
export function createLineReader(fields: readonly string[]): (record: JsonRecord) => Iterable<SummaryLine> {
  const paths = fields.map(toPath)
  const toLine = (record: JsonRecord) => paths.map((path) => valueAt(record, path))

  return function* (record) {
    for (const line of hasList(record) ? toLines(record, lineNames) : [record]) yield toLine(line)
  }
}

/** Finds the fields that a record does not have; a line item that is null has all of them. */
export function createFieldCheck(needed: readonly string[]): (record: JsonRecord) => string[] {
  const all = needed.map((field) => ({field, path: toPath(field)}))
  const own = all.filter(({path}) => path[0] !== lineNames.line)

  return (record) => {
    const isBatch = hasList(record)
    const hasLines = isBatch || record[lineNames.line] !== undefined
    const [line = record] = isBatch ? toLines(record, lineNames) : [record]
    const looked = !hasLines || isRecord(line[lineNames.line]) ? all : own
    return looked.filter(({path}) => valueAt(line, path) === undefined).map(({field}) => field)
  }
}

function hasList(record: JsonRecord): boolean {
  return findName(record, lineNames.list) !== undefined
}
