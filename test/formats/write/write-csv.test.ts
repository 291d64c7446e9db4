import {describe, expect, test} from 'vitest'
import {type Column, toColumn} from '../../../src/formats/columns.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {renderRecords} from '../../support/records/write-records.js'

const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text'), toColumn(['note'], 'text')]

async function write(records: JsonRecord[], of: readonly Column[] = columns, options: {dialect?: 'excel'} = {}) {
  return (await renderRecords('csv', of, [records], options)).text
}

/** Every other text, delimiter and dialect is compared with csv-stringify in csv-reference.test.ts. */
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

  test.each([
    ['comma in it', 'Smith, John', '"Smith, John"'],
    ['quotes', 'ha "ha" ha', '"ha ""ha"" ha"'],
    ['CRLF and quotes', '"a"\r\n"b"', '"""a""\r\n""b"""'],
    ['an escape sequence', '\u001b[31m', '\u001b[31m'],
    ['a NUL', 'a\u0000b', 'a\u0000b'],
    ['a formula', '=1+1', '=1+1'],
  ])('quotes no more than needed: %s', async (_what, text, cell) => {
    expect(await write([{id: 7, name: text, note: 'x'}])).toBe(`id,name,note\n7,${cell},x\n`)
  })

  test('excel: a text in a column of numbers, and the name of an unknown field, are escaped too', async () => {
    const odd = [toColumn(['id'], 'integer'), toColumn(['=cmd()'], 'unknown')]

    expect(await write([{id: '=1+1', '=cmd()': '@x'}], odd, {dialect: 'excel'})).toBe(
      `\ufeffid,'=cmd()\r\n'=1+1,'@x\r\n`,
    )
  })

  test('a repeated value is written again, also null after it', async () => {
    expect(await write([{name: 'a,b'}, {name: 'a,b'}, {name: null}, {name: 'a,b'}])).toBe(
      'id,name,note\n,"a,b",\n,"a,b",\n,,\n,"a,b",\n',
    )
  })
})
