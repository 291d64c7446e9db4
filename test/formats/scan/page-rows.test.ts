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

/** The rows of one record as they are visited, and whether they were planned. */
function visited(rows: PageRows, page: ScannedPage, index: number, columns: readonly Column[]) {
  const made: Cells[] = []
  const lost: Lost = new Map()
  const head: Cells = columns.map(() => undefined)
  let isPlanned = true
  const put = (row: Cells, places: readonly number[], from: ScannedPage, first: number, cells: Int32Array) => {
    expect(cells.length).toBe(places.length)
    isPlanned &&= from === page
    for (const [at, place] of places.entries()) {
      const offset = cells[at] as number
      if (offset >= 0)
        row[place] = valueOfToken(from.bytes, places === rows.lineColumns ? from.items : from.tokens, first + offset)
    }
  }
  const count = rows.visit(
    page,
    index,
    {
      record: (from, first, cells) => put(head, rows.recordColumns, from, first, cells),
      row(from, first, cells) {
        const row = [...head]
        put(row, rows.lineColumns, from, first, cells)
        made.push(row)
      },
    },
    lost,
  )
  expect(made.length).toBe(count)
  if (count === 0) expect(lost.size).toBe(0)
  return {isPlanned, made: shown(made, lost)}
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

test('visits the rows that toLines, conditions and flatten make of the same records', () => {
  const counts = {planned: 0, printed: 0}
  fc.assert(
    fc.property(fc.array(anyPage, {minLength: 1, maxLength: 3}), fc.boolean(), where, (texts, isLines, where) => {
      const scanner = new ObjectScanner()
      const columns = isLines ? lineColumns(small, names) : columnsOf(small)
      const lines = isLines ? names : undefined
      const match = lines && createMatch({where}, columns, lines).rows
      const rows = createPageRows({columns, lines, countsLost: true, shapes: scanner.shapes, match})

      for (const page of texts.map((text) => scanOrNone(scanner, text))) {
        for (let index = 0; index < (page?.count ?? 0); index++) {
          if (!page || !isRecord(page.parse(index))) continue
          const {made, isPlanned} = visited(rows, page, index, columns)
          expect(made).toEqual(reference(page, index, columns, isLines, match))
          counts[isPlanned ? 'planned' : 'printed']++
        }
      }
    }),
  )
  expect(Math.min(counts.planned, counts.printed)).toBeGreaterThan(50)
})

function scanOrNone(scanner: ObjectScanner, text: string): ScannedPage | undefined {
  try {
    return scanPage(scanner, Buffer.from(text))
  } catch (error) {
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}
