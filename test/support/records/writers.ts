import {type Options, stringify} from 'csv-stringify/sync'
import type {Column} from '../../../src/formats/columns.js'
import {createFlatten, type Lost, toCellText} from '../../../src/formats/flatten.js'
import type {Format} from '../../../src/formats/outputs/format-table.js'
import {findName, putField} from '../../../src/formats/record-path.js'
import {toSafeText} from '../../../src/formats/safe-text.js'
import type {PageRendererOptions} from '../../../src/formats/scan/page-renderer.js'
import {type Dialect, escapeFormula, toDialect} from '../../../src/formats/write/dialect.js'
import {markdownHeader, toLine, toMarkdown} from '../../../src/formats/write/table/markdown.js'
import {createTable, type TableOptions} from '../../../src/formats/write/table/table.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../../src/values/json.js'

/** Writes records of known columns as text, record by record. */
export type Writer = {
  readonly header: string
  /** Values that no column shows are counted in `lost`, if given. Every record is asked for once. */
  records(records: Iterable<JsonRecord>, lost?: Lost): Iterable<string>
  footer(): string
  readonly notes?: readonly string[]
}

/** Makes a writer for settled columns. */
export type CreateWriter = (columns: readonly Column[]) => Writer

export function findWriter(format: Format, options: PageRendererOptions): CreateWriter {
  switch (format) {
    case 'csv':
    case 'tsv':
      return (columns) => writeCsv(columns, toDialect(format, options.dialect, options.delimiter))
    case 'json':
      return (columns) => writeJson(options.chosen && columns)
    case 'ndjson':
      return (columns) => writeNdjson(options.chosen && columns)
    case 'markdown':
      return writeMarkdown
    case 'table':
      return (columns) => writeTable(columns, options)
    default:
      throw new TypeError(`records are not compared in ${String(format)}`)
  }
}

/** A line end of another dialect is quoted, too. */
const lineEnds = /[\r\n]/

/**
 * Writes separated values: null and absent as an empty cell, empty text as `""`, numbers digit for digit, objects and
 * lists as JSON; a null that is alone in its row is an empty line. The header comes first, also when no row follows.
 */
export function writeCsv(columns: readonly Column[], dialect: Dialect): Writer {
  const flatten = createFlatten(columns)
  const options = toOptions(dialect)
  return {
    header: stringify([columns.map(({name}) => name)], {...options, bom: dialect.byteOrderMark}),
    *records(records, lost) {
      for (const rows of [[...records].map((record) => flatten(record, lost))])
        yield rows.length > 0 ? stringify(rows, options) : ''
    },
    footer: () => '',
  }
}

/**
 * Only texts are escaped: a JSON number is never a formula, whatever its sign. An answer with options makes the library
 * read all options again, which took most of the time of a file, so only an empty text has one.
 */
function toOptions({delimiter, lineEnding, escapesFormulas}: Dialect): Options {
  const empty = {value: '', quoted_empty: true}
  const string = (text: string) => (text === '' ? empty : escapesFormulas ? escapeFormula(text) : text)
  const other = (value: unknown) => toCellText(value as JsonValue) ?? ''
  return {
    delimiter,
    record_delimiter: lineEnding,
    quoted_match: lineEnds,
    cast: {string, number: other, boolean: other, object: other},
  }
}

/** Writes one array, whatever the number of pages: one record per line inside, `[]` when there is none. */
function writeJson(columns?: readonly Column[]): Writer {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  let isEmpty = true

  return {
    header: '[',
    *records(records) {
      let isFirst = isEmpty
      const texts = function* () {
        for (const record of records) {
          yield (isFirst ? '\n' : ',\n') + printJson(toRecord(record))
          isFirst = false
        }
      }

      yield* texts()
      isEmpty = isFirst
    },
    footer: () => (isEmpty ? ']\n' : '\n]\n'),
  }
}

/** Writes one record per line; a line never holds a raw newline. */
function writeNdjson(columns?: readonly Column[]): Writer {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  return {
    header: '',
    *records(records) {
      yield* lines(records)
    },
    footer: () => '',
  }

  function* lines(records: Iterable<JsonRecord>): Generator<string, void, void> {
    for (const record of records) yield `${printJson(toRecord(record))}\n`
  }
}

function writeMarkdown(columns: readonly Column[]): Writer {
  const flatten = createFlatten(columns)
  return {
    header: markdownHeader(columns),
    *records(records, lost) {
      for (const record of records)
        yield toLine(flatten(record, lost).map((cell) => toMarkdown(toCellText(cell) ?? '')))
    },
    footer: () => '',
  }
}

function writeTable(columns: readonly Column[], options: TableOptions): Writer {
  const flatten = createFlatten(columns)
  const table = createTable(columns, options)
  return {
    header: '',
    *records(records, lost) {
      yield table.draw([...records].map((record) => flatten(record, lost).map(toSafeCell)))
    },
    footer: () => '',
    get notes() {
      return table.notes
    },
  }
}

/** Tables of records whose widths `sample` shows. */
export function drawRecords(columns: readonly Column[], sample: readonly JsonRecord[], options: TableOptions): Writer {
  const writer = writeTable(columns, options)
  const drawn = [...writer.records(sample)].join('')
  return {...writer, header: drawn.slice(0, drawn.indexOf('\n') + 1), notes: writer.notes ?? []}
}

function toSafeCell(cell: JsonValue | undefined): string {
  return toSafeText(toCellText(cell) ?? '')
}

/** The fields of columns, nested as they came and in the order of the columns. */
function createPick(columns: readonly Column[]): (record: JsonRecord) => JsonRecord {
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

/** The object under a name; an empty one when there is none yet. */
function openObject(record: JsonRecord, name: string): JsonRecord {
  const existing = Object.hasOwn(record, name) ? record[name] : undefined
  if (existing !== undefined && isRecord(existing)) return existing
  const opened: JsonRecord = {}
  putField(record, name, opened)
  return opened
}
