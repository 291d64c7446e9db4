import {describe, expect, test} from 'vitest'

import {readRows} from '../../src/formats/read/read-rows.js'
import type {CellsRow} from '../../src/formats/read/row.js'
import {failureOf} from '../support/client.js'
import {useInputFiles} from '../support/input-files.js'

const files = useInputFiles()

async function read(bytes: string | Buffer, delimiter?: string): Promise<{header: string[]; rows: unknown[]}> {
  const path = await files.write(`case.csv`, bytes)
  const {header, rows} = await readRows(path, {delimiter})
  const all: unknown[] = []
  for await (const stretch of rows) all.push(...(stretch as CellsRow[]).map(({line, cells}) => [line, ...cells]))
  return {header: [...(header?.cells ?? [])], rows: all}
}

/** Which texts are refused, and the cells of the others, are compared with csv-parse in read/read-csv.test.ts. */
describe('the lines and letters of separated values, byte by byte', () => {
  test.each<[string, string, string[], unknown[]]>([
    [
      'blank lines',
      '\n\na,b\n\n1,2\n\n\n3,4\n\n',
      ['a', 'b'],
      [
        [5, '1', '2'],
        [8, '3', '4'],
      ],
    ],
    ['quoted names of columns', '"a","b ""c"""\n1,2\n', ['a', 'b "c"'], [[2, '1', '2']]],
    [
      'a backslash is a letter',
      'a,b\n"x\\","y"\n\\N,\\"\n'.replace('\\"\n', 'z\n'),
      ['a', 'b'],
      [
        [2, 'x\\', 'y'],
        [3, '\\N', 'z'],
      ],
    ],
    ['a hash is a letter', '#a,b\n#1,2\n', ['#a', 'b'], [[2, '#1', '2']]],
  ])('%s', async (_name, bytes, header, rows) => {
    expect(await read(bytes)).toEqual({header, rows})
  })

  test('a cell that is cut by the end of a chunk is whole', async () => {
    const long = '""x,\r\n'.repeat(50_000)

    const {rows} = await read(`a,b\n"${long}",1\n2,3\n`)

    expect(rows).toEqual([
      [2, long.replaceAll('""', '"'), '1'],
      [50_003, '2', '3'],
    ])
  })

  test('a backslash does not escape', async () => {
    const failure = await failureOf(read('a,b\n"x\\"y",1\n'))

    expect(failure.entries).toMatchObject([{code: 'STRAY_QUOTE', line: 2}])
  })
})

test('the apostrophe of escaped formulas is taken off for the excel dialect, and only then', async () => {
  const path = await files.write('excel.csv', "\uFEFFa,b\r\n'=1+1,''=x\r\n'-a,'t Hof\r\n-5,'5\r\n")
  const cellsOf = async (dialect?: 'excel') => {
    const all: unknown[] = []
    for await (const stretch of (await readRows(path, {dialect})).rows) {
      all.push(...(stretch as CellsRow[]).flatMap(({cells}) => cells))
    }
    return all
  }

  expect(await cellsOf('excel')).toEqual(['=1+1', "'=x", '-a', "'t Hof", '-5', "'5"])
  expect(await cellsOf()).toEqual(["'=1+1", "''=x", "'-a", "'t Hof", '-5', "'5"])
})
