import {thousands} from '../../../values/counted.js'
import {html, type Markup, type Part, toCode} from './markup.js'

export type Table = {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Part[])[]
  /** What the rows add up to, with those that are not listed. */
  readonly total?: readonly Part[]
  /** Rows that are not listed, and the command that lists all of them. */
  readonly more?: {readonly count: number; readonly command: string}
}

export type Column = {readonly name: string; readonly isNumber?: boolean}

/** Columns of numbers. */
export function numbers(...names: readonly string[]): Column[] {
  return names.map((name) => ({name, isNumber: true}))
}

/** A table whose first column names the row. One that is wider than the screen scrolls by itself, also by keys. */
export function renderTable({caption, columns, rows, total, more}: Table): Markup {
  const names = columns.map(({name, isNumber}) => html`<th scope="col"${ofNumber(isNumber)}>${name}</th>`)
  const sum = total === undefined ? undefined : html`<tfoot>\n${toRow(total, columns)}</tfoot>\n`
  return html`<div class="table" tabindex="0" role="group" aria-label="${caption}">
<table>
<caption>${caption}</caption>
<thead><tr>${names}</tr></thead>
<tbody>
${rows.map((row) => toRow(row, columns))}</tbody>
${sum}</table>
</div>
${more === undefined ? undefined : renderMore(more.count, more.command)}`
}

/** What a list leaves out, and how to get it. */
export function renderMore(count: number, command: string): Markup {
  return html`<p class="more">… and ${thousands(count)} more. All of them: ${toCode(command)}</p>\n`
}

function toRow(row: readonly Part[], columns: readonly Column[]): Markup {
  const cells = row.map((value, place) => {
    if (place === 0) return html`<th scope="row"${ofNumber(columns[0]?.isNumber)}>${value}</th>`
    return html`<td${ofNumber(columns[place]?.isNumber)}>${value}</td>`
  })
  return html`<tr>${cells}</tr>\n`
}

function ofNumber(isNumber: boolean | undefined): Markup | undefined {
  return isNumber ? html` class="n"` : undefined
}
