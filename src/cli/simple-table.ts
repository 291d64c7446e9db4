import {columnsOf, foldText} from './fold-text.js'
import {hasColor} from './help/terminal.js'

const [gap, narrowest] = [2, 8]
const unlimited = Number.POSITIVE_INFINITY

/**
 * A small table of our own words: headers and rows, safe for a terminal, never cut. On a terminal that is too narrow
 * the widest cells go on below. Ends with a newline.
 */
export async function simpleTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WriteStream = process.stdout,
): Promise<string> {
  const [{toColumn}, {writeTable}, {toSafeText}] = await Promise.all([
    import('../formats/columns.js'),
    import('../formats/write-table.js'),
    import('../formats/safe-text.js'),
  ])
  const columns = headers.map((name) => toColumn([name], 'text'))
  const safe = rows.map((row) => headers.map((_, place) => toSafeText(row[place] ?? '')))
  const lines = stream.isTTY ? foldCells([headers, ...safe], stream.columns || unlimited).slice(1) : safe
  const records = lines.map((row) => Object.fromEntries(headers.map((name, place) => [name, row[place] ?? ''])))
  const writer = writeTable(columns, records, {color: hasColor(stream, process.env)})
  return [writer.header, ...writer.records(records)].join('')
}

/** Rows in at most `width` columns, if need be in several lines each: the widest columns give way first. */
export function foldCells(rows: readonly (readonly string[])[], width: number): string[][] {
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

/** The width of each column; none is narrower than its longest word. */
function fitWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const cellsOf = (place: number) => rows.map((row) => row[place] ?? '')
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(columnsOf))
  const places = [...(rows[0] ?? []).keys()]
  const widths = places.map((place) => longest(cellsOf(place)))
  const floors = places.map((place) => Math.max(narrowest, longest(cellsOf(place).flatMap((cell) => cell.split(' ')))))
  for (let over = sum(widths) + gap * (widths.length - 1) - width; over > 0; over--) {
    const giving = places.filter((place) => (widths[place] ?? 0) > (floors[place] ?? 0))
    const widest = giving.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0]
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }

  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
