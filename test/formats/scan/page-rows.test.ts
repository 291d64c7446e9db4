import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Column, columnsOf} from '../../../src/formats/columns.js'
import {createMatch, type RowMatch} from '../../../src/formats/conditions.js'
import {type Cells, createFlatten, type Lost} from '../../../src/formats/flatten.js'
import {lineColumns, toLines} from '../../../src/formats/lines.js'
import {type ScannedPage, scanPage} from '../../../src/formats/scan/page-elements.js'
import {createPageRows, type PageRows} from '../../../src/formats/scan/page-rows.js'
import {ObjectScanner} from '../../../src/formats/scan/page-scan.js'
import {valueOfToken} from '../../../src/formats/scan/record-scan.js'
import {isRecord, JsonProblem, printJson} from '../../../src/values/json.js'
import {anyPage, small} from '../../support/json-text.js'

const names = {list: 'lines', line: 'line'}
const conditions = ['line.id=0', 'line.id>=-17', 'line.note!=', 'line.note~a', 'LINE.more.deep=', 'line.id!=10.1']

/** The rows of one record as they are visited; undefined when it has no plan. */
function visited(rows: PageRows, page: ScannedPage, index: number, columns: readonly Column[]) {
  const made: Cells[] = []
  const lost: Lost = new Map()
  const head: Cells = columns.map(() => undefined)
  const put = (row: Cells, places: readonly number[], integers: Int32Array, first: number, cells: Int32Array) => {
    expect(cells.length).toBe(places.length)
    for (const [at, place] of places.entries()) {
      const offset = cells[at] as number
      if (offset >= 0) row[place] = valueOfToken(page.bytes, integers, first + offset)
    }
  }
  const count = rows.visit(
    page,
    index,
    {
      record: (_page, first, cells) => put(head, rows.recordColumns, page.tokens, first, cells),
      row(_page, first, cells) {
        const row = [...head]
        put(row, rows.lineColumns, page.items, first, cells)
        made.push(row)
      },
    },
    lost,
  )
  expect(made.length).toBe(Math.max(0, count))
  if (count <= 0) expect(lost.size).toBe(0)
  return count < 0 ? undefined : shown(made, lost)
}

function reference(page: ScannedPage, index: number, columns: readonly Column[], isLines: boolean, match?: RowMatch) {
  const record = page.parse(index)
  if (!isRecord(record)) throw new TypeError('visited what is no record')
  const lost: Lost = new Map()
  const flatten = createFlatten(columns)
  return shown(
    [...(isLines ? toLines(record, names) : [record])]
      .filter((row) => match?.holds(row) ?? true)
      .map((row) => flatten(row, lost)),
    lost,
  )
}

/** Null and absent are the same empty cell. */
function shown(rows: readonly Cells[], lost: Lost) {
  return {rows: rows.map((row) => row.map((value) => printJson(value ?? null))), lost: [...lost].sort()}
}

const where = fc.subarray(conditions, {maxLength: 2})

test('visits the rows that toLines, conditions and flatten make of the same records, or none of a record', () => {
  let planned = 0
  fc.assert(
    fc.property(fc.array(anyPage, {minLength: 1, maxLength: 3}), fc.boolean(), where, (texts, isLines, where) => {
      const scanner = new ObjectScanner()
      const columns = isLines ? lineColumns(small, names) : columnsOf(small)
      const lines = isLines ? names : undefined
      const match = lines && createMatch(where, columns, lines)?.rows
      const rows = createPageRows({columns, lines, countsLost: true, shapes: scanner.shapes, match})

      for (const page of texts.map((text) => scanOrNone(scanner, text))) {
        for (let index = 0; index < (page?.count ?? 0); index++) {
          const made = page && visited(rows, page, index, columns)
          if (made) expect(made).toEqual(reference(page, index, columns, isLines, match))
          if (made) planned++
        }
      }
    }),
  )
  expect(planned).toBeGreaterThan(50)
})

function scanOrNone(scanner: ObjectScanner, text: string): ScannedPage | undefined {
  try {
    return scanPage(scanner, Buffer.from(text))
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}
