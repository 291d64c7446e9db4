import {toCommandName} from '../../values/command-facts.js'
import type {Terminal} from './facts.js'

/** A piece of a line that is never broken; `shown` is its text with colours. */
export type Piece = {text: string; shown: string}

/** Layout of text: lines of at most `width` columns, with colours or without. */
export type Page = {
  width: number
  heading(text: string): string
  name(text: string): string
  faint(text: string): string
}

const narrowest = 40
/** The most columns of a page, however wide the terminal is: longer lines are hard to read. */
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

/** A term at the left, and its description at the right. */
export type Entry = {term: Piece; words: readonly Piece[]}

const [indent, gap] = [2, 2]
const [narrow, wide] = [72, 100]

/** Width of the left side of entries: the longest term that leaves enough room for the right side. */
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

const [prompt, continuation] = ['$ ', '    ']

/** The example commands of a command, with the names filled in. */
export function fillExamples(id: string, templates: readonly unknown[] = []): string[] {
  return templates
    .filter((template): template is string => typeof template === 'string')
    .map((template) =>
      template.replaceAll(/<%= ?config\.bin ?%>/g, 'vendorctl').replaceAll(/<%= ?command\.id ?%>/g, toCommandName(id)),
    )
}

/** Commands to copy: a long one continues after a backslash, never between a flag and its value. */
export function showExamples(examples: readonly string[], page: Page): string[] {
  return examples.flatMap((example) => {
    const lines = wrap(toUnits(example), page.width - 2 - continuation.length - 2)
    const end = (place: number) => (place < lines.length - 1 ? ' \\' : '')
    const shown = lines.map((line, place) => `${place === 0 ? prompt : continuation}${line}${end(place)}`)
    return indented(shown, 2)
  })
}

/** Words together with quoted parts; a flag or a redirection keeps the word after it. */
function toUnits(example: string): Piece[] {
  const words = example.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  const units: string[] = []
  for (const word of words) {
    const last = units.at(-1)
    const joins = last !== undefined && /^(-{1,2}[\w-]+|[<>|]|>>)$/.test(last) && !word.startsWith('-')
    if (joins) units[units.length - 1] = `${last} ${word}`
    else units.push(word)
  }

  return units.map((text) => ({text, shown: text}))
}
