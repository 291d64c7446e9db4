import Table from 'cli-table3'

/** The letters, and the sign of a cut, that always take one column each. */
const narrow = /^[\x20-\x7e…]*$/
let graphemes: Intl.Segmenter | undefined
const gap = '  '
const maximumCached = 100_000
const graphemesAtOnce = 128
/** Marks beyond these add nothing to what a letter takes. */
const longestGrapheme = 32

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: gap,
}
const style = {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true}

export type Layout = {readonly widths: readonly number[]; readonly alignments: readonly ('left' | 'right')[]}

export const gapWidth = gap.length

/** Draws rows of safe one-line texts; a text wider than its column is cut and ends in an ellipsis. */
export function drawLines(rows: readonly (readonly string[])[], layout: Layout): string {
  let text = ''
  for (const row of rows) {
    const cells = row.map((cell, place) => cutText(cell, layout.widths[place] ?? 0))
    text += `${drawLine(cells, layout).trimEnd()}\n`
  }

  return text
}

/** The library takes quadratic time to draw a long cell, so it only says how wide letters are. */
function drawLine(cells: readonly string[], {widths, alignments}: Layout): string {
  return cells.map((cell, place) => pad(cell, widths[place] ?? 0, alignments[place])).join(gap)
}

function pad(text: string, width: number, alignment: 'left' | 'right' | undefined): string {
  const length = width - widthOf(text) + text.length
  return alignment === 'right' ? text.padStart(length) : text.padEnd(length)
}

/** Columns of the terminal that a text takes: 2 for emoji and wide letters, 0 for marks that join the letter before. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  const segments = segmentsOf(text)
  learnWidths(segments)
  let width = 0
  for (const {segment} of segments) width += graphemeWidth(segment)
  return width
}

/** A text of at most `width` columns; one that was cut ends in an ellipsis, never inside a letter. */
export function cutText(text: string, width: number): string {
  if (narrow.test(text)) return text.length <= width ? text : `${text.slice(0, width - 1)}…`
  if (widthOf(text) <= width) return text
  let cut = ''
  let left = width - 1
  for (const {segment} of segmentsOf(text)) {
    left -= graphemeWidth(segment)
    if (left < 0) break
    cut += segment
  }

  return `${cut}…`
}

const graphemeWidths = new Map<string, number>()

function graphemeWidth(grapheme: string): number {
  return graphemeWidths.get(grapheme.slice(0, longestGrapheme)) ?? 0
}

/** Asks the library, many graphemes at once: a table takes as long for one as for a hundred. */
function learnWidths(segments: Iterable<Intl.SegmentData>): void {
  if (graphemeWidths.size >= maximumCached) graphemeWidths.clear()
  const unknown = new Set<string>()
  for (const {segment} of segments) {
    const grapheme = segment.slice(0, longestGrapheme)
    if (!graphemeWidths.has(grapheme)) unknown.add(grapheme)
  }

  const all = [...unknown]
  for (let start = 0; start < all.length; start += graphemesAtOnce) {
    const some = all.slice(start, start + graphemesAtOnce)
    const table = new Table({chars: noBorders, style})
    table.push(some)
    table.toString()
    for (const [place, grapheme] of some.entries()) graphemeWidths.set(grapheme, table.options.colWidths[place] ?? 0)
  }
}

/** Made when the first text beyond ASCII comes: most tables have none. */
function segmentsOf(text: string): Iterable<Intl.SegmentData> {
  graphemes ??= new Intl.Segmenter('en', {granularity: 'grapheme'})
  return graphemes.segment(text)
}
