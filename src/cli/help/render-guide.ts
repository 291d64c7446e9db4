import type {Terminal} from './facts.js'
import {createPage, type Entry, inColumns, indented, type Page, type Piece, wrap} from './help-page.js'

/** Prose is hard to read in longer lines. */
const widest = 80
const [indent, codeIndent] = [2, 4]
/** Code that is no longer is never broken. */
const shortCode = 40

export function renderGuide(markdown: string, {width, color}: Terminal): string {
  const page = createPage({width: Math.min(width, widest), color})
  const blocks = readBlocks(markdown)
  const lines = blocks.flatMap((block, index) => [
    ...(index === 0 || blocks[index - 1]?.kind === 'heading' ? [] : ['']),
    ...toLines(block, page, index === 0 ? 0 : indent),
  ])
  return `${lines.join('\n')}\n`
}

function toLines(block: Block, page: Page, left: number): string[] {
  if (block.kind === 'heading') return [page.heading(block.text.toUpperCase())]
  if (block.kind === 'text') return indented(wrap(toPieces(block.text, page), page.width - left), left)
  if (block.kind === 'code') return indented(block.lines, codeIndent).map((line) => line.trimEnd())
  if (block.kind === 'list') return block.items.flatMap((item) => toItem(toPieces(item, page), page, left))
  const [head = [], ...rows] = block.rows
  return inColumns([toEntry(head, page, page.faint), ...rows.map((row) => toEntry(row, page, page.name))], page)
}

function toItem(pieces: readonly Piece[], page: Page, left: number): string[] {
  return wrap(pieces, page.width - left - 2).map(
    (line, index) => `${' '.repeat(left)}${index === 0 ? '- ' : '  '}${line}`,
  )
}

function toEntry([term = '', ...cells]: readonly string[], page: Page, paint: (text: string) => string): Entry {
  const text = term.replaceAll('`', '')
  return {term: {text, shown: paint(text)}, words: toPieces(cells.join(': '), page)}
}

/** Words with the punctuation that follows them; short code is one word. */
function toPieces(text: string, page: Page): Piece[] {
  const pieces: Piece[] = []
  let piece: Piece = {text: '', shown: ''}
  for (const {text: span, isCode} of readSpans(text)) {
    const words = isCode && span.length <= shortCode ? [span] : span.split(' ')
    for (const [index, word] of words.entries()) {
      if (index > 0) {
        pieces.push(piece)
        piece = {text: '', shown: ''}
      }
      piece = {text: piece.text + word, shown: piece.shown + (isCode ? page.name(word) : word)}
    }
  }
  return [...pieces, piece].filter((each) => each.text !== '')
}

/** A part of a guide; text still has its marks of code. */
export type Block =
  | {kind: 'heading'; text: string}
  | {kind: 'text'; text: string}
  | {kind: 'list'; items: string[]}
  | {kind: 'code'; lines: string[]}
  | {kind: 'table'; rows: string[][]}

/** Reads the Markdown that guides use: headings, paragraphs, lists, fenced code and tables; leaves out the title. */
export function readBlocks(markdown: string): Block[] {
  const parts = markdown.split(/^(```\w*\n[\s\S]*?^```$)/m)
  return parts.flatMap((part) => (part.startsWith('```') ? [toCode(part)] : part.split(/\n{2,}/).flatMap(toBlock)))
}

function toCode(part: string): Block {
  return {kind: 'code', lines: part.split('\n').slice(1, -1)}
}

function toBlock(part: string): Block[] {
  const text = part.trim()
  if (text === '' || text.startsWith('# ')) return []
  if (text.startsWith('## ')) return [{kind: 'heading', text: text.slice('## '.length)}]
  if (text.startsWith('- ')) return [{kind: 'list', items: toItems(text)}]
  if (!text.startsWith('|')) return [{kind: 'text', text: text.replaceAll('\n', ' ')}]
  const rows = text.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return [{kind: 'table', rows: rows.filter((_, index) => index !== 1)}]
}

function toItems(text: string): string[] {
  return text
    .slice('- '.length)
    .split('\n- ')
    .map((item) => item.replaceAll(/\n */g, ' '))
}

/** The text without its marks of code, and which parts are code. */
export function readSpans(text: string): {text: string; isCode: boolean}[] {
  return text.split('`').map((span, index) => ({text: span, isCode: index % 2 === 1}))
}
