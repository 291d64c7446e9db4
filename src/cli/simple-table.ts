import {columnsOf, foldText} from './fold-text.js'
import {hasColor} from './help/terminal.js'

const [gap, narrowest] = [2, 20]
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
  const widths = (rows[0] ?? []).map((_, place) => Math.max(0, ...rows.map((row) => columnsOf(row[place] ?? ''))))
  let over = widths.reduce((sum, each) => sum + each + gap, -gap) - width
  while (over > 0) {
    const widest = Math.max(...widths)
    const next = Math.max(narrowest, ...widths.filter((each) => each < widest))
    if (widest <= narrowest) break
    const less = Math.min(over, Math.max(1, widest - next))
    widths[widths.indexOf(widest)] = widest - less
    over -= less
  }

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
