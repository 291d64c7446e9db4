import {comma} from '../../values/byte-codes.js'
import type {Elements} from '../../values/elements.js'
import {type JsonRecord, parseJson, printJson} from '../../values/json.js'
import {type Column, chooseColumns} from '../columns.js'
import type {Lost} from '../flatten.js'
import {SortKey} from '../sort/sort-key.js'
import type {SortedRow} from '../sort/sorted-run.js'
import {Sorter, type SorterOptions} from '../sort/sorter.js'
import {createUnknownFields} from '../unknown-columns.js'
import {toDialect} from '../write/dialect.js'
import {integersPerRecord, isScanned, notCompact, type ScannedPage} from './page-elements.js'
import {createPageIntake, type Take} from './page-intake.js'
import {putToken} from './page-key.js'
import {loadPageKind, type PageRendererOptions, type RenderedFormat} from './page-kind.js'
import {PageOutput} from './page-output.js'
import {createPageRows} from './page-rows.js'
import {type RowVisitor, rowsOf} from './printed-rows.js'
import {parseRecord} from './record-scan.js'

export type SortColumn = {readonly column: Column; readonly descending: boolean}

export type SortedOptions = PageRendererOptions & SorterOptions & {by: readonly SortColumn[]}

/** Rendered rows in an order of their own. */
export type SortedRenderer = {
  /** As that of a page renderer. */
  scan(body: Buffer): Elements
  /** Takes the rows of an answer, which is released. Throws as a page renderer does. */
  page(answer: Elements, take?: Take): void
  /** The output, in pieces; each is valid until the next. */
  pieces(): Generator<{bytes: Buffer; rows: number}, void, void>
  /** Columns of the fields that the contract does not know, of rows that were seen; for `rows` and tables. */
  unknown(): Column[]
  /** The limit kept back at least one row. */
  readonly isCut: boolean
}

const pieceBytes = 1 << 18
/** Stands in front of a record that waits for its columns, and nowhere in UTF-8. */
const recordMark = 0xff

/**
 * Renders rows as they come and sorts their bytes. The columns are settled in the end, when all rows were seen; rows with
 * values that the contract does not know wait for that as records. Time: that of a page renderer and of a sorter.
 * Memory: a page, and that of a sorter.
 */
