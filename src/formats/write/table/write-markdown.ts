import type {JsonRecord} from '../../../values/json.js'
import {type Column, isNumeric} from '../../columns.js'
import {type Cells, createFlatten, type Lost, toCellText} from '../../flatten.js'
import {toSafeText} from '../../safe-text.js'
import {toChunks} from '../chunks.js'
import type {Writer} from '../writer.js'

/** Writes a pipe table whose cells show the data as it is: nothing in them is markup, a newline is `<br>`. */
export function writeMarkdown(columns: readonly Column[]): Writer {
  const flatten = createFlatten(columns)
  const rule = columns.map(({kind}) => (isNumeric(kind) ? '---:' : '---'))

  return {
    header: `${toLine(columns.map(({name}) => toMarkdown(name)))}${toLine(rule)}`,
    *records(records, lost) {
      yield* toChunks(lines(records, lost))
    },
    footer: () => '',
  }

  function* lines(records: Iterable<JsonRecord>, lost?: Lost): Generator<string, void, void> {
    for (const record of records) yield toLine(toTexts(flatten(record, lost)))
  }
}

function toTexts(cells: Cells): string[] {
  return cells.map((cell) => toMarkdown(toCellText(cell) ?? ''))
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
