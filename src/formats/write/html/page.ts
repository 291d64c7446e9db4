import {createHash} from 'node:crypto'
import {html, Markup, type Part} from './markup.js'
import {chartStyle, pageStyle} from './style.js'

/** A page of one file: no script, nothing from elsewhere. All texts may come from outside. */
export type Page = {
  readonly title: string
  /** Below the title, such as where the figures are from. */
  readonly facts: readonly (readonly [name: string, value: Part])[]
  /** Figures in large digits. */
  readonly tiles?: readonly Tile[]
  readonly sections: readonly Section[]
  readonly footer: readonly string[]
}

export type Tile = {readonly name: string; readonly value: string; readonly note?: string; readonly isMain?: boolean}

export type Section = {
  /** Target of links of the page. */
  readonly id?: string
  readonly title: string
  readonly text?: Part
  readonly content?: Part
  /** True of a section that a person should look at. */
  readonly isAlarm?: boolean
}

const style = `${pageStyle}\n${chartStyle}`

/** The text of a page. Its policy permits the one style and nothing else: no script, no request, no form. */
export function renderPage({title, facts, tiles = [], sections, footer}: Page): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="head">
<h1>${title}</h1>
<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
</header>
<main>
${tiles.length === 0 ? undefined : html`<dl class="tiles">\n${tiles.map(toTile)}</dl>\n`}${sections.map(toSection)}</main>
<footer class="foot">
${footer.map((line) => html`<p>${line}</p>\n`)}</footer>
</body>
</html>
`.text
}

function toTile({name, value, note, isMain}: Tile): Markup {
  const more = note === undefined ? undefined : html`<dd class="note">${note}</dd>`
  return html`<div class="${isMain ? 'tile main' : 'tile'}"><dt>${name}</dt><dd>${value}</dd>${more}</div>\n`
}

function toSection({id, title, text, content, isAlarm}: Section): Markup {
  const place = id === undefined ? undefined : html` id="${id}"`
  const look = isAlarm ? html` class="look"` : undefined
  return html`<section${place}${look}>
<h2>${title}</h2>
${text === undefined ? undefined : html`<p class="soft">${text}</p>\n`}${content}
</section>
`
}
