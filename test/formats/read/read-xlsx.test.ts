import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {type ReadOptions, readRows} from '../../../src/formats/read/read-rows.js'
import type {CellsRow} from '../../../src/formats/read/row.js'
import {failureOf} from '../../support/client.js'
import {
  formats,
  link,
  type MadeSheet,
  type MadeWorkbook,
  makeWorkbook,
  makeZip,
  number,
  relations,
  row,
  text,
} from '../../support/make-workbook.js'

async function readAll(bytes: Buffer, options: ReadOptions = {}) {
  const {rows, ...file} = await readRows('-', {...options, stdin: Readable.from([bytes])})
  const all: CellsRow[] = []
  for await (const stretch of rows) for (const each of stretch) if (each.kind === 'cells') all.push(each)
  return {...file, rows: all, cells: all.map(({line, cells}) => [line, ...cells])}
}

/** Reads a workbook of one sheet with the header a, b, c in row 1. */
async function readSheet(rows: string, more: Omit<MadeWorkbook, 'sheets'> & MadeSheet = {}) {
  const {before, after, state, ...workbook} = more
  const header = row(1, [text('A1', 'a'), text('B1', 'b'), text('C1', 'c')])
  const sheet = {
    name: 'Sites',
    rows: header + rows,
    ...(before && {before}),
    ...(after && {after}),
    ...(state && {state}),
  }
  return readAll(await makeWorkbook({...workbook, sheets: [sheet]}))
}

async function readCell(cell: string, more: Omit<MadeWorkbook, 'sheets'> = {}) {
  const {rows} = await readSheet(row(2, [cell]), more)
  return rows[0]?.unreadable?.get(0) ?? rows[0]?.cells[0]
}

test('a workbook is recognized by its content, and its rows are those of the sheet', async () => {
  const read = await readSheet(row(2, [text('A2', 'x'), number('C2', 5)]) + row(5, [text('B5', 'y')]))

  expect(read).toMatchObject({format: 'xlsx', sheet: 'Sites', header: {line: 1, cells: ['a', 'b', 'c']}})
  expect(read.cells).toEqual([
    [2, 'x', '', '5'],
    [5, '', 'y', ''],
  ])
  expect(read.rows.map(({native}) => native && [...native])).toEqual([[2], undefined])
})

describe('a number', () => {
  test.each([
    ['5', '5'],
    ['-5.25', '-5.25'],
    ['0.30000000000000004', '0.3'],
    ['10.10', '10.1'],
    ['5.0', '5'],
    ['1.0E+2', '100'],
    ['123456789012345', '123456789012345'],
    ['1.23E14', '123000000000000'],
    ['1E-7', '0.0000001'],
    ['1.2345678901234567E-5', '0.0000123456789012346'],
    ['-0', '0'],
    ['1.23E+15', '1.23E+15'],
    ['1234567890123456', '1.23456789012346E+15'],
    ['1e999', 'no number: "1e999"'],
    ['0x10', 'no number: "0x10"'],
    ['five', 'no number: "five"'],
  ])('%s is read as %s', async (stored, shown) => {
    expect(await readCell(number('A2', stored))).toBe(shown)
  })
})

describe('a date', () => {
  const styles = formats(
    'yyyy\\-mm\\-dd hh:mm:ss.000',
    'dd/mm/yyyy',
    '[$-407]d. mmmm yyyy;@',
    'h:mm AM/PM',
    '[h]:mm:ss',
    '0.00E+00',
    '&quot;day&quot; 0',
    '[Red]#,##0.00',
    'General',
  )

  test.each([
    [45503.75492, 1, '2024-07-30T18:07:05.088'],
    ['45503.754917', 1, '2024-07-30T18:07:04.829'],
    [45503.5, 1, '2024-07-30T12:00:00'],
    [45503, 1, '2024-07-30T00:00:00'],
    [45503, 2, '2024-07-30'],
    [45503, 3, '2024-07-30'],
    [45503.5, 2, '2024-07-30T12:00:00'],
    [0.75, 4, '18:00:00'],
    [1.5, 5, '36:00:00'],
    [61, 2, '1900-03-01'],
    [2958465, 2, '9999-12-31'],
    [5, 6, '5'],
    [5, 7, '5'],
    [5.5, 8, '5.5'],
    [45503, 9, '45503'],
    [60, 2, expect.stringContaining('a date before March 1900')],
    [-1, 2, expect.stringContaining('a date before March 1900')],
    [2958466, 2, 'a date after the year 9999'],
  ])('%s in format %s is read as %s', async (stored, style, shown) => {
    expect(await readCell(number('A2', stored, style), {styles})).toEqual(shown)
  })

  test('of the 1904 system is four years and a day later', async () => {
    const settings = '<workbookPr date1904="1"/>'

    expect(await readCell(number('A2', 44041, 2), {styles, settings})).toBe('2024-07-30')
    expect(await readCell(number('A2', 0, 2), {styles, settings})).toBe('1904-01-01')
  })

  test('in a format that every spreadsheet knows is recognized', async () => {
    const known = '<cellXfs><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>'

    expect(await readCell(number('A2', 45503, 0), {styles: known})).toBe('2024-07-30')
    expect(await readCell(number('A2', 45503.5, 1), {styles: known})).toBe('2024-07-30T12:00:00')
  })
})

test('a file that is none of ours is refused with what to do', async () => {
  const failure = await failureOf(
    readAll(Buffer.from('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1 xls', 'latin1')),
  )

  expect(failure.message).toContain('an old Excel workbook (xls)')
})

describe('a damaged workbook', () => {
  test.each<[string, Record<string, string>, string]>([
    ['without a workbook inside', {'_rels/.rels': relations([])}, 'it names no workbook inside'],
    [
      'whose links lead elsewhere',
      {
        'xl/_rels/workbook.xml.rels': relations([
          link('s0', 'worksheet', 'https://x.example/', ' TargetMode="External"'),
        ]),
      },
      'it has no sheet of cells',
    ],
    ['with broken XML', {'xl/worksheets/sheet0.xml': '<worksheet><sheetData><row r="1">'}, 'not well-formed XML'],
    [
      'with a document type',
      {'xl/worksheets/sheet0.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>'},
      'has a document type',
    ],
  ])('%s is refused', async (_name, parts, why) => {
    const failure = await failureOf(
      makeWorkbook({sheets: [{rows: row(1, [text('A1', 'a')])}], parts}).then((bytes) => readAll(bytes)),
    )

    expect(failure).toMatchObject({code: 'DAMAGED_WORKBOOK', exit: 'invalid', changed: 'none'})
    expect(failure.message).toContain(why)
  })
})

test('an archive is no workbook', async () => {
  const failure = await failureOf(makeZip({'readme.txt': 'hello'}).then((bytes) => readAll(bytes)))

  expect(failure).toMatchObject({code: 'BINARY_FILE', message: expect.stringContaining('an archive')})
})
