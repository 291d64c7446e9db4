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
    '00000',
    '0.0%',
    '0.0&quot;%&quot;',
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
    [123, 10, '00123'],
    [123.5, 10, '123.5'],
    [123456, 10, '123456'],
    [0.125, 11, '12.5%'],
    [1, 11, '100%'],
    [0.07, 11, '7%'],
    [12.5, 12, '12.5'],
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
    const known = '<cellXfs><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="9"/></cellXfs>'

    expect(await readCell(number('A2', 45503, 0), {styles: known})).toBe('2024-07-30')
    expect(await readCell(number('A2', 45503.5, 1), {styles: known})).toBe('2024-07-30T12:00:00')
    expect(await readCell(number('A2', 0.5, 2), {styles: known})).toBe('50%')
  })
})

describe('a text', () => {
  const si = (...texts: string[]) => texts.map((each) => `<si>${each}</si>`).join('')

  test.each([
    ['shared', si('<t>Red</t>'), 'Red'],
    [
      'rich, its runs joined',
      si('<r><t xml:space="preserve">Red </t></r><r><rPr><b/></rPr><t>Gate</t></r>'),
      'Red Gate',
    ],
    [
      'with its pronunciation left out',
      si('<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>'),
      '東京',
    ],
    ['with escapes', si('<t>a_x000D_\nb_x005F_x0041_ &amp; &lt;&#x1F600;</t>'), 'a\r\nb_x0041_ & <😀'],
    ['in a CDATA section', si('<t><![CDATA[a<b]]></t>'), 'a<b'],
    ['whose spaces count', si('<t xml:space="preserve">  a </t>'), '  a '],
    ['whose spaces do not count', si('<t>\n  a </t>'), 'a'],
    ['of the longest kind', si(`<t>${'x'.repeat(32_767)}</t>`), 'x'.repeat(32_767)],
    ['that is missing', '', 'a text that is missing in the workbook'],
  ])('%s', async (_name, texts, shown) => {
    expect(await readCell('<c r="A2" t="s"><v>0</v></c>', {texts})).toBe(shown)
  })

  test('that looks like a number or a date is no number', async () => {
    const {rows} = await readSheet(row(2, [text('A2', '007'), text('B2', '3-Jan')]))

    expect(rows[0]).toMatchObject({cells: ['007', '3-Jan', '']})
    expect(rows[0]?.native).toBeUndefined()
  })
})

describe('a formula', () => {
  test.each([
    ['a number', '<c r="A2"><f>1+1</f><v>2</v></c>', '2'],
    ['a text', '<c r="A2" t="str"><f>HYPERLINK("https://x.example","Red_x005F_")</f><v>Red_x005F_</v></c>', 'Red_'],
    ['a boolean', '<c r="A2" t="b"><f>TRUE()</f><v>1</v></c>', 'true'],
    ['a shared formula', '<c r="A2"><f t="shared" si="0"/><v>5</v></c>', '5'],
  ])('has its stored value: %s', async (_name, cell, shown) => {
    expect(await readCell(cell)).toBe(shown)
  })

  test.each([
    ['no value', '<c r="A2"><f>1+1</f></c>'],
    ['an empty value', '<c r="A2"><f>1+1</f><v></v></c>'],
    ['an empty element', '<c r="A2"><f>1+1</f><v/></c>'],
  ])('with %s was never calculated', async (_name, cell) => {
    expect(await readCell(cell)).toContain('a formula without a calculated value')
  })

  test('proves nothing in a workbook that is to be calculated when it is opened', async () => {
    const settings = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'
    const {cells, rows} = await readSheet(row(2, ['<c r="A2"><f>1+1</f><v>0</v></c>', number('B2', 5)]), {settings})

    expect(cells).toEqual([[2, '', '5', '']])
    expect(rows[0]?.unreadable?.get(0)).toContain('a formula that the workbook demands to calculate again')
  })

  test('whose text is empty is an empty cell', async () => {
    expect((await readSheet(row(2, ['<c r="A2" t="str"><f>IF(1,"")</f><v></v></c>', text('B2', 'x')]))).cells).toEqual([
      [2, '', 'x', ''],
    ])
  })

  test('that failed is named', async () => {
    expect(await readCell('<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c>')).toBe('an error of the spreadsheet: #DIV/0!')
  })
})

