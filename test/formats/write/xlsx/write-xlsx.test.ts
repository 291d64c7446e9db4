import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {type Column, toColumn} from '../../../../src/formats/columns.js'
import {writeXlsx} from '../../../../src/formats/write/xlsx/write-xlsx.js'
import type {JsonRecord} from '../../../../src/values/json.js'
import {toLetters} from '../../../../src/values/place.js'
import {makeFolder} from '../../../support/folder.js'
import {createMemory, everyKind, toRecords} from '../../../support/odd-records.js'
import {createRecordsFile} from '../../../support/records/write-records.js'
import {readWorkbook, readZip} from '../../../support/workbook.js'

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
async function write(columns: readonly Column[], records: readonly JsonRecord[], options = {}) {
  const memory = createMemory()
  const writer = createRecordsFile({columns}, (settled, sample) =>
    writeXlsx(memory, settled, {name: 'rows', sample, ...options}),
  )
  await writer.page(records)
  await writer.end()
  const path = join(folder, 'out.xlsx')
  writeFileSync(path, memory.bytes())
  return {sheets: readWorkbook(path), parts: readZip(path), writer, bytes: memory.bytes()}
}

async function writeCell(kind: Column['kind'], json: string, name = 'value') {
  const {sheets} = await write([toColumn([name], kind)], toRecords(`{"${name}": ${json}}`))
  return sheets[0]?.rows[1]?.[0]
}

