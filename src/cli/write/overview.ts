import type {RowList} from '../../runs/rows/cut-sets.js'
import type {RowChange} from '../../runs/rows/phases.js'
import type {JsonValue} from '../../values/json.js'
import {thousands} from '../../values/thousands.js'
import type {Line} from '../app/messages.js'
import {simpleTable} from '../terminal/simple-table.js'
import {renderChanges, toWords} from './render-plan.js'

const [most, mostNarrow] = [10, 3]
const narrow = 60
const longest = 60
const fieldsShown = 4

/** The first changes of records by id and name, above a question; `d` shows the others. */
export async function renderFirstChanges(changes: readonly RowChange[], how = 'd shows all'): Promise<Line[]> {
  const first = changes
    .slice(0, countShown())
    .map(({from, to, ...change}) => ({...change, from: cut(from), to: cut(to)}))
  if (first.length === 0) return []
  const table = await renderChanges(first, 'table', process.stderr)
  return [{safe: table.trimEnd()}, ...more(changes.length - first.length, 'changes', how)]
}

/** The first new records by what names them, above a question or of a dry run. */
export async function renderFirstRecords(rows: RowList, nouns: string, how?: string): Promise<Line[]> {
  const first = rows.slice(0, countShown())
  if (first.length === 0) return []
  const table = await renderRecords(first, fieldsShown)
  return [{safe: table.trimEnd()}, ...more(rows.length - first.length, nouns, how)]
}

/** New records as a table for a terminal: so many of the fields that they give, all of them unless given. */
export async function renderRecords(rows: RowList, fields?: number): Promise<string> {
  const records = rows.map(({record, given}) => given ?? record)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, fields)
  const toCell = (value: JsonValue = '') => (fields === undefined ? toWords(value) : toWords(cut(value)))
  const cells = records.map((record) => names.map((name) => (record[name] === undefined ? '' : toCell(record[name]))))
  return simpleTable(names, cells, process.stderr)
}

/** Rows that stand above a question or a verdict. */
export function countShown(): number {
  const {columns} = process.stderr // 0 or undefined where no width is known
  return columns && columns < narrow ? mostNarrow : most
}

function cut(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value.length <= longest) return value
  return `${Array.from(value.slice(0, longest)).slice(0, -1).join('')}…`
}

function more(count: number, what: string, how?: string): string[] {
  return count > 0 ? [`… and ${thousands(count)} more ${what}${how === undefined ? '' : ` (${how})`}`] : []
}
