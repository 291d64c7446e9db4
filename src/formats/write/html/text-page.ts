import {html, type Markup, renderTable, type Table, toCode} from './markup.js'
import {type Page, renderPage, type Section} from './page.js'

/** A page of words and tables, as HTML or as Markdown. All texts may come from outside. */
export type TextPage = Omit<Page, 'facts' | 'sections'> & {
  readonly facts: readonly (readonly [name: string, text: string])[]
  readonly sections: readonly TextSection[]
}

export type TextSection = Pick<Section, 'title' | 'isAlarm'> & {
  /** Paragraphs. */
  readonly texts?: readonly string[]
  readonly command?: string
  readonly tables?: readonly TextTable[]
}

export type TextTable = Pick<Table, 'caption' | 'columns'> & {
  /** Noun for the rows: `changes`. */
  readonly what: string
  readonly rows: readonly (readonly TextCell[])[]
  /** Rows that are not listed, and what lists them. */
  readonly left?: number
  readonly all?: string | undefined
}

/** A text, or a value of which only `changed` differs from the value before. */
export type TextCell = string | {readonly start: string; readonly changed: string; readonly end: string}

/** The page as HTML. */
export function renderTextPage({sections, ...page}: TextPage): string {
  return renderPage({...page, sections: sections.map(toSection)})
}

function toSection({title, isAlarm = false, texts = [], command, tables = []}: TextSection): Section {
  const paragraphs = texts.map((text) => html`<p>${text}</p>\n`)
  const code = command === undefined ? undefined : html`<p>${toCode(command)}</p>\n`
  return {title, isAlarm, content: [paragraphs, code, tables.map(toTable)]}
}

function toTable({caption, columns, rows, left = 0, all = ''}: TextTable): Markup {
  return renderTable({
    ...{caption, columns},
    rows: rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? cell : html`${cell.start}<mark>${cell.changed}</mark>${cell.end}`)),
    ),
    ...(left > 0 && {more: {count: left, command: all}}),
  })
}