export async function createSortedRenderer(format: RenderedFormat, options: SortedOptions): Promise<SortedRenderer> {
  const {columns: ofContract, chosen, lines, match, by} = options
  const kind = await loadPageKind(format, options)
  const {writeCsv} = await import('../write/write-csv.js')
  const isTable = format === 'csv' || format === 'tsv'
  const learns = (isTable || format === 'rows') && !chosen
  const intake = createPageIntake(options, {holds: 'nothing', scanned: kind.scanned})
  const columns = chosen ? chooseColumns(ofContract, chosen) : ofContract
  const writer = kind.open(kind.needsColumns ? columns : undefined, intake.shapes)
  const keyColumns = by.map(({column}) => column)
  const keyRows = createPageRows({columns: keyColumns, lines, countsLost: false, shapes: intake.shapes, match})
  const parts = by.map(({descending}, place) => {
    const ofLine = keyRows.lineColumns.indexOf(place)
    return {descending, isOfLine: ofLine >= 0, at: ofLine >= 0 ? ofLine : keyRows.recordColumns.indexOf(place)}
  })
  const sorter = new Sorter(options)
  const fields = createUnknownFields(ofContract)
  const knownShapes = new Set<number>()
  const output = new PageOutput()
  const lost: Lost = new Map()
  const keys = new SortKey()
  let keyEnds: number[] = []
  let ofRecord: {first: number; cells: Int32Array} = {first: 0, cells: new Int32Array()}
  let isNewShape = false

  const visitor: RowVisitor = {
    record(_page, first, cells) {
      ofRecord = {first, cells}
    },
    row(page, first, cells) {
      if (first > 0) seeShape(page.items[first - 1] as number)
      for (const {descending, isOfLine, at} of parts) {
        if (isOfLine) putToken(keys, page.bytes, page.items, first, cells[at] as number, descending)
        else putToken(keys, page.bytes, page.tokens, ofRecord.first, ofRecord.cells[at] as number, descending)
      }
      keyEnds.push(keys.length)
    },
  }

  return {
    scan: intake.scan,
    page(answer, take) {
      const page = isScanned(answer) ? answer : intake.scan(answer.bytes)
      for (const {taken} of intake.page(page, take).ready) for (const index of taken) add(page, index)
      page.release()
    },
    *pieces() {
      const all = learns ? [...ofContract, ...fields.columns()] : columns
      const end = isTable ? toTable(all) : undefined
      output.at = 0
      output.text(kind.start + (end?.header ?? ''))
      let rows = 0
      let total = 0
      for (const row of sorter.rows()) {
        if (end) end.put(row)
        else output.copy(row.bytes, isFirstOfList(row, total) ? row.start + 1 : row.start, row.end)
        rows++
        total++
        if (output.at < pieceBytes) continue
        yield {bytes: output.written(), rows}
        output.at = 0
        rows = 0
      }

      output.text(kind.end(total))
      yield {bytes: output.written(), rows}
    },
    unknown: () => fields.columns(),
    get isCut() {
      return sorter.count > (options.limit ?? Number.POSITIVE_INFINITY)
    },
  }

  function add(page: ScannedPage, index: number): void {
    keys.clear()
    keyEnds = []
    isNewShape = false
    if (keyRows.visit(page, index, visitor, lost) === 0) return
    seeShape(page.records[index * integersPerRecord + 2] as number)
    output.at = 0
    output.ends = []
    lost.clear()
    writer.record(page, index, output, lost, false)
    if (learns && (isNewShape || lost.size > 0)) fields.add(rowsAt(page, index))
    if (isTable && learns && lost.size > 0) for (const [place, row] of rowsAt(page, index).entries()) hold(row, place)
    else for (const [place, end] of output.ends.entries()) put(output.bytes, output.ends[place - 1] ?? 0, end, place)
  }

  /** An object that was not scanned may have any fields. */
  function seeShape(marked: number): void {
    const shape = marked < 0 ? marked : marked & ~notCompact
    if (shape >= 0 && knownShapes.has(shape)) return
    knownShapes.add(shape)
    isNewShape = true
  }

  function hold(row: JsonRecord, place: number): void {
    const bytes = Buffer.from(` ${printJson(row)}`)
    bytes[0] = recordMark
    put(bytes, 0, bytes.length, place)
  }

  function put(bytes: Buffer, start: number, end: number, place: number): void {
    const key = keys.bytes.subarray(keyEnds[place - 1] ?? 0, keyEnds[place])
    sorter.add({bytes: key, length: key.length}, bytes, start, end)
  }

  function rowsAt(page: ScannedPage, index: number): JsonRecord[] {
    return rowsOf(parseRecord(page, index), lines, match)
  }

  /** A comma stands in front of all rows of a list but the first. */
  function isFirstOfList({bytes, start}: SortedRow, total: number): boolean {
    return total === 0 && bytes[start] === comma
  }

  /** Rows of a table in its last columns: those that were rendered without the unknown ones have empty cells there. */
  function toTable(all: readonly Column[]) {
    const dialect = toDialect(format as 'csv' | 'tsv', options.dialect, options.delimiter)
    const reference = writeCsv(all, dialect)
    const filler = dialect.delimiter.repeat(all.length - columns.length) + dialect.lineEnding
    const isFilled = all.length > columns.length
    return {
      header: reference.header,
      put({bytes, start, end}: SortedRow): void {
        if (bytes[start] === recordMark) {
          const record = parseJson(bytes.toString('utf8', start + 1, end)) as JsonRecord
          output.text([...reference.records([record])].join(''))
        } else if (isFilled) {
          output.copy(bytes, start, end - dialect.lineEnding.length)
          output.text(filler)
        } else output.copy(bytes, start, end)
      },
    }
  }
}
