import {createCut, widthOf} from '../../core/text-width.js'
import type {JsonRecord} from '../../values/json.js'
import {type Column, isNumeric} from '../columns.js'
import {createFlatten, type Lost, toCellText} from '../flatten.js'
import {toSafeText} from '../safe-text.js'
import {toBlocks} from './chunks.js'
import {fitWidths, gapWidth, toWanted} from './table-widths.js'
import type {Writer} from './writer.js'

export type TableOptions = {
  /** Columns of the terminal; left out when stdout is none, and then nothing is cut. */
  width?: number
  color?: boolean
  chosen?: readonly string[]
}

/**
 * Writes an aligned table without borders, one line per record. `sample` shows how wide columns must be. Columns that
 * do not fit the terminal are left out at the right and named in `notes`. Without a terminal a later, wider cell
 * widens its column for the lines that follow.
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
  const isRight = columns.map(({kind}) => isNumeric(kind))
  const cut = createCut()

  return {
    header: toHeader(drawLine(headers), options.color ?? false),
    *records(records, lost) {
      for (const rows of toBlocks(records, (record) => toTexts(record, lost).slice(0, shown))) {
        if (options.width === undefined) widen(widths, maximumWidths(rows, shown))
        yield rows.map(drawLine).join('')
      }
    },
    footer: () => '',
    notes: noteOf(columns.slice(shown)),
  }

  /** A line takes 4 µs here and 400 µs in cli-table3, which would make a list of 50 rows a third slower. */
  function drawLine(texts: readonly string[]): string {
    const cells = widths.map((width, place) => {
      const text = cut(texts[place] ?? '', width)
      const room = ' '.repeat(Math.max(0, width - widthOf(text)))
      return isRight[place] ? room + text : text + room
    })
    return `${cells.join(' '.repeat(gapWidth)).trimEnd()}\n`
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
  for (const row of rows) widen(widths, row.map(widthOf))
  return widths
}

function widen(widths: number[], others: readonly number[]): void {
  for (const [place, other] of others.entries()) widths[place] = Math.max(widths[place] ?? 0, other)
}
