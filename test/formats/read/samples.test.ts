import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {readRows} from '../../../src/formats/read/read-rows.js'

const folder = fileURLToPath(new URL('../../samples/xlsx/', import.meta.url))

const header = ['id', 'name', 'price', 'isActive', 'seen', 'day', 'text']
const first = ['1001', 'Zoë "A" <b> & c', '10.1', 'true', '2024-07-30T18:07:05', '2024-07-30', '00123']
const second = ['1002', 'two\nlines', '0.3', 'false', '2024-07-30T18:07:05.120', '2024-07-30', '=1+1']
const third = ['1003', '=HYPERLINK', '123456789012345', 'true', '', '', '  spaces  ']
const fourth = ['1004', '😀 e\u0301', '0.0000001', '', '2024-07-30T18:07:05', '', '_x0041_ \\N #REF!']

/** Written without the escape, which spreadsheets read as the letter. */
const unescaped = [...fourth.slice(0, -1), 'A \\N #REF!']

async function read(name: string, sheet?: string) {
  const input = await readRows(`${folder}${name}.xlsx`, sheet === undefined ? {} : {sheet})
  const rows = []
  for await (const some of input.rows) rows.push(...some)
  return {...input, rows}
}

async function readCells(name: string, sheet?: string) {
  const {header: names, rows} = await read(name, sheet)
  const cells = rows.map((row) => (row.kind === 'cells' ? row.cells : []))
  const unreadable = rows.flatMap((row) =>
    row.kind === 'cells' ? [...(row.unreadable ?? [])].map(([place, why]) => `${row.line}:${place + 1} ${why}`) : [],
  )
  return {header: names?.cells, cells, unreadable}
}

describe('a workbook of another program holds what was written', () => {
  test.each([
    ['xlsxwriter', fourth],
    ['xlsxwriter-1904', fourth],
    ['openpyxl', unescaped],
    ['openpyxl-1904', unescaped],
    ['libreoffice', fourth],
    ['libreoffice-1904', fourth],
  ])('%s', async (name, last) => {
    const found = await readCells(name, 'Sites')

    expect(found).toEqual({header, cells: [first, second, third, last], unreadable: []})
  })

  test('pandas, which makes formulas of texts and calculates none', async () => {
    const {cells, unreadable} = await readCells('pandas')

    expect(cells[0]).toEqual(first)
    expect(unreadable.map((text) => text.slice(0, 38))).toEqual([
      '3:7 a formula that the workbook demand',
      '4:2 a formula that the workbook demand',
    ])
  })
})

describe('what goes wrong in a sheet', () => {
  const cells = [
    ['1001', '', '', 'kept'],
    ['1002', 'hidden row', '2', ''],
    ['1003', 'merged', '', ''],
    ['1004', 'plain bold end', '5', ''],
  ]
  const notices = [
    'sheet Sites: merged cells have their value in the first row and column only: B4:C4',
    'sheet Sites: hidden rows were read as well: 3',
    'sheet Sites: hidden columns were read as well: D',
  ]

  test('is named where formulas wait to be calculated', async () => {
    const found = await readCells('troubles')

    expect(found.cells).toEqual(cells)
    expect(found.unreadable).toEqual([
      '2:2 a formula that the workbook demands to calculate again; open it in a spreadsheet program, calculate it (in LibreOffice: Ctrl+Shift+F9), and save it',
      '2:3 an error of the spreadsheet: #DIV/0!',
    ])
    expect((await read('troubles')).notices).toEqual(notices)
  })

  test('is less after a spreadsheet program calculated them', async () => {
    const found = await readCells('troubles-libreoffice')

    expect(found.cells[0]).toEqual(['1001', 'Quay 1001', '', 'kept'])
    expect(found.unreadable).toEqual(['2:3 an error of the spreadsheet: #DIV/0!'])
  })
})
