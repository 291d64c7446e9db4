import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {type ReadOptions, readRows} from '../../../src/formats/read/read-rows.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {makeWorkbook, makeZip, row, text} from '../../support/make-workbook.js'

const files = useInputFiles()

async function readAll(bytes: Buffer, options: ReadOptions = {}): Promise<number> {
  const {rows} = await readRows('-', {...options, stdin: Readable.from([bytes])})
  let count = 0
  for await (const stretch of rows) count += stretch.length
  return count
}

const rows = row(1, [text('A1', 'a')]) + row(2, [text('A2', 'x')])
const sheetOf = (inner: string) => `<worksheet><sheetData>${inner}</sheetData></worksheet>`

describe('a file that only looks like a workbook', () => {
  const ole = (stream: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(500), Buffer.from(stream, 'utf16le')])

  test.each<[string, () => Promise<Buffer>, string, string]>([
    ['xls', async () => ole('Workbook'), 'an old Excel workbook (xls)', 'as an xlsx workbook'],
    [
      'an encrypted one',
      async () => ole('EncryptedPackage'),
      'encrypted with a password',
      'Save a copy without a password',
    ],
    [
      'xlsb',
      () => makeZip({'_rels/.rels': '<r/>', 'xl/workbook.bin': 'x'}),
      'a binary workbook (xlsb)',
      'as an xlsx workbook',
    ],
    ['ods', () => makeZip({mimetype: 'x', 'content.xml': '<x/>'}), 'an OpenDocument file', 'as an xlsx workbook'],
    ['numbers', () => makeZip({'Index/Document.iwa': 'x'}), 'a document of Apple Numbers', 'Export it from Numbers'],
    [
      'docx',
      () => makeWorkbook({sheets: [{}], parts: {'xl/workbook.xml': '<document/>'}}),
      'not an xlsx workbook',
      'as an xlsx workbook',
    ],
    ['an archive', () => makeZip({'sites.csv': 'a\n1\n'}), 'an archive', 'Unpack it'],
    ['an empty archive', () => makeZip({}), 'an empty archive', ''],
  ])('is refused: %s', async (_name, make, message, hint) => {
    const failure = await failureOf(make().then((bytes) => readAll(bytes)))

    expect(failure).toMatchObject({code: 'BINARY_FILE', exit: 'invalid', message: expect.stringContaining(message)})
    expect(failure.hints.join(' ')).toContain(hint)
  })
})

describe('a workbook that was damaged', () => {
  test('is refused wherever it is cut', async () => {
    const bytes = await makeWorkbook({sheets: [{name: 'S', rows}]})

    for (let length = 8; length < bytes.length; length += 97) {
      expect(await failureOf(readAll(bytes.subarray(0, length)))).toMatchObject({code: 'DAMAGED_WORKBOOK'})
    }
  })

  test('is refused wherever a byte of a sheet differs', async () => {
    const bytes = await makeWorkbook({sheets: [{name: 'S', rows: rows + row(3, [text('A3', 'x'.repeat(3000))])}]})
    const start = bytes.indexOf('xl/worksheets/sheet0.xml') + 'xl/worksheets/sheet0.xml'.length
    for (let at = start; at < start + 100; at += 7) {
      const wrong = Buffer.from(bytes)
      wrong[at] = 255 - (wrong[at] ?? 0)

      expect(await failureOf(readAll(wrong))).toMatchObject({code: 'DAMAGED_WORKBOOK'})
    }
  })

  test('is refused when it would unpack to more than a table', async () => {
    const bomb = sheetOf(rows + ' '.repeat(20_000_000))
    const bytes = await makeWorkbook({sheets: [{name: 'S'}], parts: {'xl/worksheets/sheet0.xml': bomb}})

    expect(bytes.length).toBeLessThan(30_000)
    expect((await failureOf(readAll(bytes))).message).toContain('unpacks to more than any table has')
  })

  test.each([
    ['an endless text', `<c r="A3" t="str"><v>${'ab12cd34'.repeat(700_000)}</v></c>`],
    ['an endless attribute', `<c r="A3" t="${'ab12cd34'.repeat(700_000)}"/>`],
  ])('is refused for %s', async (_name, cell) => {
    const parts = {'xl/worksheets/sheet0.xml': sheetOf(rows + row(3, [cell]))}

    expect(await failureOf(makeWorkbook({sheets: [{name: 'S'}], parts}).then((bytes) => readAll(bytes)))).toMatchObject(
      {
        code: expect.stringMatching(/DAMAGED_WORKBOOK|HUGE_RECORD/),
      },
    )
  })

  test('is read when it only has very many empty rows', async () => {
    const empty = Array.from({length: 200_000}, (_, place) => `<row r="${place + 3}" s="1" customFormat="1"/>`).join('')

    expect(await readAll(await makeWorkbook({sheets: [{name: 'S', rows: rows + empty}]}))).toBe(1)
  })
})

describe('a name that says something else', () => {
  async function read(name: string, content: string | Buffer, options?: ReadOptions) {
    const path = await files.write(name, content)
    const {notices, format, header, rows} = await readRows(path, options)
    await rows.return()
    return {notices: notices?.map((each) => each.replace(`${path} `, '')), format, header: header?.cells}
  }

  test('is reported: the content counts', async () => {
    const bytes = await makeWorkbook({sheets: [{name: 'S', rows}]})

    expect(await read('sites.csv', bytes)).toEqual({
      notices: ['is a workbook; it was read as xlsx'],
      format: 'xlsx',
      header: ['a'],
    })
    expect(await read('sites.xlsx', 'a;b\n1;2\n')).toEqual({
      notices: ['is not a workbook; it was read as csv'],
      format: 'csv',
      header: ['a', 'b'],
    })
    expect((await read('macros.XLSM', bytes)).notices).toEqual([])
  })

  test('does not count against --input-format', async () => {
    const bytes = await makeWorkbook({sheets: [{name: 'S', rows}]})

    expect(await failureOf(read('one.xlsx', bytes, {format: 'csv'}))).toMatchObject({
      code: 'BINARY_FILE',
      hints: ['Leave out --input-format: it is detected.'],
    })
    expect(await failureOf(read('two.csv', 'a\n1\n', {format: 'xlsx'}))).toMatchObject({code: 'BINARY_FILE'})
  })
})

test('records have no header', async () => {
  const path = await files.write('records.ndjson', '{"id":1}\n')

  expect(await failureOf(readRows(path, {headerRow: 3}))).toMatchObject({exit: 'usage', code: 'FLAG_WITHOUT_EFFECT'})
})

test('a table of text has no sheets, and may have its header on any line', async () => {
  const path = await files.write('titled.csv', 'Plan\n\nid,name\n1,x\n')

  expect(await failureOf(readRows(path, {sheet: 'Sites'}))).toMatchObject({exit: 'usage', code: 'FLAG_WITHOUT_EFFECT'})
  const {header, headerRow, rows} = await readRows(path, {headerRow: 3, delimiter: ','})
  expect({header, headerRow}).toMatchObject({header: {line: 3, cells: ['id', 'name']}, headerRow: 3})
  await rows.return()
})
