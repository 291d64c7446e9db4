/** The candidate that a misspelled word most likely meant; undefined when none is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  return suggestAll(word, candidates)[0]
}

/** The same as the lines of a hint: one, or none where no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string[] {
  const nearest = suggest(word, candidates)
  return nearest === undefined ? [] : [`Did you mean ${nearest}?`]
}

/** The candidates that are nearest to a misspelled word, all of them equally near. */
export function suggestAll(word: string, candidates: readonly string[]): string[] {
  const plain = toPlain(word)
  const ranked = candidates
    .filter((candidate) => Math.abs(toPlain(candidate).length - plain.length) <= farthest(plain, candidate))
    .map((candidate) => ({candidate, distance: distanceOf(plain, toPlain(candidate))}))
    .filter(({candidate, distance}) => distance <= farthest(plain, candidate))
    .sort((one, other) => one.distance - other.distance)

  return ranked.filter(({distance}) => distance === ranked[0]?.distance).map(({candidate}) => candidate)
}

/** The most letters in which a misspelled word differs from what it meant. */
function farthest(plain: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.min(plain.length, candidate.length) / 3))
}

function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Letters to insert, remove, replace or swap to get from one word to the other. */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [Array.from({length: to.length + 1}, (_, index) => index)]
  for (let row = 1; row <= from.length; row++) rows.push(nextRow(from, to, row, rows))
  return rows[from.length]?.[to.length] ?? 0
}

function nextRow(from: string, to: string, row: number, rows: readonly number[][]): number[] {
  const above = rows[row - 1] ?? []
  const line = [row]
  for (let column = 1; column <= to.length; column++) {
    const same = from[row - 1] === to[column - 1]
    const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
    const cheapest = Math.min(
      (above[column] ?? 0) + 1,
      (line[column - 1] ?? 0) + 1,
      (above[column - 1] ?? 0) + (same ? 0 : 1),
      swapped ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
    )
    line.push(cheapest)
  }

  return line
}
