import fc from 'fast-check'
import {expect, test} from 'vitest'

import {parseCsv} from '../../../src/formats/read/parse-csv.js'
import {readCsv} from '../../../src/formats/read/read-csv.js'
import type {CellsRow} from '../../../src/formats/read/row.js'

type Read = {rows: unknown[]; code?: unknown}

const options = {file: 'x.csv', delimiter: ',', blankIsNull: true} as const

async function readAll(stretches: AsyncGenerator<CellsRow[]>): Promise<Read> {
  const rows: unknown[] = []
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
  ...['"', '""', ',', '\n', '\r\n', '\r', '=', 'a', 'é', ' ', '="1"', '=""', '"x"', '"x,\n""y"', ',,\n'],
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

test('every text has the rows that csv-parse finds in them', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const expected = await readAll(parseCsv(cut(`a\n${text}`), options, {line: 1, number: 1}))
      expect(await readAll(readCsv(cut(`a\n${text}`), options))).toEqual(expected)
    }),
    {numRuns: 1_000},
  )
})

test.each([
  ['="00123"', [['="00123"']]],
  ['a,="00123",b\n="7"\r\n', [['a', '="00123"', 'b'], ['="7"']]],
  ['=""', [['=""']]],
  ['"a,="",b",="1"', [['a,=",b', '="1"']]],
  ['"a,\n=""1"",",="1"\n"x\n"\n', [['a,\n="1",', '="1"'], ['x\n']]],
])('formulas around values in %j', async (text, expected) => {
  const read = await readAll(readCsv(cut(text), options))

  expect(read.code).toBeUndefined()
  expect(read.rows.map((row) => (row as CellsRow).cells)).toEqual(expected)
})

test.each(['="a,b"', '="a""b"', 'x="1"', '="1"x', '="1'])('%j is no formula around a value', async (text) => {
  expect((await readAll(readCsv(cut(`a\n${text}\n`), options))).code).toEqual([['STRAY_QUOTE', 2, expect.any(Number)]])
})

test('rows as a spreadsheet counts them, where lines are not rows', async () => {
  const text = 'a,b\n1,2\n"x\ny",3\n\n4,"5\r\n6"\n"7\r",8\n9,""\n'

  const {rows} = await readAll(readCsv(cut(text), {file: 'x.csv', delimiter: ','}))

  expect(rows.map((row) => [(row as CellsRow).line, (row as CellsRow).rowNumber])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [6, 5],
    [8, 6],
    [10, 7],
  ])
})
