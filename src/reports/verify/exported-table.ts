import {newline, quote} from '../../values/byte-codes.js'

/** Behind the line feed that ends a row of an exported table; -1 when it is not there. Quotes come in pairs. */
export function endOfRow(bytes: Buffer, start: number): number {
  const {length} = bytes
  let isQuoted = false
  for (let at = start; at < length; at++) {
    const byte = bytes[at] as number
    if (byte > quote) continue
    if (byte === quote) isQuoted = !isQuoted
    else if (byte === newline && !isQuoted) return at + 1
  }

  return -1
}

/** The cells of a row of an exported table; null where nothing stands, which is no empty text. */
export function cellsOf(row: string, delimiter: string): (string | null)[] {
  const cells: (string | null)[] = []
  let open: string | undefined
  for (const part of row.replace(/\r?\n$/, '').split(delimiter)) {
    const cell: string = open === undefined ? part : `${open}${delimiter}${part}`
    open = cell.split('"').length % 2 === 0 ? cell : undefined
    if (open === undefined) cells.push(cell === '' ? null : cell.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'))
  }

  return cells
}
