import {stringify} from 'csv-stringify/sync'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Column, columnsOf} from '../../src/formats/columns.js'
import {createFlatten, toCellText} from '../../src/formats/flatten.js'
import {lineColumns, toLines} from '../../src/formats/lines.js'
import {createPageRenderer} from '../../src/formats/outputs/format-table.js'
import {type Dialect, escapeFormula, toDialect} from '../../src/formats/write/dialect.js'
import {splitElements} from '../../src/values/elements.js'
import {isRecord, type JsonRecord, type JsonValue} from '../../src/values/json.js'
import {anyPage, small} from '../support/json-text.js'

const names = {list: 'lines', line: 'line'}
const delimiters = [undefined, ',', 'tab', ';', '|', ' ', '.', '-', '1', 'e', '\\', '[', "'", '=', '\u0001', 'é']

const anyCase = fc.record({
  format: fc.constantFrom('csv' as const, 'tsv' as const),
  dialect: fc.constantFrom('rfc4180' as const, 'excel' as const),
  delimiter: fc.constantFrom(...delimiters),
  isLines: fc.boolean(),
})

/** Cells of a kind of their own: what is no text is never a formula. */
type Token = {token: string}
type Cell = string | null | Token

test('every dialect has the bytes that csv-stringify makes of the same cells', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, anyPage.filter(holdsRecords), async ({format, dialect, delimiter, isLines}, page) => {
      const lines = isLines ? {lines: names} : {}
      const known = isLines ? lineColumns(small, names) : columnsOf(small)
      const separated = delimiter === undefined ? {dialect} : {dialect, delimiter}
      const renderer = await createPageRenderer(format, {columns: known, ...separated, ...lines})

      const bytes = [renderer.start(), Buffer.from(renderer.page(Buffer.from(page)).bytes), renderer.end()]

      const records = recordsOf(page).flatMap((record) => (isLines ? [...toLines(record, names)] : [record]))
      const flatten = createFlatten(renderer.columns ?? known)
      const rows = records.map((record) => flatten(record).map(toCell))
      const expected = reference(renderer.columns ?? known, rows, toDialect(format, dialect, delimiter))
      expect(Buffer.concat(bytes).toString()).toBe(Buffer.from(expected).toString())
    }),
    {numRuns: 300},
  )
})

/** Options that say what the dialects promise: only what must be is in quotes, and empty text is not null. */
function reference(columns: readonly Column[], rows: readonly Cell[][], dialect: Dialect): string {
  const {delimiter, lineEnding, byteOrderMark: bom, escapesFormulas} = dialect
  const toText = (text: string) => ({
    value: escapesFormulas ? escapeFormula(text) : text,
    quoted_empty: true,
  })
  const shape = {delimiter, record_delimiter: lineEnding, bom, quoted_match: /[\r\n]/}
  const cast = {string: toText, object: (value: unknown) => (value as Token).token}
  return stringify([columns.map(({name}) => name), ...rows], {...shape, cast})
}

function toCell(value: JsonValue | undefined): Cell {
  const text = toCellText(value)
  return text === undefined ? null : typeof value === 'string' ? text : {token: text}
}

function holdsRecords(page: string): boolean {
  return recordsOf(page).length === splitElements(Buffer.from(page)).count
}

function recordsOf(page: string): JsonRecord[] {
  const elements = splitElements(Buffer.from(page))
  return Array.from({length: elements.count}, (_, index) => elements.parse(index)).filter(isRecord)
}
