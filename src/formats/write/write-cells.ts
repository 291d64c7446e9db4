/**
 * One line of separated values from the texts of its cells, quoted where they must be. The cells at the `quoted` places
 * (0-based) are written as two quotes. Ends with LF.
 */
export function writeCells(cells: readonly string[], delimiter: string, quoted: readonly number[] = []): string {
  const written = cells.map((cell, place) => {
    if (cell === '') return quoted.includes(place) ? '""' : ''
    const isSpecial = cell.includes('"') || cell.includes('\n') || cell.includes('\r') || cell.includes(delimiter)
    return isSpecial ? `"${cell.replaceAll('"', '""')}"` : cell
  })
  return `${written.join(delimiter)}\n`
}