describe('a workbook', () => {
  test('has a header that stays in sight, also without rows', async () => {
    const {sheets, parts} = await write(everyKind, [])

    expect(sheets.map(({name}) => name)).toEqual(['rows'])
    expect(sheets[0]?.rows.map((row) => row.map((cell) => cell?.text))).toEqual([everyKind.map(({name}) => name)])
    expect(parts.get('xl/worksheets/sheet1.xml')?.toString()).toContain('state="frozen"')
    expect([...parts.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
  })

  test.for(['5', '-5', '10.10', '0.1', '12345678901', '12345.6789012345', '1e5', '0'])(
    'holds %s as a number',
    async (digits) => {
      expect(await writeCell('decimal', digits)).toEqual({kind: 'number', text: digits, style: '0'})
    },
  )

  test.for(['1234567890123456', '9007199254740993', '0.1234567890123456', '1e400', '1E-320'])(
    'holds %s as text, because a spreadsheet would change its digits',
    async (digits) => {
      expect(await writeCell('integer', digits)).toEqual({kind: 'text', text: digits, style: '49'})
    },
  )

  test.for([
    '00123',
    '1e5',
    '=1+1',
    '+1',
    '@SUM(A1)',
    "'x",
    ' a ',
    '',
    '5',
    '_x0041_',
    '<&>"]]>',
    'a\tb\nc\rd',
    'é🚀',
    '\u0000\u001b\u0085\ufffe',
  ])('holds the text %j to the letter', async (text) => {
    expect(await writeCell('text', JSON.stringify(text))).toEqual({kind: 'text', text, style: '49'})
  })

  test('replaces half of a letter, which spreadsheets lose with what follows it', async () => {
    expect(await writeCell('text', '"a\\ud800b"')).toEqual({kind: 'text', text: 'a\ufffdb', style: '49'})
  })

  test.for(['123456789012', '-123456789012345'])('shows all digits of %s', async (digits) => {
    expect(await writeCell('integer', digits)).toEqual({kind: 'number', text: digits, style: '1'})
  })

  test('holds truth values, and lists as JSON with their digits', async () => {
    expect(await writeCell('boolean', 'false')).toEqual({kind: 'boolean', text: 'false', style: '0'})
    expect(await writeCell('list', '[{"a": 1.50}]')).toMatchObject({kind: 'text', text: '[{"a":1.50}]'})
  })

  test('has no cell for null and for a field that is absent', async () => {
    const {sheets} = await write(everyKind, toRecords('{"id": null, "name": "x"}'))

    expect(sheets[0]?.rows[1]).toHaveLength(2)
    expect(sheets[0]?.rows[1]?.[0]).toBeUndefined()
  })

  test.for([
    ['2024-07-30T18:07:05.477', '2024-07-30T18:07:05.477Z', '165'],
    ['1900-03-01T00:00:00', '1900-03-01T00:00:00.000Z', '164'],
    ['9999-12-31T23:59:59.999', '9999-12-31T23:59:59.999Z', '165'],
  ] as const)('holds %s as a time, to the millisecond', async ([text, instant, style]) => {
    const cell = await writeCell('dateTime', JSON.stringify(text))

    expect(cell).toMatchObject({kind: 'number', style})
    expect(new Date(Math.round((Number(cell?.text) - 25_569) * 86_400_000)).toISOString()).toBe(instant)
  })

  test.for(['1899-12-31T00:00:00', '2024-07-30T18:07:05.4771', '2024-07-30T18:07:05Z', '2024-07-30', 'soon'])(
    'holds %s as text: it is no local time of whole milliseconds that a spreadsheet knows',
    async (text) => {
      expect(await writeCell('dateTime', JSON.stringify(text))).toEqual({kind: 'text', text, style: '49'})
    },
  )

  test('holds a UTC time that says so as a time', async () => {
    expect(await writeCell('dateTime', '"2024-07-30T18:07:05Z"', 'recordedAtUtc')).toMatchObject({kind: 'number'})
  })

  test('goes on in a further sheet, header and all, when one is full', async () => {
    const records = Array.from({length: 5}, (_, id) => ({id}))

    const {sheets, writer} = await write([toColumn(['id'], 'integer')], records, {rowsPerSheet: 3})

    expect(sheets.map(({name, rows}) => [name, rows.map((row) => row[0]?.text)])).toEqual([
      ['rows', ['id', '0', '1']],
      ['rows 2', ['id', '2', '3']],
      ['rows 3', ['id', '4']],
    ])
    expect(writer.written.notes).toEqual(['The rows fill 3 sheets.'])
  })

  test('has no further sheet for rows that just fill the last', async () => {
    const {sheets} = await write([toColumn(['id'], 'integer')], [{id: 1}, {id: 2}], {rowsPerSheet: 3})

    expect(sheets).toHaveLength(1)
  })

  test('has a filter over all rows of each sheet, which the workbook names', async () => {
    const records = Array.from({length: 3}, (_, id) => ({id}))
    const columns = [toColumn(['id'], 'integer'), toColumn(['name'], 'text')]

    const {parts} = await write(columns, records, {name: 'it\'s [1] & "2"', rowsPerSheet: 3})

    const sheets = [1, 2].map((number) => parts.get(`xl/worksheets/sheet${number}.xml`)?.toString())
    expect(sheets[0]).toContain('</sheetData><autoFilter ref="A1:B3"/>')
    expect(sheets[1]).toContain('</sheetData><autoFilter ref="A1:B2"/>')
    const workbook = parts.get('xl/workbook.xml')?.toString()
    expect(workbook).toContain('<sheet name="it\'s _1_ &amp; &quot;2&quot;"')
    expect(workbook).toContain(
      `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'it''s _1_ &amp; "2"'!$A$1:$B$3</definedName>`,
    )
    expect(workbook).toContain(`localSheetId="1" hidden="1">'it''s _1_ &amp; "2" 2'!$A$1:$B$2</definedName>`)
  })

  test('has columns as wide as their first cells, and the text format where texts are typed', async () => {
    const columns = ['id', 'name', 'recordedAtUtc', 'note'].map((name, place) =>
      toColumn([name], (['integer', 'text', 'dateTime', 'text'] as const)[place] ?? 'text'),
    )

    const {parts} = await write(columns, [{id: 5, name: 'x'.repeat(30), note: `${'y'.repeat(20)}\n${'z'.repeat(10)}`}])

    const sheet = parts.get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    const cols = [...sheet.matchAll(/width="(\d+)" style="(\d)"/g)].map(([, width, style]) => [width, style])
    expect(cols).toEqual([
      ['8', '0'],
      ['32', '1'],
      ['18', '3'],
      ['22', '1'],
    ])
  })

  test('is refused at a text that no cell can hold', async () => {
    const fits = await writeCell('text', JSON.stringify('x'.repeat(32_767)))
    const tooLong = writeCell('text', JSON.stringify('x'.repeat(32_768)))

    expect(fits?.text).toHaveLength(32_767)
    await expect(tooLong).rejects.toMatchObject({code: 'VALUE_DOES_NOT_FIT', exit: 'incomplete'})
  })

  test('is refused with more columns than a sheet has', async () => {
    const columns = Array.from({length: 16_385}, (_, place) => toColumn([`c${place}`], 'text'))

    await expect(write(columns, [])).rejects.toMatchObject({code: 'TOO_MANY_COLUMNS', exit: 'incomplete'})
  })

  test('is the same bytes for the same rows, whatever the time', async () => {
    const records = toRecords('{"id": 1, "recordedAtUtc": "2024-07-30T18:07:05"}')

    const [one, other] = [await write(everyKind, records), await write(everyKind, records)]

    expect(one.bytes.equals(other.bytes)).toBe(true)
  })

  test('fails when its bytes are not taken, also while a sheet is long', async () => {
    const full = {write: () => Promise.reject(new Error('full'))}
    const writer = createRecordsFile({columns: everyKind, lookAhead: 1}, (settled) =>
      writeXlsx(full, settled, {name: 'x'}),
    )
    const noise = () => Array.from({length: 2_000}, () => ({name: String(Math.random()).repeat(20)}))
    const work = async () => {
      for (let page = 0; page < 20; page++) await writer.page(noise())
      await writer.end()
    }

    await expect(work()).rejects.toThrow('full')
  })

  test('names columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702, 16_383].map(toLetters)).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
      'XFD',
    ])
  })
})
