import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {expect, test} from 'vitest'

import {type CsvPart, readExportedCells} from '../../../src/formats/read/exported-cells.js'
import {readCsv} from '../../../src/formats/read/read-csv.js'
import type {CellsRow} from '../../../src/formats/read/row.js'
import {growthOf} from '../../support/growth.js'

type ReadRow = {[name in 'line' | 'rowNumber' | 'cells' | 'quoted']: CellsRow[name] | undefined}
type Read = {rows: ReadRow[]; code?: unknown}

const options = {file: 'x.csv', delimiter: ',', blankIsNull: true} as const

async function readAll(stretches: AsyncGenerator<readonly CellsRow[]>): Promise<Read> {
  const rows: ReadRow[] = []
  try {
    for await (const stretch of stretches) {
      rows.push(...stretch.map(({line, rowNumber, cells, quoted}) => ({line, rowNumber, cells, quoted})))
    }
    return {rows}
  } catch (error) {
    const {entries} = error as {entries: {code: string; line: number; column: number}[]}
    return {rows, code: entries.map(({code, line, column}) => [code, line, column])}
  }
}

/** Each stretch is written over when the second after it is asked for. */
async function* cut(text: string, size = Math.max(text.length, 1)): AsyncGenerator<Buffer> {
  let before: Buffer[] = []
  for (let at = 0; at < text.length; at += size) {
    const stretch = Buffer.from(text.slice(at, at + size))
    before[1]?.fill(0)
    before = [stretch, ...before]
    yield stretch
  }
}

const parts = fc.constantFrom(
  ...['"', '""', ',', '\n', '\r\n', '\r', '=', 'a', 'é', ' ', '\\', '#', '="1"', '=""', '"x"', '"x,\n""y"', ',,\n'],
)
const anyText = fc.array(parts, {maxLength: 14}).map((words) => words.join(''))

test('it does not matter where the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.integer({min: 1, max: 20}), async (text, size) => {
      expect(await readAll(readCsv(cut(text, size), options))).toEqual(await readAll(readCsv(cut(text), options)))
    }),
    {numRuns: 800},
  )
})

/** The rows of csv-parse without any leniency about quotes; undefined for a text that it refuses. */
function parseStrictly(text: string): {cells: string[]; quoted: number[] | undefined}[] | undefined {
  const found: {cells: string[]; quoted: number[] | undefined}[] = []
  let quoted: number[] = []
  const cast = (cell: string, {quoting, index}: {quoting: boolean; index: number}) => {
    if (quoting && cell === '') quoted.push(index)
    return cell
  }
  const on_record = (cells: string[]) => {
    found.push({cells, quoted: quoted.length > 0 ? quoted : undefined})
    quoted = []
    return null
  }
  try {
    const shape = {record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, skip_empty_lines: true}
    parse(text, {...shape, cast, on_record})
    return found
  } catch {
    return undefined
  }
}

test('a text is refused if csv-parse refuses it, and has the same cells if not', async () => {
  const withoutFormulas = anyText.filter((text) => !text.includes('="'))
  await fc.assert(
    fc.asyncProperty(withoutFormulas, async (text) => {
      const expected = parseStrictly(`a,b\n${text}`)

      const {rows, code} = await readAll(readCsv(cut(`a,b\n${text}`), {file: 'x.csv', delimiter: ','}))

      expect(code === undefined).toBe(expected !== undefined)
      if (expected) expect(rows).toEqual(expected.map((row) => expect.objectContaining(row)))
    }),
    {numRuns: 1_000},
  )
})

test('an exported file has the cells that are read of any file', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.integer({min: 1, max: 20}),
      fc.constantFrom(',', '§'),
      async (raw, size, delimiter) => {
        const how = {file: 'x.csv', delimiter}
        const text = delimiter === ',' ? raw : raw.replaceAll(',', delimiter).replaceAll('=', '£') // both begin with C2
        const linesOf = ({rows, code}: Read) => ({code, rows: rows.map(({line, cells}) => ({line, cells}))})

        const exported = await readAll(toRows(readExportedCells(cut(`a\n${text}`, size), how)))

        expect(linesOf(exported)).toEqual(linesOf(await readAll(readCsv(cut(`a\n${text}`), how))))
      },
    ),
    {numRuns: 800},
  )
})

async function* toRows(parts: AsyncGenerator<CsvPart>): AsyncGenerator<readonly CellsRow[]> {
  for await (const part of parts) yield 'rows' in part ? part.rows() : part
}

test.each([
  ['="00123"', [['="00123"']]],
  ['a,="00123",b\n="7"\r\n', [['a', '="00123"', 'b'], ['="7"']]],
  ['=""', [['=""']]],
  ['"a,="",b",="1"', [['a,=",b', '="1"']]],
  ['"a,\n=""1"",",="1"\n"x\n"\n', [['a,\n="1",', '="1"'], ['x\n']]],
])('formulas around values in %j', async (text, expected) => {
  const read = await readAll(readCsv(cut(text), options))

  expect(read.code).toBeUndefined()
  expect(read.rows.map((row) => row.cells)).toEqual(expected)
})

test.each(['="a,b"', '="a""b"', 'x="1"', '="1"x', '="1'])('%j is no formula around a value', async (text) => {
  expect((await readAll(readCsv(cut(`a\n${text}\n`), options))).code).toEqual([['STRAY_QUOTE', 2, expect.any(Number)]])
})

test('rows as a spreadsheet counts them, where lines are not rows', async () => {
  const text = 'a,b\n1,2\n"x\ny",3\n\n4,"5\r\n6"\n"7\r",8\n9,""\n'

  const {rows} = await readAll(readCsv(cut(text), {file: 'x.csv', delimiter: ','}))

  expect(rows.map((row) => [row.line, row.rowNumber])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [6, 5],
    [8, 6],
    [10, 7],
  ])
})

test('a stray quote is found by the line where its row begins, behind the rows before it', async () => {
  const {rows, code} = await readAll(readCsv(cut('a,b\n1,2\n"x\ny",5" pipe\n3,4\n'), options))

  expect(rows.map(({cells}) => cells)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(code).toEqual([['STRAY_QUOTE', 3, 2]])
})

test.each([
  ['columns', (n: number) => `${'"",'.repeat(n)}\n`],
  ['rows with quotes', (n: number) => `a,"b ""c"""\n`.repeat(n / 10)],
  ['quotes that end no cell', (n: number) => `"a"${'"b'.repeat(n / 10)}\n`],
])('twice as many %s take twice the time', async (_name, toText) => {
  const growth = await growthOf((n) => readAll(readCsv(cut(toText(n), 65_536), options)), 200_000)

  expect(growth).toBeLessThan(3)
})
