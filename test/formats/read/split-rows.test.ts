import fc from 'fast-check'
import {describe, expect, test} from 'vitest'

import {parseCsv} from '../../../src/formats/read/parse-csv.js'
import {readCsv} from '../../../src/formats/read/read-csv.js'
import type {CellsRow} from '../../../src/formats/read/row.js'
import {RowSplitter} from '../../../src/formats/read/split-rows.js'

function split(text: string, delimiter = ',') {
  const {rows, rest, isOdd} = new RowSplitter(delimiter).split(text)
  return {rows: rows.map(({line, cells}) => [line, ...cells]), rest, isOdd}
}

describe('rows to the letter', () => {
  test('are split, and what is left begins at the start of a row', () => {
    expect(split('a,b\r\n"x\n\r\ny, ""z""",\n\n1,2\n"3",4')).toEqual({
      rows: [
        [1, 'a', 'b'],
        [2, 'x\n\r\ny, "z"', ''],
        [6, '1', '2'],
      ],
      rest: '"3",4',
      isOdd: false,
    })
  })

  test.each(['', 'a', 'a,b\r', '"a\nb', '"a"', '"a""', '"a"\r', '"a",b'])('%j is not whole yet', (text) => {
    expect(split(text)).toEqual({rows: [], rest: text, isOdd: false})
  })

  test.each(['a\rb', 'a\rb\n', '"a"b\n', '"a" ,b\n', 'a"b\n', 'a,b"\n', '="1"\n', '"a"\rb\n', '"a",b\rc\n'])(
    '%j is left to the parser',
    (text) => {
      expect(split(`ok\n${text}`)).toEqual({rows: [[1, 'ok']], rest: text, isOdd: true})
    },
  )
})

type Read = {rows: unknown[]; code?: unknown}

async function readAll(stretches: AsyncGenerator<CellsRow[]>): Promise<Read> {
  const rows: unknown[] = []
  try {
    for await (const stretch of stretches) {
      rows.push(...stretch.map(({line, cells, quoted}) => ({line, cells, quoted})))
    }
    return {rows}
  } catch (error) {
    const {entries} = error as {entries: {code: string; line: number; column: number}[]}
    return {rows, code: entries.map(({code, line, column}) => [code, line, column])}
  }
}

async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

test('the short way never says otherwise than the parser, wherever the text is cut', async () => {
  const parts = fc.constantFrom(
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    '\r',
    '=',
    'a',
    'é',
    ' ',
    '="1"',
    '"x"',
    '"x,\n""y"',
    ',,\n',
  )

  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, {maxLength: 14}),
      fc.integer({min: 1, max: 20}),
      fc.constantFrom('excel', 'rfc4180'),
      async (words, size, dialect) => {
        const text = words.join('')
        const options = {file: 'x.csv', delimiter: ',', dialect} as const
        const expected = await readAll(parseCsv(cut(text, text.length || 1), options, 1))
        expect(await readAll(readCsv(cut(text, size), options))).toEqual(expected)
      },
    ),
    {numRuns: 3_000},
  )
})
