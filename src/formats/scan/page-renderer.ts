import type {Elements} from '../../values/elements.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {type Column, chooseColumns, findColumns} from '../columns.js'
import type {Lost} from '../flatten.js'
import type {DialectName} from '../names.js'
import {PageOutput} from '../page-output.js'
import type {ScannerOptions} from './json-bytes.js'
import type {ScannedPage} from './page-elements.js'
import {createPageIntake, type Intake, type IntakeOptions, type Take, type Written} from './page-intake.js'
import {createPageRows, type PageRows} from './page-rows.js'

export {PageOutput} from '../page-output.js'
export type {ScannedPage} from './page-elements.js'
export {bytesOf, freeBytes, isCompact, lengthOf, scanRecords} from './page-elements.js'
export {
  createPageIntake,
  type Intake,
  type IntakeOptions,
  type RowOutput,
  type Take,
  type Written,
} from './page-intake.js'
export {cellVisitor, createPageRows, type PageRows, type Run, toRuns} from './page-rows.js'
export {ObjectScanner} from './page-scan.js'
export type {Shapes} from './page-shapes.js'
export {
  emptyToken,
  endMask,
  escapedToken,
  kindShift,
  listToken,
  nullToken,
  numberToken,
  specialToken,
  textToken,
  wordToken,
} from './page-tokens.js'
export {type RowVisitor, rowsOf} from './printed-rows.js'
export {parseRecord, RecordProblem, valueOfToken} from './record-scan.js'
export {createSortedRows, type Order} from './sorted-rows.js'
export {TokenCells} from './token-cells.js'

/** Records as an answer of the service: printed once, so that they are scanned as all others are. */
export function printAnswer(records: readonly JsonRecord[]): Buffer {
  return Buffer.from(`[${records.map((record) => printJson(record)).join(',')}]`)
}

export type RenderedPage = {
  /** Valid until `page` is called for the second time after: one page can be written while the next is made. */
  bytes: Buffer
  /** Rows of the page. With a look-ahead they may be in the `bytes` of a later page. */
  rows: number
  /** The keys of the wanted records, in order. */
  ids: readonly string[]
}

/** Turns the bytes of answers into the bytes of an output. */
export type PageRenderer = {
  /** The text before the first page; empty while columns are still to be learnt from the first row. */
  start(): Buffer
  /**
   * Scans an answer; `page` takes what comes out and need not scan it again. Answers may be scanned ahead and in any
   * order. It replaces `splitElements`: it proves as much, throws the same `JsonProblem`, and is faster. `onRelease` is
   * called when nothing looks at the bytes any more.
   */
  scan(body: Buffer, onRelease?: () => void): ScannedPage
  /**
   * One answer, which is released; `all` takes every record without looking at its key. Throws `JsonProblem` when it is
   * not one closed JSON array, `RecordProblem` when one of its elements is no record. The renderer is then as it was
   * before.
   */
  page(answer: Elements | Buffer, take?: Take | 'all'): RenderedPage
  /** The text after the last page, with the pages that waited. */
  end(): Buffer
  /** The columns once they are settled; undefined before, and for JSON with all its fields. */
  readonly columns: readonly Column[] | undefined
  /** Pages wait, because columns are still to be learnt. */
  readonly isWaiting: boolean
  readonly written: Written
}

/**
 * The first page throws a `CliFailure` for a chosen name that does not exist. Time: linear in bytes; memory: a page and
 * its output, and the pages of the look-ahead.
 */
