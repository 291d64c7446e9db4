import type {Terminal} from './facts.js'

/** A piece of a line that is never broken; `shown` is its text with colours. */
export type Piece = {text: string; shown: string}

/** How text is set: lines of at most `width` columns, with colours or without. */
export type Page = {
  width: number
  heading(text: string): string
  name(text: string): string
  faint(text: string): string
}

const narrowest = 40
/** Longer lines are hard to read, however wide the terminal is. */
const widest = 112

export function createPage({width, color}: Terminal): Page {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    width: Math.min(Math.max(Math.floor(width) || 80, narrowest), widest),
    heading: paint(1, 22),
    name: paint(36, 39),
    faint: paint(2, 22),
  }
}

/** The words of a text as pieces, each in the same colour. */
export function toPieces(text: string, paint: (text: string) => string = (word) => word): Piece[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({text: word, shown: paint(word)}))
}

/** Lines of pieces, joined by spaces; a piece that is longer than a line has one of its own. */
export function wrap(pieces: readonly Piece[], width: number): string[] {
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const {text, shown} of pieces) {
    if (used > 0 && used + 1 + text.length > width) {
      lines.push(line)
      used = 0
    }
    line = used === 0 ? shown : `${line} ${shown}`
    used += text.length + (used === 0 ? 0 : 1)
  }

  return used > 0 ? [...lines, line] : lines
}

export function paragraph(text: string, page: Page, indent = 0): string[] {
  return indented(wrap(toPieces(text), page.width - indent), indent)
}

export function indented(lines: readonly string[], indent: number): string[] {
  return lines.map((line) => `${' '.repeat(indent)}${line}`)
}

/** A heading with its lines; nothing without lines. */
export function section(title: string, lines: readonly string[], page: Page): string[] {
  return lines.length === 0 ? [] : ['', page.heading(title), ...lines]
}
