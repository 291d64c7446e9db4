import type {RowFile} from '../../formats/read/read-rows.js'
import type {CellsRow, Row} from '../../formats/read/row.js'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import type {Batch} from '../rows/phases.js'
import {textOf, valueAt} from '../rows/pointers.js'

type Rows = Pick<Batch, 'file' | 'rows' | 'columns' | 'reading'>

const rowsAtOnce = 1_000
const nullMark = '\\N'

/**
 * The rows of a plan as if they were read from its input, for when that is not there any more: a table has the columns
 * that the input had for fields, everything else is one record a row.
 */
export function toRowFileOfPlan({file, rows, columns, reading}: Rows): RowFile {
  const {delimiter = ','} = reading ?? {}
  const names = [...columns].sort(([, one], [, other]) => one - other).map(([name]) => name)
  const isTable = names.length > 0
  const toRow = isTable ? (row: PlannedRow) => toCells(row, names) : toValue
  return {
    name: file,
    format: isTable ? 'csv' : 'ndjson',
    ...(isTable && {header: {line: 1, cells: names}, delimiter}),
    rows: (async function* () {
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        yield rows.slice(start, start + rowsAtOnce).map(toRow)
      }
    })(),
  }
}

function toValue({line, record, given}: PlannedRow): Row {
  return {kind: 'value', line, size: 0, value: given ?? record}
}

function toCells({line, record, given}: PlannedRow, names: readonly string[]): CellsRow {
  const values = names.map((name) => findValue(given ?? record, name))
  const quoted = values.flatMap((value, place) => (value === '' ? [place] : []))
  return {kind: 'cells', line, size: 0, cells: values.map(toCell), ...(quoted.length > 0 && {quoted})}
}

/** A field that is not of the contract may hold a dot in its name. */
function findValue(record: JsonRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : valueAt(record, name)
}

function toCell(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return value === null ? nullMark : (textOf(value) ?? printJson(value))
}
