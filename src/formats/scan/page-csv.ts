import {carriageReturn, newline} from '../../values/byte-codes.js'
import type {Column} from '../columns.js'
import type {RowMatch} from '../conditions.js'
import type {LineNames} from '../lines.js'
import type {Dialect} from '../write/dialect.js'
import {createCellWriter, writeCsv} from '../write/write-csv.js'
import {CellCopier, wordBytes} from './page-cells.js'
import {integersPerRecord, type ScannedPage} from './page-elements.js'
import type {PageWriter} from './page-kind.js'
import {PageOutput} from './page-output.js'
import {createPageRows} from './page-rows.js'
import type {Shapes} from './page-shapes.js'
import type {RowVisitor} from './printed-rows.js'

/** Columns side by side that come from the same object: the record itself, or one of its lines; places among those. */
type Run = {readonly ofLine: boolean; readonly from: number; to: number}

/** Most bytes that a cell takes beyond those it comes from: two quotes and an apostrophe. */
const cellRoom = 3
/** A quote in a text is written twice. */
const growth = 2

export type PageCsvOptions = {
  columns: readonly Column[]
  dialect: Dialect
  lines: LineNames | undefined
  countsLost: boolean
  shapes: Shapes
  /** Conditions on lines. */
  match?: RowMatch | undefined
}

/**
 * Writes rows of separated values from tokens. The columns of a record are written once and copied for each of its
 * lines. Time: linear in the bytes of rows; memory: one page of output, and a plan for each shape.
 */
export function createPageCsv({columns, dialect, lines, countsLost, shapes, match}: PageCsvOptions): PageWriter {
  const copier = new CellCopier(dialect, createCellWriter(dialect))
  const pageRows = createPageRows({columns, lines, countsLost, shapes, match})
  const runs = toRuns(columns.length, pageRows.lineColumns)
  const room = columns.length * (cellRoom + copier.delimiter.length) + dialect.lineEnding.length + wordBytes
  const starts = new Int32Array(runs.length)
  const ends = new Int32Array(runs.length)
  let output = new PageOutput()
  let ofRecord: {first: number; cells: Int32Array} = {first: 0, cells: new Int32Array()}
  let isFirstRow = true
  /** The page that was given, and the most bytes that the values of a record take. */
  let asked: ScannedPage | undefined
  let size = 0

  const visitor: RowVisitor = {
    record(page, first, cells) {
      copier.open(page.bytes)
      if (page !== asked) size = page.bytes.length * growth
      ofRecord = {first, cells}
      isFirstRow = true
    },
    row(page, first, cells) {
      output.ensure(size + room)
      for (let run = 0; run < runs.length; run++) {
        const {ofLine, from, to} = runs[run] as Run
        if (run > 0) copier.separate(output)
        if (ofLine) copier.cells(output, cells, from, to, page.items, first)
        else if (isFirstRow) {
          starts[run] = output.at
          copier.cells(output, ofRecord.cells, from, to, page.tokens, ofRecord.first)
          ends[run] = output.at
        } else output.repeat(starts[run] as number, ends[run] as number)
      }

      isFirstRow = false
      if (dialect.lineEnding.length > 1) output.bytes[output.at++] = carriageReturn
      output.bytes[output.at++] = newline
      output.endRow()
    },
  }

  return {
    header: writeCsv(columns, dialect).header,
    record(page, index, to, lost) {
      output = to
      asked = page
      const place = index * integersPerRecord
      size = ((page.records[place + 1] as number) - (page.records[place] as number)) * growth
      return pageRows.visit(page, index, visitor, lost)
    },
  }
}

function toRuns(columns: number, lineColumns: readonly number[]): Run[] {
  const runs: Run[] = []
  const passed = {line: 0, record: 0}
  for (let place = 0; place < columns; place++) {
    const ofLine = lineColumns.includes(place)
    const from = ofLine ? passed.line++ : passed.record++
    const last = runs.at(-1)
    if (last?.ofLine === ofLine) last.to = from + 1
    else runs.push({ofLine, from, to: from + 1})
  }

  return runs
}
