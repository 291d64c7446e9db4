import {toPath} from '../../formats/columns.js'
import {type LineNames, toLines} from '../../formats/lines.js'
import {findName, valueAt} from '../../formats/record-path.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {SummaryLine} from './line-cells.js'

export const lineNames: LineNames = {list: 'lineItems', line: 'lineItem'}

/** Lays records of the report along fields: a record with a list is a batch and gives its lines, any other is a line. */
export function createLineReader(fields: readonly string[]): (record: JsonRecord) => Iterable<SummaryLine> {
  const paths = fields.map(toPath)
  const toLine = (record: JsonRecord) => paths.map((path) => valueAt(record, path))

  return function* (record) {
    for (const line of hasList(record) ? toLines(record, lineNames) : [record]) yield toLine(line)
  }
}

/** Finds the fields that a record does not have; a line item that is null has all of them. */
export function createFieldCheck(needed: readonly string[]): (record: JsonRecord) => string[] {
  const all = needed.map((field) => ({field, path: toPath(field)}))
  const own = all.filter(({path}) => path[0] !== lineNames.line)

  return (record) => {
    const isBatch = hasList(record)
    const hasLines = isBatch || record[lineNames.line] !== undefined
    const [line = record] = isBatch ? toLines(record, lineNames) : [record]
    const looked = !hasLines || isRecord(line[lineNames.line]) ? all : own
    return looked.filter(({path}) => valueAt(line, path) === undefined).map(({field}) => field)
  }
}

function hasList(record: JsonRecord): boolean {
  return findName(record, lineNames.list) !== undefined
}
