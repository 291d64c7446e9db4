import type {Fields} from '../../contract/index.js'
import {type Column, columnsOf} from '../../formats/columns.js'
import {lineColumns, lineNamesOf, toLines} from '../../formats/lines.js'
import type {JsonRecord} from '../../values/json.js'
import {formatOf} from '../read/format-of.js'
import type {ReadFlags} from '../read/read-flags.js'

export type RowKind = {
  columns: readonly Column[]
  toRows: (records: Iterable<JsonRecord>) => Iterable<JsonRecord>
}

/** One row per line item or per batch: as `--rows` says, else lines in tables and batches in JSON. */
export function toRowKind(flags: ReadFlags, fields: Fields, json: boolean): RowKind {
  const path = flags['output-file']
  const format = formatOf(flags, path === '-' ? undefined : path)
  const isJson = format === 'json' || format === 'ndjson' || (json && path === undefined)
  const names = lineNamesOf(fields)
  if (!names || (flags.rows ?? (isJson ? 'batches' : 'lines')) === 'batches') {
    return {columns: columnsOf(fields), toRows: (records) => records}
  }

  return {columns: lineColumns(fields, names), toRows: spread}

  function* spread(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
    if (names) for (const record of records) yield* toLines(record, names)
  }
}