describe('the rows of a sheet', () => {
  test('are those with values, wherever they stand', async () => {
    const empty = `${row(3, ['<c r="A3" s="1"/>'])}<row r="4"/>${row(6, ['<c r="A6" t="str"><f>""</f><v></v></c>'])}`
    const {cells} = await readSheet(row(2, [text('A2', 'x')]) + empty + row(900_000, [text('B900000', 'y')]))

    expect(cells).toEqual([
      [2, 'x', '', ''],
      [900_000, '', 'y', ''],
    ])
  })

  test('need no addresses', async () => {
    const bytes = await makeWorkbook({
      sheets: [
        {
          name: 'S',
          rows: '<row><c t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b</v></c></row><row><c/><c><v>2</v></c></row>',
        },
      ],
    })

    expect(await readAll(bytes)).toMatchObject({header: {cells: ['a', 'b']}, cells: [[2, '', '2']]})
  })

  test.each([
    ['in the wrong order', row(3, [text('A3', 'x')]) + row(2, [text('A2', 'y')]), 'its row 2 is below row 3'],
    ['twice', row(3, [text('A3', 'x')]) + row(3, [text('A3', 'y')]), 'its row 3 is below row 3'],
    ['with a cell of another row', row(3, [text('A4', 'x')]), 'its cell A4 is in row 3'],
    ['with a cell twice', row(3, [text('A3', 'x'), text('A3', 'y')]), 'its row 3 has a cell twice'],
    ['with a cell without a place', row(3, [text('3', 'y')]), 'its cell 3 is in row 3'],
    ['wider than any sheet', row(3, [text('XFE3', 'x')]), 'it has more than 16384 columns'],
  ])('%s are refused', async (_name, rows, why) => {
    const failure = await failureOf(readSheet(rows))

    expect(failure).toMatchObject({code: 'DAMAGED_WORKBOOK', message: expect.stringContaining(why)})
  })

  test('may come with cells in any order', async () => {
    expect((await readSheet(row(2, [text('C2', 'z'), text('A2', 'x')]))).cells).toEqual([[2, 'x', '', 'z']])
  })

  test('do not follow the size that the sheet declares', async () => {
    const read = await readSheet(row(2, [text('C2', 'z')]), {before: '<dimension ref="A1:A1"/>'})

    expect(read.cells).toEqual([[2, '', '', 'z']])
  })

  test('may have a value beside the table: it is one without a column', async () => {
    const {rows} = await readSheet(row(2, [text('A2', 'x'), text('E2', 'note')]))

    expect(rows[0]?.cells).toEqual(['x', '', ''])
    expect([...(rows[0]?.unreadable ?? [])]).toEqual([[4, 'a value in a column without a name']])
  })

  test('may have ten thousand columns', async () => {
    const letters = (place: number): string =>
      (place < 26 ? '' : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26))
    const line = (number: number) =>
      row(
        number,
        Array.from({length: 10_000}, (_, place) => text(`${letters(place)}${number}`, `c${place}`)),
      )
    const {header, cells} = await readAll(await makeWorkbook({sheets: [{name: 'S', rows: line(1) + line(2)}]}))

    expect(header?.cells).toHaveLength(10_000)
    expect(cells[0]?.[10_000]).toBe('c9999')
  })

  test('with more text than any record are refused by name', async () => {
    const long = Array.from({length: 40}, (_, place) =>
      text(`${place < 26 ? '' : 'A'}${String.fromCharCode(65 + (place % 26))}2`, 'x'.repeat(32_767)),
    )
    const failure = await failureOf(readSheet(row(2, long)))

    expect(failure.entries[0]).toMatchObject({code: 'HUGE_RECORD', sheet: 'Sites', line: 2})
  })
})

describe('what a spreadsheet hides or joins', () => {
  test('is read and reported', async () => {
    const rows =
      row(2, [text('A2', 'x')], ' hidden="1"') +
      row(3, [text('B3', 'y')], ' hidden="true"') +
      row(9, [text('A9', 'z')], ' hidden="1"')
    const {cells, notices} = await readSheet(rows, {
      before: '<cols><col min="2" max="2" hidden="1"/><col min="3" max="16384" hidden="1"/></cols>',
    })

    expect(cells).toHaveLength(3)
    expect(notices).toEqual([
      'sheet Sites: hidden rows were read as well: 2-3, 9',
      'sheet Sites: hidden columns were read as well: B, C',
    ])
  })

  test('merged cells have one value, and what they cover is named', async () => {
    const rows = row(2, [text('A2', 'x'), text('B2', 'one')]) + row(3, [text('A3', 'y'), text('B3', 'hidden')])
    const after = '<mergeCells count="2"><mergeCell ref="B2:B3"/><mergeCell ref="A9:C9"/></mergeCells>'
    const read = await readSheet(rows, {after})

    expect(read.cells).toEqual([
      [2, 'x', 'one', ''],
      [3, 'y', '', ''],
    ])
    expect(read.rows[1]?.unreadable?.get(1)).toContain('covered by the merged cells B2:B3')
    expect(read.notices).toEqual([
      'sheet Sites: merged cells have their value in the first row and column only: B2:B3, A9:C9',
    ])
  })

  test('hidden sheets are named', async () => {
    const rows = row(1, [text('A1', 'a')]) + row(2, [text('A2', 'x')])
    const sheets = [
      {name: 'Old', state: 'veryHidden', rows},
      {name: 'New', rows},
      {name: 'Odd', state: 'hidden', rows},
    ]
    const bytes = await makeWorkbook({sheets})

    expect((await readAll(bytes, {sheet: 'new'})).notices).toEqual(['sheet New: hidden sheets were not read: Old, Odd'])
    expect((await readAll(bytes, {sheet: '1'})).notices).toEqual([
      'sheet Old: the sheet Old is hidden, and was read',
      'sheet Old: hidden sheets were not read: Odd',
    ])
  })
})

