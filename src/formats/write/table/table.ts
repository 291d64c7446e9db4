import CliTable from 'cli-table3'
import {createCut, cutMiddle, widthOf} from '../../../core/text-width.js'
import {type Column, isNumeric} from '../../columns.js'
import {toSafeText} from '../../safe-text.js'
import type {PageKind, PageRendererOptions} from '../../scan/page-renderer.js'
import {toBlocks} from '../chunks.js'
import {fitWidths, gapWidth, toWanted} from './table-widths.js'
import {createTextRows} from './text-rows.js'

const edges = ['top', 'bottom', 'left', 'right', 'mid']
const joints = [
  'top-mid',
  'top-left',
  'top-right',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left-mid',
  'right-mid',
]
const noBorders = {
  ...Object.fromEntries([...edges, ...joints, 'mid-mid'].map((name) => [name, ''])),
  middle: ' '.repeat(gapWidth),
}
/** Drawn together: the library needs time that grows with the square of the rows of a table. */
const rowsDrawn = 16
/** The most columns a cell may take: the library needs time that grows with the square of a cell of wide letters. */
const widestCell = 4_000
const style = {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true}

export type TableOptions = {
  /** Columns of the terminal; left out without one. */
  width?: number
  color?: boolean
  /** Names of `--columns`, which may be cut further. */
  chosen?: readonly string[]
}

/** An aligned table without borders, one line per row. */
export type Table = {
  /** Draws rows; those that are given first show how wide columns must be, and have the header before them. */
  draw(rows: readonly (readonly string[])[]): string
  /** What a person should know about columns that do not fit. */
  readonly notes: readonly string[]
}

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

/**
 * Draws texts that are safe. Columns that do not fit the terminal are left out at the right and named in `notes`. Without
 * a terminal only cells beyond 4,000 columns are cut, and a later, wider cell widens its column for the lines that
 * follow. Without rows there is nothing.
 */
export function createTable(columns: readonly Column[], options: TableOptions): Table {
  const headers = columns.map(({name}) => toSafeText(name))
  const cut = createCut()
  let widths: number[] | undefined

  return {
    draw(rows) {
      if (rows.length === 0) return ''
      const isFirst = widths === undefined
      const fitted = widths ?? settle(rows)
      widths = fitted
      const header = fitted.map((width, place) => cutMiddle(headers[place] ?? '', width))
      const lines = isFirst ? [toHeader(drawBlock([header], fitted), options.color ?? false)] : []
      for (const block of toBlocks(rows, (row) => row.slice(0, fitted.length), rowsDrawn)) {
        if (options.width === undefined) widen(fitted, maximumWidths(block, fitted.length))
        lines.push(drawBlock(block, fitted))
      }

      return lines.join('')
    },
    get notes() {
      return widths ? noteOf(columns.slice(widths.length)) : []
    },
  }

  function settle(rows: readonly (readonly string[])[]): number[] {
    const cellWidths = maximumWidths(rows, columns.length)
    const wanted = columns.map((column, place) =>
      toWanted(column, headers[place] ?? '', cellWidths[place] ?? 0, options.chosen !== undefined),
    )
    return fitWidths(wanted, options.width)
  }

  function drawBlock(rows: readonly (readonly string[])[], colWidths: number[]): string {
    const colAligns = columns.slice(0, colWidths.length).map(({kind}) => (isNumeric(kind) ? 'right' : 'left'))
    const table = new CliTable({chars: noBorders, style, colWidths, colAligns})
    for (const row of rows) table.push(row.map((text, place) => cut(text, colWidths[place] ?? 0)))
    return `${table.toString().replaceAll(/(?<! ) +$/gm, '')}\n`
  }
}

function toHeader(line: string, color: boolean): string {
  return color ? `\u001b[1m${line.slice(0, -1)}\u001b[22m\n` : line
}

function noteOf(left: readonly Column[]): string[] {
  if (left.length === 0) return []
  const columns = left.length === 1 ? '1 column does' : `${left.length} columns do`
  return [`${columns} not fit the terminal: choose some with --columns, or all with -o csv or -o json`]
}

function maximumWidths(rows: readonly (readonly string[])[], count: number): number[] {
  const widths = new Array<number>(count).fill(0)
  for (const row of rows)
    widen(
      widths,
      row.map((text) => Math.min(widthOf(text), widestCell)),
    )
  return widths
}

function widen(widths: number[], others: readonly number[]): void {
  for (const [place, other] of others.entries()) widths[place] = Math.max(widths[place] ?? 0, other)
}
