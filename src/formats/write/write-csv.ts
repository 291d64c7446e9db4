import {type Options, stringify} from 'csv-stringify/sync'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Column} from '../columns.js'
import {createFlatten, toCellText} from '../flatten.js'
import {toBlocks} from './chunks.js'
import {type Dialect, escapeFormula} from './dialect.js'
import type {Writer} from './writer.js'

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
      for (const rows of toBlocks(records, (record) => flatten(record, lost))) yield stringify(rows, options)
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

/**
 * The same bytes for records whose fields are the columns and nothing else, as rows of a database are: no field is
 * looked for, and cells are written one by one, which takes half the time.
 */
export function writeFlatCsv(columns: readonly Column[], dialect: Dialect): Writer {
  const write = createCellWriter(dialect)
  const names = columns.map(({path}) => path[0] as string)
  const toLine = (record: JsonRecord) =>
    `${names.map((name) => write(record[name])).join(dialect.delimiter)}${dialect.lineEnding}`
  return {
    ...writeCsv(columns, dialect),
    *records(records) {
      for (const lines of toBlocks(records, toLine)) yield lines.join('')
    },
  }
}

export type CellWriter = (value: JsonValue | undefined) => string

/**
 * Writes single cells and rows of pages whose other cells are copied. The library would be asked for one cell at a time,
 * which took a quarter of the time of an export.
 */
export function createCellWriter(dialect: Dialect): CellWriter {
  const special = new RegExp(`["\\r\\n${dialect.delimiter.replace(/[\\\]^-]/g, '\\$&')}]`)
  return (value) => {
    const text = typeof value === 'string' && dialect.escapesFormulas ? escapeFormula(value) : toCellText(value)
    if (text === undefined) return ''
    return text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
}

/**
 * One line of separated values from the texts of its cells. The empty cells at the `quoted` places (0-based) are
 * written as two quotes. Ends with LF.
 */
export function writeCells(cells: readonly string[], delimiter: string, quoted: readonly number[] = []): string {
  const string: NonNullable<Options['cast']>['string'] = (value, {index}) => ({
    value,
    quoted_empty: quoted.includes(index),
  })
  return stringify([cells], {delimiter, quoted_match: lineEnds, cast: {string}})
}
