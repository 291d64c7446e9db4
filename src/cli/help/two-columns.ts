import {indented, type Page, type Piece, wrap} from './help-page.js'

/** A term at the left, and its description at the right. */
export type Entry = {term: Piece; words: readonly Piece[]}

const [indent, gap] = [2, 2]
const [narrow, wide] = [72, 100]

/** How wide the left side of entries is: as the longest term that leaves enough room for the right side. */
export function leftOf(entries: readonly Entry[], page: Page): number {
  const most = page.width >= wide ? 40 : 28
  return Math.max(0, ...entries.map(({term}) => term.text.length).filter((length) => length <= most))
}

/** Entries in two columns; a longer term has its own line, and in a narrow terminal each has. */
export function inColumns(entries: readonly Entry[], page: Page, left = leftOf(entries, page)): string[] {
  const isNarrow = page.width < narrow
  return entries.flatMap(({term, words}) => {
    const start = isNarrow ? indent + 6 : indent + left + gap
    const lines = indented(wrap(words, page.width - start), start)
    const [first = '', ...rest] = lines
    const head = `${' '.repeat(indent)}${term.shown}`
    if (isNarrow || term.text.length > left) return [head, ...lines]
    return [`${head}${' '.repeat(start - indent - term.text.length)}${first.slice(start)}`.trimEnd(), ...rest]
  })
}
