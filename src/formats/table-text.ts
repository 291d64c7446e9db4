import Table from 'cli-table3'

/** The letters, and the sign of a cut, that always take one column each. */
const narrow = /^[\x20-\x7e…]*$/
let graphemes: Intl.Segmenter | undefined
const gap = '  '
const maximumCached = 10_000

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

/** Narrow letters need no library to find their width, and the library takes a millisecond for two lines. */
function drawLine(cells: readonly string[], {widths, alignments}: Layout): string {
  if (cells.every((cell) => narrow.test(cell))) {
    return cells.map((cell, place) => pad(cell, widths[place] ?? 0, alignments[place])).join(gap)
  }

  const table = new Table({chars: noBorders, style, colWidths: [...widths], colAligns: [...alignments]})
  table.push([...cells])
  return table.toString()
}

function pad(text: string, width: number, alignment: 'left' | 'right' | undefined): string {
  return alignment === 'right' ? text.padStart(width) : text.padEnd(width)
}

/** Columns of the terminal that a text takes: 2 for emoji and wide letters, 0 for marks that join the letter before. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  let width = 0
  for (const {segment} of segmentsOf(text)) width += graphemeWidth(segment)
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

/** Asks the library that draws: what it takes for the width is what it pads to. */
function graphemeWidth(grapheme: string): number {
  const known = graphemeWidths.get(grapheme)
  if (known !== undefined) return known
  const table = new Table({chars: noBorders, style})
  table.push([grapheme])
  table.toString()
  const width = table.options.colWidths[0] ?? 0
  if (graphemeWidths.size >= maximumCached) graphemeWidths.clear()
  graphemeWidths.set(grapheme, width)
  return width
}

/** Made when the first text beyond ASCII comes: most tables have none. */
function segmentsOf(text: string): Iterable<Intl.SegmentData> {
  graphemes ??= new Intl.Segmenter('en', {granularity: 'grapheme'})
  return graphemes.segment(text)
}
