import {createCut, cutMiddle} from '../../../core/text-width.js'
import {thousands} from '../../../values/counted.js'
import {toSafeText} from '../../safe-text.js'

/** HTML or SVG made by a template of the program. Every other text is escaped when a template inserts it. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A part of a template; `undefined` is nothing. */
export type Part = Markup | string | number | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
/** Texts that need no escape: a fast path, since most are such. */
const plain = /^[\w .,:+~→/-]{0,200}$/
/** Columns of one text at most: commands and notes are shorter, and a page stays small whatever comes. */
const longest = 4_000
const longestName = 80
const longestCommand = 1_000
const cut = createCut()

/**
 * A template of HTML and of SVG, which is XML: texts in it are escaped, also within attributes in quotes. What hides or
 * reorders other text (controls, bidi marks) is shown as `\u202e`, and a long text is cut.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? ''
  for (const [place, part] of parts.entries()) text += toMarkup(part) + strings[place + 1]
  return new Markup(text)
}

/** A name from outside, for a table. A right-to-left name leaves its neighbours in their places. */
export function toName(text: string): Markup {
  return html`<bdi>${cut(text, longestName)}</bdi>`
}

/** A command. One with thousands of ids keeps its two ends; with the ellipsis between them it is refused, not run. */
export function toCode(command: string): Markup {
  return html`<code>${cutMiddle(command, longestCommand)}</code>`
}

function toMarkup(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'number') return String(part)
  if (typeof part !== 'string') return part.map(toMarkup).join('')
  if (plain.test(part)) return part
  return toSafeText(cut(part, longest)).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}

export type Table = {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Part[])[]
  /** The sum of the rows, with those that are not listed. */
  readonly total?: readonly Part[]
  /** Rows that are not listed, and the command that lists all of them. */
  readonly more?: {readonly count: number; readonly command: string}
}

/** A column without a name contains signs such as + and ~. */
export type Column = {readonly name: string; readonly isNumber?: boolean}

export function numbers(...names: readonly string[]): Column[] {
  return names.map((name) => ({name, isNumber: true}))
}

/** A table whose first column names the row. One that is wider than the screen scrolls by itself, also by keys. */
export function renderTable({caption, columns, rows, total, more}: Table): Markup {
  const looks = columns.map(({name, isNumber}) => (isNumber || name === '' ? html` class="n"` : undefined))
  const names = columns.map(({name}, place) =>
    name === '' ? html`<td class="n"></td>` : html`<th scope="col"${looks[place]}>${name}</th>`,
  )
  const sum = total === undefined ? undefined : html`<tfoot>\n${toRow(total, looks)}</tfoot>\n`
  return html`<div class="table" tabindex="0" role="group" aria-label="${caption}">
<table>
<caption>${caption}</caption>
<thead><tr>${names}</tr></thead>
<tbody>
${rows.map((row) => toRow(row, looks))}</tbody>
${sum}</table>
</div>
${more === undefined ? undefined : renderMore(more.count, more.command)}`
}

/** The number of entries that a list leaves out, and the command that shows them. */
export function renderMore(count: number, command: string): Markup {
  const all = command === '' ? undefined : html` All of them: ${toCode(command)}`
  return html`<p class="more">… and ${thousands(count)} more.${all}</p>\n`
}

function toRow(row: readonly Part[], looks: readonly Part[]): Markup {
  const cells = row.map((value, place) =>
    place === 0 ? html`<th scope="row"${looks[0]}>${value}</th>` : html`<td${looks[place]}>${value}</td>`,
  )
  return html`<tr>${cells}</tr>\n`
}
