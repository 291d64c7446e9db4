import {toPath} from '../../../src/formats/columns.js'
import {toLines} from '../../../src/formats/lines.js'
import {findName, valueAt} from '../../../src/formats/record-path.js'
import type {SummaryLine} from '../../../src/reports/summary/line-cells.js'
import {lineNames} from '../../../src/reports/summary/summary-lines.js'
import type {JsonRecord} from '../../../src/values/json.js'

/** The lines of a batch, or the record itself, laid along fields: the obvious way, from parsed records. */
export function toSummaryLines(record: JsonRecord, fields: readonly string[]): SummaryLine[] {
  const paths = fields.map(toPath)
  const isBatch = findName(record, lineNames.list) !== undefined
  return (isBatch ? [...toLines(record, lineNames)] : [record]).map((line) => paths.map((path) => valueAt(line, path)))
}
