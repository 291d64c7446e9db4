import {type Column, isNumeric} from '../../columns.js'
import {toSafeText} from '../../safe-text.js'
import type {PageKind, PageRendererOptions} from '../../scan/page-renderer.js'
import {createTextRows} from './text-rows.js'

/** The format of pipe tables, whose cells show the data as it is: nothing in them is markup, a newline is `<br>`. */
export function markdownKind(options: PageRendererOptions): PageKind {
  return {
    scanned: {},
    needsColumns: true,
    start: '',
    open(columns = [], shapes) {
      let lines = ''
      const visit = createTextRows({...options, columns, shapes, toText: toMarkdown}, (texts) => {
        lines += toLine(texts)
      })
      return {
        header: markdownHeader(columns),
        record(page, index, {output, lost, most}) {
          lines = ''
          const rows = visit(page, index, lost, most)
          output.text(lines)
          return rows
        },
      }
    },
    end: () => '',
  }
}

/** Names and the rule below them, which puts numbers to the right. */
export function markdownHeader(columns: readonly Column[]): string {
  const rule = columns.map(({kind}) => (isNumeric(kind) ? '---:' : '---'))
  return `${toLine(columns.map(({name}) => toMarkdown(name)))}${toLine(rule)}`
}

/** A row of a pipe table. */
export function toLine(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |\n`
}

/** A text as markdown that shows it as it is; a newline is `<br>`. */
export function toMarkdown(text: string): string {
  if (plain.test(text)) return escapeMarkup(text)
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => escapeMarkup(toSafeText(line)))
    .join('<br>')
}

const plain = /^[\x20-\x7e]*$/
const markup = /[\\|`*[\]~_<&]/

function escapeMarkup(text: string): string {
  if (!markup.test(text)) return text
  return text
    .replaceAll(/[\\|`*[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
}
