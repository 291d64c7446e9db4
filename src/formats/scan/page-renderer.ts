import type {Elements} from '../../values/elements.js'
import type {JsonRecord} from '../../values/json.js'
import {type Column, chooseColumns, findColumns} from '../columns.js'
import type {Lost} from '../flatten.js'
import {toLines} from '../lines.js'
import {unknownColumns} from '../unknown-columns.js'
import {isScanned, type ScannedPage, scanPage} from './page-elements.js'
import {loadPageKind, type PageFormat, type PageRendererOptions} from './page-kind.js'
import {PageOutput} from './page-output.js'
import {ObjectScanner} from './page-scan.js'
import {createRecordView, parseRecord} from './record-scan.js'

export type {PageFormat, PageRendererOptions} from './page-kind.js'
export {RecordProblem} from './record-scan.js'

/**
 * Asked for every record, in order and before it is rendered; false leaves the record out. `key` is equal for equal ids
 * only (a record without an id: for equal records). `seen` holds the fields of `look`, spelled and nested as they came,
 * and perhaps more. What it throws ends the page, which then leaves nothing behind.
 */
export type Take = (seen: JsonRecord, key: string, index: number) => boolean

export type RenderedPage = {
  /** Valid until `page` is called for the second time after: one page can be written while the next is made. */
  bytes: Buffer
  /** Rows in `bytes`. */
  rows: number
  /** The keys of the records that were taken, in order. */
  ids: readonly string[]
  /** Values of this page that no column shows: how many, by name. */
  lost: ReadonlyMap<string, number>
}

/** Turns the bytes of answers into the bytes of an output: the same bytes as the renderer of records makes. */
export type PageRenderer = {
  /** What stands before the first page; nothing while columns are still to be learnt from the first row. */
  start(): Buffer
  /**
   * Scans an answer; `page` takes what comes out and need not scan it again. Answers may be scanned ahead and in any
   * order. Stands in for `splitElements`: it proves as much, throws the same `JsonProblem`, and is faster.
   */
  scan(body: Buffer): Elements
  /**
   * One answer. Throws `JsonProblem` when it is not one closed JSON array, `RecordProblem` when one of its elements is no
   * record. The renderer is then as it was before.
   */
  page(answer: Elements | Buffer, take?: Take): RenderedPage
  /** What stands after the last page. */
  end(): Buffer
  /** The columns once they are settled; undefined before, and for JSON with all its fields. */
  readonly columns: readonly Column[] | undefined
}

/** Throws a `CliFailure` for a bad delimiter; the first page throws one for a chosen name that does not exist. */
export async function createPageRenderer(format: PageFormat, options: PageRendererOptions): Promise<PageRenderer> {
  const {keep} = options
  const kind = await loadPageKind(format, options)
  const scanner = new ObjectScanner(kind.scanned)
  const viewOf = createRecordView(scanner.shapes, options.look ?? [])
  let output = new PageOutput()
  let other = new PageOutput()
  const scan = (body: Buffer) => scanPage(scanner, body)
  let rowsSoFar = options.rowsBefore ?? 0
  let columns = options.settled ?? columnsAtOnce(options, kind.needsColumns)
  let writer = columns || !kind.needsColumns ? kind.open(columns, scanner.shapes) : undefined

  return {
    scan,
    start: () => Buffer.from(kind.start + (writer?.header ?? '')),
    page(answer, take) {
      if (isScanned(answer)) return render(answer, take)
      const page = scan(Buffer.isBuffer(answer) ? answer : answer.bytes)
      try {
        return render(page, take)
      } finally {
        page.release()
      }
    },
    end() {
      const header = writer ? '' : kind.open(toColumns([]), scanner.shapes).header
      return Buffer.from(header + kind.end(rowsSoFar))
    },
    get columns() {
      return columns
    },
  }

  function render(page: ScannedPage, take: Take | undefined): RenderedPage {
    const {taken, ids} = choose(page, take)
    const settled = columns ?? settle(page, taken)
    const isNew = writer === undefined && settled !== undefined
    const to = isNew ? kind.open(settled, scanner.shapes) : writer
    const lost: Lost = new Map()
    ;[output, other] = [other, output]
    output.at = 0
    output.ensure(page.bytes.length)
    if (isNew && to) output.text(to.header)
    let rows = 0
    for (const index of taken) rows += to?.record(page, index, output, lost, rowsSoFar + rows === 0) ?? 0
    rowsSoFar += rows
    columns = settled
    writer = to
    return {bytes: output.written(), rows, ids, lost}
  }

  function choose(page: ScannedPage, take: Take | undefined): {taken: number[]; ids: string[]} {
    const taken: number[] = []
    const ids: string[] = []
    for (let index = 0; index < page.count; index++) {
      const {key, seen} = viewOf(page, index)
      if (take && !take(seen, key, index)) continue
      ids.push(key)
      if (!keep || keep(seen)) taken.push(index)
    }

    return {taken, ids}
  }

  /** Columns wait for the first row: its page shows which fields the contract does not know. */
  function settle(page: ScannedPage, taken: readonly number[]): Column[] | undefined {
    return kind.needsColumns && taken.length > 0 ? toColumns(rowsOf(page, taken)) : undefined
  }

  function* rowsOf(page: ScannedPage, taken: readonly number[]): Generator<JsonRecord, void, void> {
    for (const index of taken) {
      const record = parseRecord(page, index)
      if (options.lines) yield* toLines(record, options.lines)
      else yield record
    }
  }

  function toColumns(rows: Iterable<JsonRecord>): Column[] {
    const all = [...options.columns, ...unknownColumns(rows, options.columns)]
    return options.chosen ? chooseColumns(all, options.chosen) : all
  }
}

/** The columns of `--columns`, when the contract knows all of them: nothing is to be learnt then. */
function columnsAtOnce({columns, chosen}: PageRendererOptions, isNeeded: boolean): Column[] | undefined {
  const isKnown = isNeeded && chosen?.every((name) => findColumns(columns, name).length > 0)
  return isKnown && chosen ? chooseColumns(columns, chosen) : undefined
}
