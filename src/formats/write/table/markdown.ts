import {type Column, isNumeric} from '../../columns.js'
import {toSafeText} from '../../safe-text.js'

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
