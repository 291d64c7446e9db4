import {stringify} from 'csv-stringify/sync'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Column} from '../columns.js'
import {createFlatten, type Lost, toCellText} from '../flatten.js'
import {toChunks} from './chunks.js'
import {type Dialect, escapeFormula} from './dialect.js'
import type {Writer} from './writer.js'

/**
 * Writes separated values: null and absent as an empty cell, empty text as `""`, numbers digit for digit, objects and
 * lists as JSON; a null that is alone in its row is an empty line. The header comes first, also when no row follows.
 */
export function writeCsv(columns: readonly Column[], dialect: Dialect): Writer {
  const flatten = createFlatten(columns)
  const cellWriters = columns.map(() => createCellWriter(dialect))
  const toLine = (cells: readonly (JsonValue | undefined)[]) => {
    const texts = new Array<string>(cells.length)
    for (let place = 0; place < cells.length; place++) texts[place] = (cellWriters[place] as CellWriter)(cells[place])
    return texts.join(dialect.delimiter) + dialect.lineEnding
  }

  return {
    header: (dialect.byteOrderMark ? '\ufeff' : '') + toLine(columns.map((column) => column.name)),
    *records(records, lost) {
      yield* toChunks(lines(records, lost))
    },
    footer: () => '',
  }

  function* lines(records: Iterable<JsonRecord>, lost?: Lost): Generator<string, void, void> {
    for (const record of records) yield toLine(flatten(record, lost))
  }
}

export type CellWriter = (value: JsonValue | undefined) => string

/** Remembers its last value: the columns of a batch repeat on each of its lines. */
export function createCellWriter(dialect: Dialect): CellWriter {
  const special = new RegExp(`["\\r\\n${dialect.delimiter.replace(/[\\\]^-]/g, '\\$&')}]`)
  const options = {delimiter: dialect.delimiter, eof: false, quoted: true, quoted_empty: true}
  let lastValue: JsonValue | undefined
  let lastText = ''

  return (value) => {
    if (value === lastValue) return lastText
    const text = toText(value, dialect)
    lastText = text === undefined ? '' : text === '' || special.test(text) ? stringify([[text]], options) : text
    lastValue = value
    return lastText
  }
}

/** Only texts are escaped: a JSON number is never a formula, whatever its sign. */
function toText(value: JsonValue | undefined, dialect: Dialect): string | undefined {
  return typeof value === 'string' && dialect.escapesFormulas ? escapeFormula(value) : toCellText(value)
}
