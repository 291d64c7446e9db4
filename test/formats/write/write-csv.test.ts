import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Column, toColumn} from '../../../src/formats/columns.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text'), toColumn(['note'], 'text')]
const excel = {dialect: 'excel'} as const

type Options = {format?: 'csv' | 'tsv'; dialect?: 'rfc4180' | 'excel'; delimiter?: string}

async function write(
  records: JsonRecord[],
  {format = 'csv', ...options}: Options = {},
  of: readonly Column[] = columns,
) {
  return (await renderRecords(format, of, [records], options)).text
}

/** Tells null from empty text as the format does: by the quotes. */
function readBack(text: string, delimiter = ','): (string | null)[][] {
  return parse(text, {
    bom: true,
    delimiter,
    cast: (value, {quoting}) => (value === '' && !quoting ? null : value),
  })
}

describe('csv', () => {
  test('writes the header for no rows at all', async () => {
    expect(await write([])).toBe('id,name,note\n')
  })

  test('tells null, absent and empty text apart as far as a cell can', async () => {
    expect(await write([{id: 1, name: '', note: null}, {id: 2}])).toBe('id,name,note\n1,"",\n2,,\n')
  })

  test('an absent cell is empty also in the first row', async () => {
    expect(await write([{}])).toBe('id,name,note\n,,\n')
  })

  test('copies the digits of numbers as they came', async () => {
    const records = ['10.10', '9007199254740993', '1e400', '-0', '0.10'].map((id) => parseJson(`{"id":${id}}`))

    expect(await write(records as JsonRecord[])).toBe(
      'id,name,note\n10.10,,\n9007199254740993,,\n1e400,,\n-0,,\n0.10,,\n',
    )
  })

  test('writes objects and lists as JSON', async () => {
    expect(await write([{id: 1, name: [1, 'a'], note: {}}])).toBe('id,name,note\n1,"[1,""a""]",{}\n')
  })

  test.each([
    ['comma in it', 'Smith, John', '"Smith, John"'],
    ['quotes', 'ha "ha" ha', '"ha ""ha"" ha"'],
    ['only a quote', '"', '""""'],
    ['newline', 'Once upon \na time', '"Once upon \na time"'],
    ['lone carriage return', 'a\rb', '"a\rb"'],
    ['CRLF and quotes', '"a"\r\n"b"', '"""a""\r\n""b"""'],
    [
      'JSON',
      '{"type": "Point", "coordinates": [102.0, 0.5]}',
      '"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"',
    ],
    ['outer spaces', ' a ', ' a '],
    ['padded code', 'A ', 'A '],
    ['letters of other scripts', 'ʤ 日本語 😀', 'ʤ 日本語 😀'],
    ['leading zeros', '00123', '00123'],
    ['an escape sequence', '\u001b[31m', '\u001b[31m'],
    ['a NUL', 'a\u0000b', 'a\u0000b'],
    ['a formula', '=1+1', '=1+1'],
    ['a delimiter of others', 'a;b\tc|d', 'a;b\tc|d'],
  ])('quotes no more than needed: %s', async (_what, text, cell) => {
    expect(await write([{id: 7, name: text, note: 'x'}])).toBe(`id,name,note\n7,${cell},x\n`)
  })

  test('tsv quotes tabs, and no commas', async () => {
    expect(await write([{id: 1, name: 'a\tb', note: 'c,d'}], {format: 'tsv'})).toBe('id\tname\tnote\n1\t"a\tb"\tc,d\n')
  })

  test.each(['-', '.', ']', '\\', '^'])('quotes numbers that hold the delimiter %s', async (delimiter) => {
    const text = await write([{id: -1.5, name: 'a]b\\c^d'}], {delimiter})

    expect(readBack(text, delimiter)).toEqual([
      ['id', 'name', 'note'],
      ['-1.5', 'a]b\\c^d', null],
    ])
  })

  test('excel: byte order mark, CRLF, formulas escaped in texts and never in numbers', async () => {
    const records: JsonRecord[] = [
      {id: -5, name: '=1+1', note: '-5'},
      {id: 1, name: '\t=1', note: '-5+2'},
    ]

    expect(await write(records, excel)).toBe(`\ufeffid,name,note\r\n-5,'=1+1,-5\r\n1,'\t=1,'-5+2\r\n`)
  })

  test('excel: a text in a column of numbers, and the name of an unknown field, are escaped too', async () => {
    const odd = [toColumn(['id'], 'integer'), toColumn(['=cmd()'], 'unknown')]

    expect(await write([{id: '=1+1', '=cmd()': '@x'}], excel, odd)).toBe(`\ufeffid,'=cmd()\r\n'=1+1,'@x\r\n`)
  })

  test('a repeated value is written again, also null after it', async () => {
    expect(await write([{name: 'a,b'}, {name: 'a,b'}, {name: null}, {name: 'a,b'}])).toBe(
      'id,name,note\n,"a,b",\n,"a,b",\n,,\n,"a,b",\n',
    )
  })

  test('whatever the cells hold, a reader of CSV gets them back', async () => {
    const special = fc.constantFrom('', '"', ',', ';', '\t', '\n', '\r', '\r\n', "'", '=1', '\ufeff', 'a"b', ' ')
    const text = fc.array(fc.oneof(special, fc.string({unit: 'binary', maxLength: 6})), {maxLength: 4})
    const cell = fc.oneof(
      fc.constant(null),
      fc.integer(),
      text.map((parts) => parts.join('')),
    )
    const record = fc.record({id: cell, name: cell, note: cell})
    const dialects = fc.constantFrom({}, {format: 'tsv' as const, delimiter: '\t'}, {delimiter: ';'})

    await fc.assert(
      fc.asyncProperty(fc.array(record, {maxLength: 6}), dialects, async (records, options) => {
        const rows = readBack(await write(records, options), options.delimiter)

        expect(rows.slice(1)).toEqual(
          records.map(({id, name, note}) => [id, name, note].map((value) => (value === null ? null : String(value)))),
        )
      }),
    )
  })
})
