import {styleText} from 'node:util'
import {allFieldsOf, type Write} from '../../contract/index.js'
import {widthOf} from '../../core/text-width.js'
import {toColumn} from '../../formats/columns.js'
import type {DiffFormat} from '../../formats/names.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {TextCell} from '../../formats/write/html/text-page.js'
import type {Comparison, RowChange} from '../../runs/rows/phases.js'
import {thousands} from '../../values/counted.js'
import {isDecimal} from '../../values/decimal.js'
import {createDecimalSum} from '../../values/decimal-sum.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {hasColor} from '../help/terminal-look.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'

/** `+` makes a record, or a value where none was; `-` deletes a record; `~` changes a value. */
export type Sign = '+' | '~' | '-'

/** One change as people read it. */
export type DiffLine = {
  /** Where the record is, such as `site 1001`; empty where that is not known. */
  place: string
  sign: Sign
  id: string
  name: string
  field: string
  from: string
  to: string
}

/** Whether a record would be made, which has no id yet. */
export function isCreation({id, field}: Pick<RowChange, 'id' | 'field'>): boolean {
  return field === 'created' && id === null
}

/** Changes in the order of their rows, those of one place together. */
export function toDiffLines(changes: readonly RowChange[]): DiffLine[] {
  const lines = changes.map(({place = '', id, name = '', selection = '', field, from, to}): DiffLine => {
    const isDeletion = field === 'deleted' && to === true
    const isNew = isCreation({id, field})
    const texts = isDeletion || isNew ? {from: '', to: ''} : {from: toWords(from), to: toWords(to)}
    const sign = isDeletion ? '-' : isNew || (from === null && to !== null) ? '+' : '~'
    return {
      place,
      sign,
      id: id === null ? '' : toWords(id),
      field,
      name: [name, selection].filter(Boolean).join(' '),
      ...texts,
    }
  })
  return [...Map.groupBy(lines, ({place}) => place).values()].flat()
}

/** A text as it is, so that it can be read; everything else, and the empty text, as JSON. */
export function toWords(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : printJson(value)
}

/** The part of a new value that differs from the old one, between what both begin and end with. */
export function findChanged(from: string, to: string): {start: string; changed: string; end: string} {
  const [old, now] = [Array.from(from), Array.from(to)]
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const cut = now.length - end
  return {start: now.slice(0, start).join(''), changed: now.slice(start, cut).join(''), end: now.slice(cut).join('')}
}

/** A change as cells of a page: its sign, place, id, name and field, and both values. */
export function toDiffCells({sign, place, id, name, field, from, to}: DiffLine): TextCell[] {
  const {start, changed, end} = findChanged(from, to)
  return [sign, place, id, name, field, from, sign !== '~' || start + end === '' ? to : {start, changed, end}]
}

/** `price 466.80 → 490.00 (+23.20), of 240`: sums of the amounts that change, field by field. */
export function describeSums(lines: readonly DiffLine[], {resource, words}: Write): string[] {
  const fields = allFieldsOf(resource)
  const amounts = lines.filter(
    ({field, from, to}) => fields[field]?.kind === 'decimal' && isDecimal(from) && isDecimal(to),
  )
  return [...Map.groupBy(amounts, ({field}) => field)].map(([field, those]) => {
    const [before, after, difference] = [createDecimalSum(), createDecimalSum(), createDecimalSum()]
    for (const {from, to} of those) {
      before.add(from)
      after.add(to)
    }
    difference.merge(after)
    difference.merge({text: before.text.startsWith('-') ? before.text.slice(1) : `-${before.text}`})
    const sign = difference.text.startsWith('-') ? '' : '+'
    const records = `${thousands(those.length)} ${those.length === 1 ? words.noun : words.nouns}`
    return `${field} ${before.text} → ${after.text} (${sign}${difference.text}), of ${records}`
  })
}

const colors = {'+': 'green', '~': 'yellow', '-': 'red'} as const
const indent = '  '

