import {widthOf} from '../../core/text-width.js'
import {sum, thousands} from '../../values/counted.js'
import {isRecord, type JsonValue} from '../../values/json.js'
import {hasColor} from '../help/terminal-look.js'
import {foldText, toPieces} from './fold-text.js'

/**
 * A small table, safe for a terminal and never cut. On a narrow terminal the widest cells continue on the next line; on
 * a very narrow one, each row is a block of lines. Ends with a newline.
 */
export async function simpleTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WriteStream = process.stdout,
): Promise<string> {
  const [{toColumn}, {createTable}, {toSafeText}] = await Promise.all([
    import('../../formats/columns.js'),
    import('../../formats/write/table/table.js'),
    import('../../formats/safe-text.js'),
  ])
  const columns = headers.map((name) => toColumn([name], 'text'))
  const safe = rows.map((row) => headers.map((_, place) => toSafeText(row[place] ?? '')))
  const width = (stream.isTTY && stream.columns) || undefined
  if (width && headers.length > 2 && overWidth([headers, ...safe], width)) return toBlocks(headers, safe)
  const lines = width ? foldCells([headers, ...safe], width).slice(1) : safe
  return createTable(columns, {color: hasColor(stream, process.env)}).draw(lines)
}

type Rows = readonly (readonly string[])[]

const [gap, narrowest] = [2, 8]

/** Whether rows do not fit `width` columns, even with each word on a line of its own. */
export function overWidth(rows: Rows, width: number): boolean {
  return sum(fitWidths(rows, width)) + gap * ((rows[0]?.length ?? 1) - 1) > width
}

/** Each row as a block of lines with header and cell, without empty cells. Ends with a newline. */
export function toBlocks(headers: readonly string[], rows: Rows): string {
  const left = Math.max(...headers.map(widthOf))
  const toLine = (cell: string, place: number) => {
    const header = headers[place] ?? ''
    return cell === '' ? [] : [`${header}${' '.repeat(left - widthOf(header) + gap)}${cell}`]
  }
  return `${rows.map((row) => row.flatMap(toLine).join('\n')).join('\n\n')}\n`
}

/** Rows in at most `width` columns, in several lines each where needed; the widest columns shrink first. */
export function foldCells(rows: Rows, width: number): string[][] {
  const widths = fitWidths(rows, width)
  return rows.flatMap((row) => {
    const cells = row.map((cell, place) => toLines(cell, widths[place] ?? width))
    const height = Math.max(1, ...cells.map(({length}) => length))
    return Array.from({length: height}, (_, line) => cells.map((cell) => cell[line] ?? ''))
  })
}

function toLines(cell: string, width: number): string[] {
  const [first = '', ...rest] = foldText(cell, width).split('\n')
  return [first, ...rest.map((line) => line.trimStart())]
}

/** The width of each column; none is narrower than its longest word or command. */
function fitWidths(rows: Rows, width: number): number[] {
  const cellsOf = (place: number) => rows.map((row) => row[place] ?? '')
  const longest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)
  const places = [...(rows[0] ?? []).keys()]
  const widths = places.map((place) => longest(cellsOf(place)))
  const floors = places.map((place) => Math.max(narrowest, longest(cellsOf(place).flatMap(toPieces))))
  for (let over = sum(widths) + gap * (widths.length - 1) - width; over > 0; over--) {
    const shrinkable = places.filter((place) => (widths[place] ?? 0) > (floors[place] ?? 0))
    const widest = shrinkable.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0]
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }

  return widths
}

/** A value in words: `site 38, machine 1,298` instead of its JSON; `none` where it is empty. */
export function sayValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(sayValue).join('; ') || 'none'
  if (!isRecord(value)) return String(value)
  const parts = Object.entries(value).map(
    ([name, one]) => `${name.replaceAll('_', ' ')} ${typeof one === 'number' ? thousands(one) : sayValue(one)}`,
  )
  return parts.join(', ') || 'none'
}
