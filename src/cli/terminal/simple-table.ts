import {hasColor} from '../help/terminal.js'
import {foldCells, overWidth, toBlocks} from './fold-cells.js'

/**
 * A small table, safe for a terminal and never cut. On a narrow terminal the widest cells continue on the next line; on
 * a very narrow one, each row is a block of lines. Ends with a newline.
 */
export async function simpleTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WriteStream = process.stdout,
): Promise<string> {
  const [{toColumn}, {writeTable}, {toSafeText}] = await Promise.all([
    import('../../formats/columns.js'),
    import('../../formats/write/table/write-table.js'),
    import('../../formats/safe-text.js'),
  ])
  const columns = headers.map((name) => toColumn([name], 'text'))
  const safe = rows.map((row) => headers.map((_, place) => toSafeText(row[place] ?? '')))
  const width = (stream.isTTY && stream.columns) || undefined
  if (width && headers.length > 2 && overWidth([headers, ...safe], width)) return toBlocks(headers, safe)
  const lines = width ? foldCells([headers, ...safe], width).slice(1) : safe
  const records = lines.map((row) => Object.fromEntries(headers.map((name, place) => [name, row[place] ?? ''])))
  const writer = writeTable(columns, records, {color: hasColor(stream, process.env)})
  return [writer.header, ...writer.records(records)].join('')
}
