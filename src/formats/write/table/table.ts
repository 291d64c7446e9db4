import CliTable from 'cli-table3'
import {createCut, cutMiddle, widthOf} from '../../../core/text-width.js'
import {sum} from '../../../values/counted.js'
import {type Column, isNumeric} from '../../columns.js'
import {toSafeText} from '../../safe-text.js'
import {toBlocks} from '../chunks.js'

/** Columns of the terminal between two columns of a table. */
const gapWidth = 2

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
/** Rows drawn as one table: the library takes time that grows with the square of its rows. */
const rowsDrawn = 16
/** The most columns a cell may take: the library needs time that grows with the square of a cell of wide letters. */
const widestCell = 4_000
const style = {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true}

export type TableOptions = {
  /** Columns of the terminal; left out without one. */
  width?: number | undefined
  color?: boolean | undefined
  /** Names of `--columns`, which may be cut further. */
  chosen?: readonly string[] | undefined
}

/** An aligned table without borders, one line per row. */
export type Table = {
  /** Draws rows; those that are given first show how wide columns must be, and have the header before them. */
  draw(rows: readonly (readonly string[])[]): string
  /** Notes for people about columns that do not fit. */
  readonly notes: readonly string[]
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

/** Width of the content of a column, and the least that it may be cut to. */
type Wanted = {readonly header: string; readonly natural: number; readonly least: number}

const leastText = 12
const leastChosenText = 4

const isId = /(?:^|\.)id$|Id$/

/** Only texts and headers may be cut: a part of a number, a date or an id is useless. */
function toWanted(column: Column, header: string, cellWidths: number, isChosen: boolean): Wanted {
  const natural = Math.max(widthOf(header), cellWidths)
  const least = Math.min(natural, isChosen ? leastChosenText : leastText)
  const {kind, name} = column
  const isWhole = column.isWhole || isId.test(name) || isNumeric(kind) || kind === 'dateTime' || kind === 'boolean'
  return {header, natural, least: isWhole ? Math.max(least, cellWidths) : least}
}

/**
 * The widths of the first columns that fit into `width` columns of the terminal: all of them at their natural width if
 * that fits, else as many as fit when cut as far as they may be, with what is left over given to the narrowest first.
 */
function fitWidths(wanted: readonly Wanted[], width: number | undefined): number[] {
  const natural = wanted.map((one) => one.natural)
  if (width === undefined || totalOf(natural) <= width) return natural
  const shown = fitting(wanted, width)
  const [only] = shown
  if (shown.length === 1 && only && only.least > width) return [width]
  return grow(shown, width - gapWidth * (shown.length - 1))
}

function fitting(wanted: readonly Wanted[], width: number): Wanted[] {
  let shown: Wanted[] = []
  for (const one of wanted) {
    const more = withDistinctHeaders(shown, one)
    if (shown.length > 0 && totalOf(more.map(({least}) => least)) > width) break
    shown = more
  }

  return shown
}

/** Columns and one more, each so wide that no two headers are cut to the same text. */
function withDistinctHeaders(shown: readonly Wanted[], one: Wanted): Wanted[] {
  const widths = shown.map((other) => widthApart(one.header, other.header))
  const raise = (wanted: Wanted, width: number) => ({...wanted, least: Math.max(wanted.least, width)})
  return [...shown.map((other, place) => raise(other, widths[place] ?? 0)), raise(one, Math.max(0, ...widths))]
}

/** The smallest width at which two headers are not cut to the same text; at each larger one they are not either. */
function widthApart(one: string, other: string): number {
  const longest = Math.min(widthOf(one), widthOf(other))
  let width = leastChosenText
  while (width < longest && cutMiddle(one, width) === cutMiddle(other, width)) width++
  return Math.min(width, longest)
}

/** Raises the narrowest columns together until the room is used up or each has its natural width. */
function grow(shown: readonly Wanted[], room: number): number[] {
  const widths = shown.map(({least}) => least)
  let left = room - sum(widths)
  while (left > 0) {
    const place = narrowestOf(shown, widths)
    if (place === undefined) break
    widths[place] = (widths[place] ?? 0) + 1
    left--
  }

  return widths
}

function narrowestOf(shown: readonly Wanted[], widths: readonly number[]): number | undefined {
  let best: number | undefined
  for (const [place, {natural}] of shown.entries()) {
    const width = widths[place] ?? 0
    if (width < natural && (best === undefined || width < (widths[best] ?? 0))) best = place
  }

  return best
}

function totalOf(widths: readonly number[]): number {
  return sum(widths) + gapWidth * (widths.length - 1)
}
