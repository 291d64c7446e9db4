import {toPath} from '../../formats/columns.js'
import {type LineNames, toLines} from '../../formats/lines.js'
import {valueAt} from '../../formats/record-path.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {SummaryLine} from './line-cells.js'

export const lineNames: LineNames = {list: 'lineItems', line: 'lineItem'}

/** Lays records of the report along fields: a batch gives one line per line item, a line gives itself. */
export function createLineReader(fields: readonly string[]): (record: JsonRecord) => Iterable<SummaryLine> {
  const paths = fields.map(toPath)
  const toLine = (record: JsonRecord) => paths.map((path) => valueAt(record, path))

  return function* (record) {
    if (isRecord(record[lineNames.line])) yield toLine(record)
    else for (const line of toLines(record, lineNames)) yield toLine(line)
  }
}

/** Finds the fields that a record does not have; a line item that is null has all of them. */
export function createFieldCheck(needed: readonly string[]): (record: JsonRecord) => string[] {
  const all = needed.map((field) => ({field, path: toPath(field)}))
  const own = all.filter(({path}) => path[0] !== lineNames.line)

  return (record) => {
    const isLine = record[lineNames.line] !== undefined
    const hasLines = isLine || record[lineNames.list] !== undefined
    const [line = record] = isLine || !hasLines ? [record] : toLines(record, lineNames)
    const looked = !hasLines || isRecord(line[lineNames.line]) ? all : own
    return looked.filter(({path}) => valueAt(line, path) === undefined).map(({field}) => field)
  }
}
