/** A part of a guide; text still has its marks of code. */
export type Block =
  | {kind: 'heading'; text: string}
  | {kind: 'text'; text: string}
  | {kind: 'code'; lines: string[]}
  | {kind: 'table'; rows: string[][]}

/** Reads the little of Markdown that guides use: headings, paragraphs, fenced code and tables. The title is left out. */
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
  if (!text.startsWith('|')) return [{kind: 'text', text: text.replaceAll('\n', ' ')}]
  const rows = text.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return [{kind: 'table', rows: rows.filter((_, index) => index !== 1)}]
}

/** The text without its marks of code, and which parts are code. */
export function readSpans(text: string): {text: string; isCode: boolean}[] {
  return text.split('`').map((span, index) => ({text: span, isCode: index % 2 === 1}))
}
