import {chooseColumns} from '../../../src/formats/columns.js'
import type {Lost} from '../../../src/formats/flatten.js'
import {type LineNames, toLines} from '../../../src/formats/lines.js'
import type {PageFormat} from '../../../src/formats/outputs/format-table.js'
import {
  type PageRenderer,
  type PageRendererOptions,
  RecordProblem,
  type Take,
} from '../../../src/formats/scan/page-renderer.js'
import {unknownColumns} from '../../../src/formats/unknown-columns.js'
import {type Elements, splitElements} from '../../../src/values/elements.js'
import {isRecord, JsonProblem, type JsonRecord} from '../../../src/values/json.js'
import {recordKey} from '../../../src/values/record-key.js'
import {createSelect} from './select.js'
import {findWriter, type Writer} from './writers.js'

/** Renders answers record by record, and looks at every row: what an export is compared with. */
export function createRecordPageRenderer(
  format: PageFormat,
  options: PageRendererOptions & {where?: readonly string[]},
): Pick<PageRenderer, 'start' | 'page' | 'end' | 'columns'> {
  const {columns: known, lines, chosen, settled, where = []} = options
  const isJson = format === 'json' || format === 'ndjson'
  const createWriter = findWriter(format, options)
  const select = createSelect({columns: known, where})
  let columns = settled
  let writer = settled || (isJson && !chosen) ? createWriter(settled ?? []) : undefined
  /** Whether the list was begun by an earlier run: a comma comes first then. */
  let isContinued = format === 'json' && (options.rowsBefore ?? 0) > 0
  const isContinuedToEnd = isContinued
  let rowsHere = 0

  return {
    start: () => Buffer.from(writer ? writer.header : ''),
    page(answer, take) {
      const elements = Buffer.isBuffer(answer) ? splitElements(answer) : answer
      const ids: string[] = []
      const records = takeRecords(elements, take, ids)
      const rows = [...select.page(lines ? linesOf(records, lines) : records)]
      if (rows.length === 0) return {bytes: Buffer.alloc(0), rows: 0, ids, lost: new Map()}
      const lost: Lost = new Map()
      const header = writer ? '' : open(rows)
      const text = [...(writer as Writer).records(rows, chosen ? undefined : lost)].join('')
      const comma = isContinued ? ',' : ''
      isContinued = false
      rowsHere += rows.length
      return {bytes: Buffer.from(header + comma + text), rows: rows.length, ids, lost}
    },
    end() {
      const last = [...select.end()].flat()
      const header = writer ? '' : open(last)
      const footer = (writer as Writer).footer()
      return Buffer.from(header + (isContinuedToEnd && rowsHere === 0 ? `\n${footer}` : footer))
    },
    get columns() {
      return columns
    },
  }

  function open(rows: readonly JsonRecord[]): string {
    const all = [...known, ...unknownColumns(rows, known)]
    columns = chosen ? chooseColumns(all, chosen) : all
    writer = createWriter(columns)
    return (options.rowsBefore ?? 0) > 0 ? '' : writer.header
  }
}

function* linesOf(records: readonly JsonRecord[], names: LineNames): Generator<JsonRecord, void, void> {
  for (const record of records) yield* toLines(record, names)
}

function takeRecords(elements: Elements, take: Take | 'all' | undefined, ids: string[]): JsonRecord[] {
  const records: JsonRecord[] = []
  for (let index = 0; index < elements.count; index++) {
    const record = parse(elements, index)
    const key = recordKey(record)
    if (typeof take === 'function' && !take(record, key, index)) continue
    ids.push(key)
    records.push(record)
  }

  return records
}

function parse(elements: Elements, index: number): JsonRecord {
  try {
    const value = elements.parse(index)
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw new RecordProblem(index)
}
