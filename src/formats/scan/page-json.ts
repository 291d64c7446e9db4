import {type JsonRecord, printJson} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {RowMatch} from '../conditions.js'
import type {Lost} from '../flatten.js'
import type {LineNames} from '../lines.js'
import {createPick} from '../write/write-json.js'
import {integersPerRecord, notCompact} from './page-elements.js'
import type {PageWriter} from './page-kind.js'
import {createPageRows, noVisitor} from './page-rows.js'
import type {Shapes} from './page-shapes.js'
import {rowsOf} from './printed-rows.js'
import {parseRecord} from './record-scan.js'

export type PageJsonOptions = {
  /** The chosen columns; undefined for records as they came. */
  columns: readonly Column[] | undefined
  lines: LineNames | undefined
  /** Conditions on lines. */
  match?: RowMatch | undefined
  shapes: Shapes
  /** What stands between two rows, and what stands before the first one and behind each. */
  between: string
  first: string
  behind: string
}

const noneLost: Lost = new Map()

/**
 * Writes records as JSON. One that came as it would be printed is copied; all others are parsed and printed. Time: linear
 * in bytes; memory: one page of output.
 */
export function createPageJson({columns, lines, match, shapes, between, first, behind}: PageJsonOptions): PageWriter {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  const matching = match && createPageRows({columns: [], lines, countsLost: false, shapes, match})
  const copies = columns === undefined && lines === undefined

  return {
    header: '',
    record(page, index, output, _lost, isFirst) {
      let separator = isFirst ? first : between
      const place = index * integersPerRecord
      const shape = page.records[place + 2] as number
      if (copies && shape >= 0 && shape < notCompact) {
        output.text(separator)
        output.copy(page.bytes, page.records[place] as number, page.records[place + 1] as number)
        output.text(behind)
        output.endRow()
        return 1
      }

      if (matching?.visitPlanned(page, index, noVisitor, noneLost) === 0) return 0
      const record = parseRecord(page, index)
      let rows = 0
      for (const row of rowsOf(record, lines, match)) {
        output.text(separator + printJson(toRecord(row)) + behind)
        output.endRow()
        separator = between
        rows++
      }

      return rows
    },
  }
}
