import type {JsonValue} from '../../../values/json.js'
import type {Column} from '../../columns.js'
import {type Lost, toCellText} from '../../flatten.js'
import {toSafeText} from '../../safe-text.js'
import {
  cellVisitor,
  createPageRows,
  type PageKind,
  type PageRendererOptions,
  type ScannedPage,
  type Shapes,
  TokenCells,
} from '../../scan/page-renderer.js'
import {markdownHeader, toLine, toMarkdown} from './markdown.js'
import {createTable, type TableOptions} from './table.js'

/** Rows that show how wide columns are. */
const sample = 1_000

/** The format of tables, for people. */
export function tableKind(options: PageRendererOptions & TableOptions): PageKind {
  return {
    scanned: {},
    needsColumns: true,
    sample,
    start: '',
    open(columns = [], shapes) {
      const table = createTable(columns, options)
      let waiting: string[][] = []
      const visit = createTextRows({...options, columns, shapes, toText: toSafeText}, (texts) => waiting.push(texts))
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
export function markdownKind(options: PageRendererOptions): PageKind {
  return {
    scanned: {},
    needsColumns: true,
    start: '',
    open(columns = [], shapes) {
      let lines = ''
      const visit = createTextRows({...options, columns, shapes, toText: toMarkdown}, (texts) => {
        lines += toLine(texts)
      })
      return {
        header: markdownHeader(columns),
        record(page, index, {output, lost, most}) {
          lines = ''
          const rows = visit(page, index, lost, most)
          output.text(lines)
          return rows
        },
      }
    },
    end: () => '',
  }
}

type TextRowsOptions = Pick<PageRendererOptions, 'lines' | 'chosen' | 'conditions'> & {
  columns: readonly Column[]
  shapes: Shapes
  toText: (text: string) => string
}

/** Makes the texts of the cells of rows, null and absent as an empty one; `put` keeps the array of a row. */
function createTextRows(
  {columns, lines, chosen, conditions, shapes, toText}: TextRowsOptions,
  put: (texts: string[]) => void,
): (page: ScannedPage, index: number, lost: Lost, most: number) => number {
  const rows = createPageRows({columns, lines, countsLost: chosen === undefined, shapes, conditions})
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