describe('a workbook of another program', () => {
  const prefixed = (name: string, inner: string) =>
    `<x:${name} xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${inner}</x:${name}>`

  test('may prefix its elements', async () => {
    const parts = {
      'xl/workbook.xml': prefixed(
        'workbook',
        '<x:sheets><x:sheet name="S" sheetId="1" d3p1:id="s0" xmlns:d3p1="r"/></x:sheets>',
      ),
      'xl/worksheets/sheet0.xml': prefixed(
        'worksheet',
        '<x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>a</x:v></x:c></x:row></x:sheetData>',
      ),
    }

    expect(await readAll(await makeWorkbook({sheets: [{}], parts}))).toMatchObject({sheet: 'S', header: {cells: ['a']}})
  })

  test('may follow the strict standard', async () => {
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    const parts = {
      '_rels/.rels': relations([`<Relationship Id="w" Type="${strict}/officeDocument" Target="/xl/workbook.xml"/>`]),
      'xl/_rels/workbook.xml.rels': relations([
        `<Relationship Id="s0" Type="${strict}/worksheet" Target="/xl/Worksheets/Sheet0.xml"/>`,
        `<Relationship Id="y" Type="${strict}/styles" Target="styles.xml"/>`,
      ]),
    }
    const cells = ['2024-07-30T18:07:05.477Z', '2024-07-30T00:00:00.000', '2024-07-30'].map(
      (value, place) => `<c r="${'ABC'[place]}2" s="${place === 1 ? 1 : 0}" t="d"><v>${value}</v></c>`,
    )
    const rows =
      row(
        1,
        ['a', 'b', 'c'].map((name, place) => text(`${'ABC'[place]}1`, name)),
      ) + row(2, cells)
    const read = await readAll(await makeWorkbook({sheets: [{name: 'S', rows}], styles: formats('yyyy-mm-dd'), parts}))

    expect(read.cells).toEqual([[2, '2024-07-30T18:07:05.477', '2024-07-30', '2024-07-30']])
    expect([...(read.rows[0]?.native ?? [])]).toEqual([0, 1, 2])
  })

  test('may list its sheets in another order, and charts among them', async () => {
    const rows = (name: string) => row(1, [text('A1', name)])
    const tab = (name: string, id: string) => `<sheet name="${name}" sheetId="${id.slice(1)}" r:id="${id}"/>`
    const workbook = `<workbook xmlns:r="r"><sheets>${tab('Chart', 's2')}${tab('Second', 's1')}${tab('First', 's0')}</sheets></workbook>`
    const parts = {
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': relations([
        link('s0', 'worksheet', 'worksheets/sheet0.xml'),
        link('s1', 'worksheet', 'worksheets/sheet1.xml'),
        link('s2', 'chartsheet', 'chartsheets/sheet1.xml'),
      ]),
    }
    const bytes = await makeWorkbook({sheets: [{rows: rows('first')}, {rows: rows('second')}], parts})

    expect(await readAll(bytes, {sheet: '1'})).toMatchObject({sheet: 'Second', header: {cells: ['second']}})
  })

  test('may be in UTF-16', async () => {
    const sheet = `<worksheet><sheetData>${row(1, [text('A1', 'Grün')])}</sheetData></worksheet>`
    const parts = {'xl/worksheets/sheet0.xml': Buffer.from(`\uFEFF${sheet}`, 'utf16le')}

    expect((await readAll(await makeWorkbook({sheets: [{}], parts}))).header?.cells).toEqual(['Grün'])
  })
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
