import type {JsonValue} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import {type Lost, toCellText} from '../../flatten.js'
import {toSafeText} from '../../safe-text.js'
import {
  cellVisitor,
  type PageKind,
  type PageRendererOptions,
  type PageRows,
  type ScannedPage,
  TokenCells,
} from '../../scan/page-renderer.js'
import {markdownHeader, toLine, toMarkdown} from './markdown.js'
import {createTable, type TableOptions} from './table.js'

/** Rows that decide the widths of columns. */
const sample = 1_000

/** The format of tables, for people. */
export function tableKind(options: PageRendererOptions & TableOptions): PageKind {
  return {
    scanned: {},
    needsColumns: true,
    sample,
    start: '',
    open(columns = [], rows) {
      const table = createTable(columns, options)
      let waiting: string[][] = []
      const visit = createTextRows(columns, rows, toSafeText, (texts) => waiting.push(texts))
      return {
        header: '',
        record: (page, index, {lost, most}) => visit(page, index, lost, most),
        flush(output) {
          output.text(table.draw(waiting))
          waiting = []
        },
        get notes() {
          return table.notes
        },
      }
    },
    end: () => '',
  }
}

/** The format of pipe tables, whose cells show the data as it is: nothing in them is markup, a newline is `<br>`. */
export function markdownKind(): PageKind {
  return {
    scanned: {},
    needsColumns: true,
    start: '',
    open(columns = [], rows) {
      let lines = ''
      const visit = createTextRows(columns, rows, toMarkdown, (texts) => {
        lines += toLine(texts)
      })
      return {
        header: markdownHeader(columns),
        record(page, index, {output, lost, most}) {
          lines = ''
          const count = visit(page, index, lost, most)
          output.text(lines)
          return count
        },
      }
    },
    end: () => '',
  }
}

/** Makes the texts of the cells of rows, null and absent as an empty one; `put` keeps the array of a row. */
function createTextRows(
  columns: readonly Column[],
  rows: PageRows,
  toText: (text: string) => string,
  put: (texts: string[]) => void,
): (page: ScannedPage, index: number, lost: Lost, most: number) => number {
  const makers = columns.map(() => new TokenCells((value: JsonValue) => toText(toCellText(value) ?? '')))
  const texts = columns.map(() => '')
  const visitor = cellVisitor(
    rows,
    (column, bytes, integers, at) => {
      texts[column] = at < 0 ? '' : (makers[column] as TokenCells<string>).at(bytes, integers, at)
    },
    () => put([...texts]),
  )

  return (page, index, lost, most) => rows.visit(page, index, visitor, lost, most)
}
