import {isRecord, type JsonRecord, printJson} from '../../values/json.js'
import type {Column} from '../columns.js'
import {findName, openObject, putField} from '../record-path.js'
import {
  bytesOf,
  isCompact,
  type PageKind,
  type PageRendererOptions,
  type PageRows,
  type PageWriter,
} from '../scan/page-renderer.js'

/** Texts between two rows, before the first one, and behind each. */
type Layout = {readonly first: string; readonly between: string; readonly behind: string}

const layouts = {
  json: {start: '[', first: '\n', between: ',\n', behind: ''},
  ndjson: {start: '', first: '', between: '', behind: '\n'},
  elements: {start: '', first: '\n    ', between: ',\n    ', behind: ''},
}

/** One array, one record per line, or the elements of the list of an envelope. */
export const jsonKind =
  (format: keyof typeof layouts) =>
  (options: PageRendererOptions): PageKind => {
    const {start, ...layout} = layouts[format]
    return {
      scanned: {},
      needsColumns: options.chosen !== undefined,
      start,
      open: (columns, rows) => createWriter(columns, rows, layout, options),
      end: (rows) => (format !== 'json' ? '' : rows === 0 ? ']\n' : '\n]\n'),
    }
  }

/**
 * Writes records as JSON. A compact one without chosen columns is copied; all others are parsed and printed. Time:
 * linear in bytes; memory: one page of output.
 */
function createWriter(
  columns: readonly Column[] | undefined,
  rows: PageRows,
  {first, between, behind}: Layout,
  {lines}: PageRendererOptions,
): PageWriter {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  const copies = columns === undefined && lines === undefined

  return {
    header: '',
    record(page, index, {output, isFirst, most}) {
      let separator = isFirst ? first : between
      if (copies && isCompact(page, index)) {
        if (rows.placesOf(page, index).length === 0) return 0
        output.text(separator)
        const bytes = bytesOf(page, index)
        output.copy(bytes, 0, bytes.length)
        output.text(behind)
        return 1
      }

      const records = rows.records(page, index, most)
      for (const record of records) {
        output.text(separator + printJson(toRecord(record)) + behind)
        separator = between
      }

      return records.length
    },
  }
}

/**
 * Keeps the fields of columns, nested as they came and in the order of the columns. A field that is absent stays
 * absent, and an object that is null stays null.
 */
export function createPick(columns: readonly Column[]): (record: JsonRecord) => JsonRecord {
  return (record) => {
    const picked: JsonRecord = {}
    for (const {path} of columns) copyField(record, picked, path)
    return picked
  }
}

function copyField(from: JsonRecord, to: JsonRecord, path: readonly string[]): void {
  const [wanted = '', ...rest] = path
  const name = findName(from, wanted)
  const value = name === undefined ? undefined : from[name]
  if (name === undefined || value === undefined) return
  if (rest.length === 0 || value === null) putField(to, name, value)
  else if (isRecord(value)) copyField(value, openObject(to, name), rest)
}
