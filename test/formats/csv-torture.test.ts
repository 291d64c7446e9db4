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

describe('what separated values can look like, byte by byte', () => {
  test.each<[string, string, string[], unknown[]]>([
    ['simple', 'a,b,c\n1,2,3\n', ['a', 'b', 'c'], [[2, '1', '2', '3']]],
    ['simple, CRLF', 'a,b,c\r\n1,2,3\r\n', ['a', 'b', 'c'], [[2, '1', '2', '3']]],
    ['no line end at the end', 'a,b\n1,2', ['a', 'b'], [[2, '1', '2']]],
    [
      'lone carriage returns',
      'a,b\r1,2\r3,4',
      ['a', 'b'],
      [
        [2, '1', '2'],
        [3, '3', '4'],
      ],
    ],
    [
      'a delimiter in quotes',
      'first,address\nJohn,"120 any st., Anytown, WW"\n',
      ['first', 'address'],
      [[2, 'John', '120 any st., Anytown, WW']],
    ],
    ['quotes in quotes', 'a,b\n1,"ha ""ha"" ha"\n', ['a', 'b'], [[2, '1', 'ha "ha" ha']]],
    [
      'nothing but quotes in quotes',
      'a,b\n"""",""""""\n"""a""","a"""\n',
      ['a', 'b'],
      [
        [2, '"', '""'],
        [3, '"a"', 'a"'],
      ],
    ],
    [
      'line feeds in quotes',
      'a,b,c\n1,2,"once\nupon\na time"\n4,5,6\n',
      ['a', 'b', 'c'],
      [
        [2, '1', '2', 'once\nupon\na time'],
        [5, '4', '5', '6'],
      ],
    ],
    [
      'CRLF in quotes, LF between rows',
      'a,b\n"x\r\ny",1\n2,3\n',
      ['a', 'b'],
      [
        [2, 'x\r\ny', '1'],
        [4, '2', '3'],
      ],
    ],
    [
      'LF in quotes, CRLF between rows',
      'a,b\r\n"x\ny",1\r\n2,3\r\n',
      ['a', 'b'],
      [
        [2, 'x\ny', '1'],
        [4, '2', '3'],
      ],
    ],
    ['quotes and line ends', 'a,b\n1,"ha \n""ha"" \nha"\n', ['a', 'b'], [[2, '1', 'ha \n"ha" \nha']]],
    ['a delimiter and a line end after a quote', 'a,b\n"x"",\n""y",1\n', ['a', 'b'], [[2, 'x",\n"y', '1']]],
    [
      'empty cells',
      'a,b,c\n1,"",""\n2,,\n,,\n',
      ['a', 'b', 'c'],
      [
        [2, '1', '', ''],
        [3, '2', '', ''],
        [4, '', '', ''],
      ],
    ],
    ['empty cells, CRLF', 'a,b,c\r\n1,"",""\r\n', ['a', 'b', 'c'], [[2, '1', '', '']]],
    ['only delimiters', ',,\n,,\n', ['', '', ''], [[2, '', '', '']]],
    ['only a header', 'a,b', ['a', 'b'], []],
    [
      'blank lines',
      '\n\na,b\n\n1,2\n\n\n3,4\n\n',
      ['a', 'b'],
      [
        [5, '1', '2'],
        [8, '3', '4'],
      ],
    ],
    [
      'other alphabets',
      'a,b\nʤ,☕\n"日本,東京",😀\n',
      ['a', 'b'],
      [
        [2, 'ʤ', '☕'],
        [3, '日本,東京', '😀'],
      ],
    ],
    [
      'JSON in a cell',
      'key,val\n1,"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"\n',
      ['key', 'val'],
      [[2, '1', '{"type": "Point", "coordinates": [102.0, 0.5]}']],
    ],
    [
      'spaces around values are kept',
      'a , b\n 1 ,2  \n" x ",\t\n',
      ['a ', ' b'],
      [
        [2, ' 1 ', '2  '],
        [3, ' x ', '\t'],
      ],
    ],
    [
      'a formula around a value',
      'a,b\n="00123",1\n"=""00123""",2\n',
      ['a', 'b'],
      [
        [2, '="00123"', '1'],
        [3, '="00123"', '2'],
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
    [
      'rows of other widths are handed on',
      'a,b\n1\n1,2,3\n',
      ['a', 'b'],
      [
        [2, '1'],
        [3, '1', '2', '3'],
      ],
    ],
    [
      'one column',
      'a\n1\n""\n2\n',
      ['a'],
      [
        [2, '1'],
        [3, ''],
        [4, '2'],
      ],
    ],
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

  test.each([
    ['space after a closing quote', 'a,b\n"x" ,1\n', 'STRAY_QUOTE', 2],
    ['space before an opening quote', 'a,b\n1, "x"\n', 'STRAY_QUOTE', 2],
    ['a quote that is never closed', 'a,b\n1,2\n"x,3\n4,5\n', 'UNCLOSED_QUOTE', 3],
    ['a quote too many at the end', 'a,b\n1,2"', 'STRAY_QUOTE', 2],
    ['a backslash does not escape', 'a,b\n"x\\"y",1\n', 'STRAY_QUOTE', 2],
  ])('%s is refused by its line', async (_name, bytes, code, line) => {
    const failure = await failureOf(read(bytes))

    expect(failure.entries).toMatchObject([{code, line}])
  })
})

describe('quoted empty cells', () => {
  test('are told from empty ones', async () => {
    const path = await files.write('empty.csv', 'a,b,c\n1,"",\n"","",""\n,,"x"\n')
    const {rows} = await readRows(path)

    const seen: unknown[] = []
    for await (const stretch of rows) seen.push(...(stretch as CellsRow[]).map(({quoted}) => quoted))

    expect(seen).toEqual([[1], [0, 1, 2], undefined])
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
