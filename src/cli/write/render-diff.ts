import {toColumn} from '../../formats/columns.js'
import type {DiffFormat} from '../../formats/names.js'
import type {RunReport} from '../../runs/report/report.js'
import type {RowChange} from '../../runs/rows/phases.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {asShown} from '../terminal/output.js'
import {simpleTable} from '../terminal/simple-table.js'
import {toDiffLines, toWords} from './diff-view.js'

/** What would change, as data. */
export function toDiffData({plan, comparison}: Pick<RunReport, 'plan' | 'comparison'>): {[name: string]: JsonValue} {
  return {
    plan,
    changes: (comparison?.changes ?? []).map(({place: _, ...change}) => change),
    missing: (comparison?.missing ?? []).map((row) => ({...row})),
    ...(comparison?.machines && {machines: comparison.machines.map((machine) => ({...machine}))}),
  }
}

/** What would change, field by field; undefined where there is nothing to show. */
export async function renderDiff(
  report: Pick<RunReport, 'plan' | 'comparison'>,
  format: DiffFormat,
): Promise<string | undefined> {
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