export function createRenderer(kind: PageKind, options: PageRendererOptions): PageRenderer {
  const {sample} = kind
  let columns = options.settled ?? knownColumns(options, kind.needsColumns)
  const lookAhead = sample !== undefined && columns ? Math.min(sample, options.lookAhead ?? sample) : options.lookAhead
  const waitsFor = kind.needsColumns && (!columns || sample !== undefined) ? 'columns' : 'nothing'
  const intake = createPageIntake({...options, lookAhead}, {waitsFor, scanned: kind.scanned})
  const {scan, shapes, written} = intake
  if (sample !== undefined) columns = undefined
  let output = new PageOutput()
  let other = new PageOutput()
  let rowsSoFar = options.rowsBefore ?? 0
  let writer = columns || !kind.needsColumns ? openWriter(columns) : undefined

  return {
    scan,
    written,
    start: () => Buffer.from(kind.start + (writer?.header ?? '')),
    page(answer, take) {
      const intaken = intake.page(answer, take)
      const {bytes, count} = render(intaken)
      const {ids, rows = count} = intaken
      written.rows += rows
      return {bytes, rows, ids}
    },
    end: () => Buffer.concat([render(intake.end()).bytes, Buffer.from(kind.end(rowsSoFar))]),
    get columns() {
      return columns
    },
    get isWaiting() {
      return writer === undefined
    },
  }

  function openWriter(settled: readonly Column[] | undefined): PageWriter {
    const {lines, chosen, conditions} = options
    const countsLost = kind.needsColumns && chosen === undefined
    return kind.open(settled, createPageRows({columns: settled ?? [], lines, countsLost, shapes, conditions}))
  }

  function render({ready, settled}: Intake): {bytes: Buffer; count: number} {
    const to = settled ? openWriter(settled) : writer
    ;[output, other] = [other, output]
    output.at = 0
    output.ensure(ready.reduce((sum, {page}) => sum + page.bytes.length, 0))
    if (settled && to) output.text(to.header)
    let count = 0
    const lost: Lost = new Map()
    const put = {output, lost, isFirst: rowsSoFar === 0, most: Number.POSITIVE_INFINITY}
    for (const {page, wanted, most} of ready) {
      for (let at = 0; at < wanted.length; at++) {
        if (at === wanted.length - 1) put.most = most
        count += to?.record(page, wanted[at] as number, put) ?? 0
        put.isFirst = rowsSoFar + count === 0
      }
      page.release()
    }
    to?.flush?.(output)
    rowsSoFar += count
    columns = settled ?? columns
    writer = to
    if (to?.notes) written.notes = to.notes
    for (const [name, times] of lost) written.lost.set(name, (written.lost.get(name) ?? 0) + times)
    return {bytes: output.written(), count}
  }
}

/** The columns of `--columns` when the contract knows all of them, so that none must be learnt from rows. */
function knownColumns({columns, chosen}: PageRendererOptions, isNeeded: boolean): readonly Column[] | undefined {
  const isKnown = isNeeded && chosen?.every((name) => findColumns(columns, name).length > 0)
  return isKnown && chosen ? chooseColumns(columns, chosen) : undefined
}

export type PageRendererOptions = IntakeOptions & {
  /** Dialect of csv and tsv; `rfc4180` unless given. */
  dialect?: DialectName | undefined
  delimiter?: string | undefined
  /** Cells of a line of the terminal, for a table; left out without one, and then nothing is cut. */
  width?: number | undefined
  /** Makes the header of a table bold. */
  color?: boolean | undefined
  /** The columns that an earlier run of the same output settled: `PageRenderer.columns` of then. Nothing is learnt. */
  settled?: readonly Column[] | undefined
  /** Rows that the output has already. */
  rowsBefore?: number
}

/** The target of the rows of a record. */
export type PutRecord = {
  output: PageOutput
  /** Values that no column shows are added. */
  lost: Lost
  /** Whether no row was written before. */
  isFirst: boolean
  /** Most rows that are written. */
  most: number
}

/** Writes the rows of records to an output. */
export type PageWriter = {
  readonly header: string
  /** Adds the rows of a record; returns how many. */
  record(page: ScannedPage, index: number, to: PutRecord): number
  /** Adds the rows that wait since it was called last. */
  flush?(output: PageOutput): void
  /** Notes for people about how rows are shown. */
  readonly notes?: readonly string[]
}

/** A text format: what it needs, and its writer. */
export type PageKind = {
  readonly scanned: ScannerOptions
  /** Whether the columns must be known before anything is written. */
  readonly needsColumns: boolean
  /** Rows that wait, also with known columns, because the first output shows how wide they are. */
  readonly sample?: number
  readonly start: string
  /** Opens a writer; `rows` finds the rows of a record, filtered and split into lines. */
  open(columns: readonly Column[] | undefined, rows: PageRows): PageWriter
  end(rows: number): string
}
