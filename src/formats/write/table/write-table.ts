import Table from 'cli-table3'
import {createCut, cutMiddle, widthOf} from '../../../core/text-width.js'
import type {JsonRecord} from '../../../values/json.js'
import {type Column, isNumeric} from '../../columns.js'
import {createFlatten, type Lost, toCellText} from '../../flatten.js'
import {toSafeText} from '../../safe-text.js'
import {toBlocks} from '../chunks.js'
import type {Writer} from '../writer.js'
import {fitWidths, gapWidth, toWanted} from './table-widths.js'

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
  chosen?: readonly string[]
}

/**
 * Writes an aligned table without borders, one line per record. `sample` shows how wide columns must be. Columns that
 * do not fit the terminal are left out at the right and named in `notes`. Without a terminal only cells beyond 4,000
 * columns are cut, and a later, wider cell widens its column for the lines that follow. Without records there is nothing.
 */
export function writeTable(columns: readonly Column[], sample: readonly JsonRecord[], options: TableOptions): Writer {
  const flatten = createFlatten(columns)
  const toTexts = (record: JsonRecord, lost?: Lost) =>
    flatten(record, lost).map((cell) => toSafeText(toCellText(cell) ?? ''))
  const headers = columns.map(({name}) => toSafeText(name))
  const cellWidths = maximumWidths(
    sample.map((record) => toTexts(record)),
    columns.length,
  )
  const wanted = columns.map((column, place) =>
    toWanted(column, headers[place] ?? '', cellWidths[place] ?? 0, options.chosen !== undefined),
  )
  const widths = fitWidths(wanted, options.width)
  const shown = widths.length
  const colAligns = columns.slice(0, shown).map(({kind}) => (isNumeric(kind) ? 'right' : 'left'))
  const cut = createCut()
  const drawHeader = () => draw([widths.map((width, place) => cutMiddle(headers[place] ?? '', width))])
  const isEmpty = sample.length === 0

  return {
    header: isEmpty ? '' : toHeader(drawHeader(), options.color ?? false),
    *records(records, lost) {
      for (const rows of toBlocks(records, (record) => toTexts(record, lost).slice(0, shown), rowsDrawn)) {
        if (options.width === undefined) widen(widths, maximumWidths(rows, shown))
        yield draw(rows)
      }
    },
    footer: () => '',
    notes: isEmpty ? [] : noteOf(columns.slice(shown)),
  }

  function draw(rows: readonly (readonly string[])[]): string {
    const table = new Table({chars: noBorders, style, colWidths: widths, colAligns})
    for (const row of rows) table.push(row.map((text, place) => cut(text, widths[place] ?? 0)))
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
