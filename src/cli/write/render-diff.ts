import {toColumn} from '../../formats/columns.js'
import type {DiffFormat} from '../../formats/names.js'
import type {RowChange} from '../../runs/plan/plan.js'
import type {RunReport} from '../../runs/report/report.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {asShown} from '../terminal/output.js'
import {toDiffData} from './render-plan.js'

/** What would change, field by field; undefined where there is nothing to show. */
export async function renderDiff(
  report: Pick<RunReport, 'plan' | 'comparison'>,
  format: DiffFormat,
): Promise<string | undefined> {
  if (format === 'json') return asShown(`${printJson(toDiffData(report), 2)}\n`)
  const {changes = []} = report.comparison ?? {}
  return changes.length === 0 ? undefined : renderChanges(changes, format)
}

/** Changes of fields as a table; records are named by id, and by name where one is known. */
export async function renderChanges(
  changes: readonly RowChange[],
  format: Exclude<DiffFormat, 'json'> = 'table',
): Promise<string> {
  const {createRenderer} = await import('../../formats/write/renderer.js')
  const hasNames = changes.some(({name}) => name !== undefined)
  const headers = ['id', ...(hasNames ? ['name'] : []), 'field', 'now', 'new']
  const renderer = await createRenderer(format, {columns: headers.map((name) => toColumn([name], 'text'))})
  const records = changes.map(({id, name = null, field, from, to}) => ({
    id: printJson(id),
    ...(hasNames && {name}),
    field,
    now: toWords(from),
    new: toWords(to),
  }))
  return [renderer.start(), ...renderer.page(records), renderer.end()].join('')
}

/** A text as it is, so that it can be read; everything else, and the empty text, as JSON. */
function toWords(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : printJson(value)
}
