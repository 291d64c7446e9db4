import type {MirrorColumn} from '../../derive/mirror/column-types.js'
import {toColumn} from '../../formats/columns.js'
import {type ColumnTree, createColumnTree, layCells} from '../../formats/flatten.js'
import {findName, putAt} from '../../formats/record-path.js'
import {
  createPageIntake,
  createPageRows,
  type Intake,
  type PageRows,
  parseRecord,
  type RowVisitor,
  type ScannedPage,
  type Take,
  valueOfToken,
} from '../../formats/scan/page-renderer.js'
import type {Elements} from '../../values/elements.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {columnsBeforeLine, type LineTable, type LoadTable, type LoadTables, type RowTarget} from './load-table.js'

/** A table and where its rows go. */
type Filled<Table, Target> = {readonly table: Table; readonly target: Target}

/** Fills the tables of one read from pages. Time: linear in cells; memory: a plan for each shape. */
export function createTableFiller<Target extends RowTarget>(
  {records: table, lines: lineTable}: LoadTables,
  look: readonly string[],
  open: (table: LoadTable) => Target,
) {
  const names = lineTable && {list: lineTable.list, line: lineTable.line}
  const ofLine = lineTable?.columns.slice(columnsBeforeLine) ?? []
  const columns = [
    ...table.columns.map(({path}) => toColumn(path, 'unknown')),
    ...ofLine.map(({path}) => toColumn([names?.line ?? '', ...path], 'unknown')),
  ]
  const intake = createPageIntake({columns, lines: names, look}, {waitsFor: 'nothing'})
  const records = {table, target: open(table)}
  const lines = lineTable && {table: lineTable, target: open(lineTable)}
  const rows = createPageRows({columns, lines: names, countsLost: true, shapes: intake.shapes, knownOnly: true})
  const putRecord = createRecordRows(records, lines, rows)

  return {
    split: intake.scan,
    filled: lines ? [records, lines] : [records],
    /** The records that `wanted` takes; what it throws leaves nothing of the page. */
    take: (page: Elements, wanted: Take) => intake.page(page, wanted).ready,
    /** Puts them, and releases their pages; `put` has the work of each page done. */
    fill(ready: Intake['ready'], put = (work: () => void) => work()) {
      const found = {records: 0, lines: 0, bytes: 0}
      for (const {page, wanted} of ready) {
        put(() => {
          for (const index of wanted) found.lines += putRecord(page, index)
        })
        found.records += wanted.length
        found.bytes += page.bytes.length
        page.release()
      }
      return found
    },
  }
}

/**
 * Puts one record of a page into its tables, from its tokens; returns how many lines it has. A record with a
 * field that no column shows is parsed, and the field goes into `extra`.
 */
function createRecordRows(
  {table, target}: Filled<LoadTable, RowTarget>,
  lines: Filled<LineTable, RowTarget> | undefined,
  rows: PageRows,
): (page: ScannedPage, index: number) => number {
  const ofLine = lines?.table.columns.slice(columnsBeforeLine) ?? []
  const keyPlace = table.columns.findIndex(({name}) => name === table.key[0])
  const trees = {record: toTree(table.columns), line: toTree(ofLine)}
  let count = 0
  let key = 0
  let keyTokens = new Int32Array()

  const visitor: RowVisitor = {
    record(page, first, cells) {
      fill(target, table.columns, {page, integers: page.tokens, first, cells, from: 0})
      key = first + (cells[keyPlace] as number)
      keyTokens = page.tokens as Int32Array<ArrayBuffer>
    },
    row(page, first, cells) {
      if (!lines || first === 0) return // a record without lines
      lines.target.token(0, page.bytes, keyTokens, key)
      lines.target.value(1, ++count)
      fill(lines.target, lines.table.columns, {page, integers: page.items, first, cells, from: columnsBeforeLine})
    },
  }

  return (page, index) => {
    count = 0
    if (rows.visitPlanned(page, index, visitor, new Map()) < 0) putParsed(parseRecord(page, index))
    return count
  }

  function putParsed(record: JsonRecord): void {
    const name = lines && findName(record, lines.table.list)
    const list = name === undefined ? undefined : record[name]
    const isList = Array.isArray(list) && list.every((line) => isRecord(line))
    const {[isList ? (name as string) : '']: _lines, ...rest} = record
    const id = putValues(target, table.columns, trees.record, isList ? rest : record)[keyPlace] ?? null
    if (!lines || !isList) return
    for (const line of list as JsonRecord[]) {
      lines.target.value(0, id)
      lines.target.value(1, ++count)
      putValues(lines.target, ofLine, trees.line, line, columnsBeforeLine)
    }
  }
}

type Tokens = {page: ScannedPage; integers: Int32Array; first: number; cells: Int32Array; from: number}

function fill(target: RowTarget, columns: readonly MirrorColumn[], {page, integers, first, cells, from}: Tokens): void {
  const {bytes} = page
  let extra: JsonRecord | undefined
  for (let at = 0; at < cells.length; at++) {
    const offset = cells[at] as number
    const column = at + from
    if (offset < 0) target.empty(column)
    else if (!target.token(column, bytes, integers, first + offset)) {
      extra ??= {}
      putAt(extra, (columns[column] as MirrorColumn).path, valueOfToken(bytes, integers, first + offset))
    }
  }
  target.end(extra ? printJson(extra) : null)
}

/** Lays a parsed record out by columns; the cells as they were found. */
function putValues(
  target: RowTarget,
  columns: readonly MirrorColumn[],
  tree: ColumnTree,
  record: JsonRecord,
  from = 0,
): (JsonValue | undefined)[] {
  const cells: (JsonValue | undefined)[] = columns.map(() => undefined)
  const extra: JsonRecord = {}
  layCells(tree, record, cells, (path, value) => putAt(extra, path, value))
  for (const [place, value] of cells.entries()) {
    if (value === undefined || value === null) target.empty(place + from)
    else if (!target.value(place + from, value)) putAt(extra, (columns[place] as MirrorColumn).path, value)
  }
  target.end(Object.keys(extra).length > 0 ? printJson(extra) : null)
  return cells
}

function toTree(columns: readonly MirrorColumn[]): ColumnTree {
  return createColumnTree(columns.map(({path}) => toColumn(path, 'unknown')))
}