/** Changes for a terminal, by place; colours repeat what the signs say. Ends with a newline. */
export function renderDiffLines(lines: readonly DiffLine[], stream: NodeJS.WriteStream): string {
  const isColored = hasColor(stream, process.env)
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColored && text !== '' ? styleText(style, text, {validateStream: false}) : text
  const widths = [0, 0, 0]
  const all = lines.map((line) => {
    const cells = [line.id, line.name, line.field].map(toSafeText)
    for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
    return {...line, cells}
  })
  const toText = (line: (typeof all)[number]) => {
    const {sign, from, to} = line
    const cells = line.cells.flatMap((cell, at) =>
      widths[at] === 0 ? [] : [cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell))],
    )
    const {start, changed, end} = findChanged(toSafeText(from), toSafeText(to))
    const next = start + paint(['bold', 'underline'], changed) + end
    const value = sign === '-' ? '' : sign === '+' ? next : `${toSafeText(from)} → ${next}`
    return `${paint(colors[sign], sign)} ${[...cells, value].join('  ')}`.trimEnd()
  }
  return [...Map.groupBy(all, ({place}) => place)]
    .flatMap(([place, those]) => {
      const head = place === '' ? [] : [paint('bold', place)]
      return [...head, ...those.map((line) => (place === '' ? '' : indent) + toText(line))]
    })
    .map((line) => `${line}\n`)
    .join('')
}

type Differing = {plan: {[name: string]: JsonValue}; comparison?: Comparison | undefined}

/** What would change, as data. */
export function toDiffData({plan, comparison}: Differing): {[name: string]: JsonValue} {
  return {
    plan,
    changes: (comparison?.changes ?? []).map(({place: _, ...change}) => change),
    missing: (comparison?.missing ?? []).map((row) => ({...row})),
    ...(comparison?.machines && {machines: comparison.machines.map((machine) => ({...machine}))}),
  }
}

/** What would change, field by field; undefined where there is nothing to show. */
export async function renderDiff(report: Differing, format: DiffFormat): Promise<string | undefined> {
  if (format === 'json') return asShown(`${printJson(toDiffData(report), 2)}\n`)
  const {changes = []} = report.comparison ?? {}
  return changes.length === 0 ? undefined : renderChanges(changes, format)
}

/** Changes of fields as a table for scripts, or by place and with their signs for people who read Markdown. */
async function renderChanges(changes: readonly RowChange[], format: Exclude<DiffFormat, 'json'>): Promise<string> {
  if (format === 'table') return renderTable(changes)
  const {markdownHeader, toLine, toMarkdown} = await import('../../formats/write/table/markdown.js')
  const headers = ['', 'where', 'id', 'name', 'field', 'now', 'new']
  const rows = toDiffLines(changes).map(({sign, place, id, name, field, from, to}) =>
    [sign, place, id, name, field, cut(from), cut(to)].map(toMarkdown),
  )
  return [markdownHeader(headers.map((name) => toColumn([name], 'text'))), ...rows.map(toLine)].join('')
}

/** Records are named by id, and by name where one is known. */
async function renderTable(changes: readonly RowChange[]): Promise<string> {
  const hasNames = changes.some(({name}) => name !== undefined)
  const hasSelections = changes.some(({selection}) => selection !== undefined)
  const headers = ['id', ...(hasNames ? ['name'] : []), ...(hasSelections ? ['selection'] : []), 'field', 'now', 'new']
  const rows = changes.map(({id, name = '', selection = '', field, from, to}) => [
    toWords(id),
    ...(hasNames ? [name] : []),
    ...(hasSelections ? [selection] : []),
    field,
    cut(toWords(from)),
    cut(toWords(to)),
  ])
  return simpleTable(headers, rows)
}

/** Longer than any field but the settings of machines, which are whole in the JSON. */
const longest = 300

function cut(text: string): string {
  return text.length > longest ? `${Array.from(text.slice(0, longest)).slice(0, -1).join('')}…` : text
}
