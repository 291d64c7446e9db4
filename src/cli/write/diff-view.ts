import {styleText} from 'node:util'
import {widthOf} from '../../core/text-width.js'
import {toColumn} from '../../formats/columns.js'
import type {DiffFormat} from '../../formats/names.js'
import {toSafeText} from '../../formats/safe-text.js'
import {type DiffLine, findChanged, toDiffLines, toShown} from '../../runs/plan/plan-view.js'
import type {RowList} from '../../runs/rows/cut-sets.js'
import type {Comparison, RowChange} from '../../runs/rows/phases.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {hasColor} from '../help/terminal-look.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'

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

type Differing = {
  plan: {[name: string]: JsonValue}
  comparison?: Comparison | undefined
  newRecords?: RowList | undefined
}

/** The changes, as data. */
export function toDiffData({plan, comparison}: Differing): {[name: string]: JsonValue} {
  return {
    plan,
    changes: (comparison?.changes ?? []).map(({place: _, ...change}) => change),
    missing: (comparison?.missing ?? []).map((row) => ({...row})),
    ...(comparison?.machines && {machines: comparison.machines.map((machine) => ({...machine}))}),
  }
}

/** The changes, field by field, or, in a format that was asked for, the new records; undefined where there is nothing to show. */
export async function renderDiff(report: Differing, format?: DiffFormat): Promise<string | undefined> {
  if (format === 'json') return asShown(`${printJson(toDiffData(report), 2)}\n`)
  const {changes = []} = report.comparison ?? {}
  if (changes.length > 0) return renderChanges(changes, format ?? 'table')
  const {newRecords} = report
  if (!newRecords || newRecords.length === 0 || format === undefined) return undefined
  const {names, cells} = toCells(newRecords)
  return format === 'table' ? simpleTable(names, cells) : renderMarkdown(names, cells)
}

/** Changes of fields as a table for scripts, or by place and with their signs for people who read Markdown. */
async function renderChanges(changes: readonly RowChange[], format: Exclude<DiffFormat, 'json'>): Promise<string> {
  if (format === 'table') return renderTable(changes)
  const rows = toDiffLines(changes).map(({sign, place, id, name, field, from, to}) => [
    ...[sign, place, id, name, field, cut(from, longest), cut(to, longest)],
  ])
  return renderMarkdown(['', 'where', 'id', 'name', 'field', 'now', 'new'], rows)
}

async function renderMarkdown(headers: readonly string[], rows: readonly string[][]): Promise<string> {
  const {markdownHeader, toLine, toMarkdown} = await import('../../formats/write/table/markdown.js')
  const columns = headers.map((name) => toColumn([name], 'text'))
  return [markdownHeader(columns), ...rows.map((row) => toLine(row.map(toMarkdown)))].join('')
}

/** Records are named by id, and by name where one is known. */
async function renderTable(changes: readonly RowChange[]): Promise<string> {
  const hasNames = changes.some(({name}) => name !== undefined)
  const hasSelections = changes.some(({selection}) => selection !== undefined)
  const headers = ['id', ...(hasNames ? ['name'] : []), ...(hasSelections ? ['selection'] : []), 'field', 'now', 'new']
  const rows = changes.map(({id, name = '', selection = '', field, from, to}) => [
    toShown(id),
    ...(hasNames ? [name] : []),
    ...(hasSelections ? [selection] : []),
    field,
    cut(toShown(from), longest),
    cut(toShown(to), longest),
  ])
  return simpleTable(headers, rows)
}

/** The most characters of a value that are shown: only settings of machines are longer, and the JSON has them whole. */
const longest = 300

/** A text of at most `most` letters; other values are unchanged. */
export function cut<Value extends JsonValue>(value: Value, most: number): Value | string {
  if (typeof value !== 'string' || value.length <= most) return value
  return `${Array.from(value.slice(0, most)).slice(0, -1).join('')}…`
}

/** New records as a table for a terminal, with a limit of fields and of letters in each; complete unless given. */
export async function renderRecords(rows: RowList, limits: {fields?: number; letters?: number} = {}): Promise<string> {
  const {names, cells} = toCells(rows, limits)
  return simpleTable(names, cells, process.stderr)
}

function toCells(
  rows: RowList,
  {fields, letters = Number.POSITIVE_INFINITY}: {fields?: number; letters?: number} = {},
) {
  const records = rows.map(({record, given}) => given ?? record)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, fields)
  const toCell = (value: JsonValue | undefined) => (value === undefined ? '' : toShown(cut(value, letters)))
  return {names, cells: records.map((record) => names.map((name) => toCell(record[name])))}
}
