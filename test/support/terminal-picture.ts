import {stripVTControlCharacters} from 'node:util'

/** A command, and what a terminal then shows, with the codes of its colours. */
export type Shown = {command: string; output: string}

const [columns, letter, line, margin, bar] = [128, 7.2, 19, 20, 36]

/** A terminal as an SVG that follows the light or dark look of the reader. */
export function drawTerminal(title: string, steps: readonly Shown[]): string {
  const lines = steps.flatMap(({command, output}, index) => [
    ...(index === 0 ? [] : ['']),
    ...breakLine(`$ ${command}`).map((text) => `${tspan('p', text.slice(0, 2))}${tspan('b', text.slice(2))}`),
    ...output.trimEnd().split('\n').flatMap(breakLine).map(paint),
  ])
  const [width, height] = [Math.ceil(columns * letter + 2 * margin), lines.length * line + bar + margin]
  const texts = lines.map((text, index) => drawLine(text, bar + (index + 1) * line - 4)).filter(Boolean)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeText(title)}</title>
<style>
svg { --back: #ffffff; --edge: #d0d7de; --text: #1f2328; --prompt: #0969da; --dot: #afb8c1 }
@media (prefers-color-scheme: dark) { svg { --back: #0d1117; --edge: #30363d; --text: #e6edf3; --prompt: #58a6ff; --dot: #484f58 } }
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre }
.b { font-weight: 600 }
.p { fill: var(--prompt) }
circle { fill: var(--dot) }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" style="fill: var(--back); stroke: var(--edge)"/>
${[20, 38, 56].map((x) => `<circle cx="${x}" cy="18" r="5"/>`).join('')}
${texts.join('\n')}
</svg>
`
}

/** A line as a terminal breaks it; codes of colours are kept where the line fits. */
function breakLine(text: string): string[] {
  const plain = stripVTControlCharacters(text)
  if (plain.length <= columns) return [text]
  return [plain.slice(0, columns), ...breakLine(plain.slice(columns))]
}

/** Text of which only what is bold stands out. */
function paint(text: string): string {
  const parts = text.replaceAll('\u001b[22m', '\u001b[1m').split('\u001b[1m')
  return parts.map((part, index) => (index % 2 === 1 ? tspan('b', part) : escapeText(plainOf(part)))).join('')
}

function drawLine(text: string, y: number): string {
  const {length} = text.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, '.')
  return length === 0 ? '' : `<text x="${margin}" y="${y}" textLength="${Math.round(length * letter)}">${text}</text>`
}

const plainOf = stripVTControlCharacters

function tspan(kind: 'b' | 'p', text: string): string {
  return `<tspan class="${kind}">${escapeText(plainOf(text))}</tspan>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
