import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'

import {checkFile} from '../../../src/runs/check/check-file.js'
import {type FixOptions, fixFile} from '../../../src/runs/check/fix-file.js'
import {problemText} from '../../../src/validate/problem.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {formats, makeWorkbook, number, row, text} from '../../support/make-workbook.js'
import {readWorkbook} from '../../support/workbook.js'
import {header, site} from '../sites.js'

const files = useInputFiles()

async function fix(name: string, content: string | Buffer, options: Partial<FixOptions> = {}) {
  const file = await files.write(name, content)
  const out = join(files.folder(), `fixed-${name}`)
  const fixes = await fixFile('sites.create', {file, out, overwrite: true, ...options})
  return {
    fixes: fixes.map(({column, fix: kind, count}) => [column, kind, count].filter(Boolean).join(': ')),
    text: await readFile(options.out ?? out, 'utf8'),
    out: options.out ?? out,
  }
}

test('what is certain is fixed and counted; what is not stays to the letter', async () => {
  const lines = [
    '\uFEFFAccount ID;orgId;Site Name;isActive;maxChargePrice;maximumMeterSalesJumpAllowed;commissionTerms;externalAccountTerminalId;billingAddress;_note',
    '="007";3;"CafÃ© ""Mill""";TRUE; 500 ;1000;net10;="00123";"";x',
    ';;;;;;;;;',
    '7;3;A, B;no;1,234;1000;Net10;3-Jan;;y',
    '',
  ]

  const {fixes, text} = await fix('sites.csv', lines.join('\r\n'), {map: {'Site Name': 'name'}})

  expect(text).toBe(
    [
      'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms,externalAccountTerminalId,billingAddress,_note',
      '7,3,"Café ""Mill""",true,500,1000,Net10,00123,"",x',
      '7,3,"A, B",false,"1,234",1000,Net10,3-Jan,,y',
      '',
    ].join('\n'),
  )
  expect(fixes).toEqual([
    'accountId: column "Account ID" renamed: 1',
    'name: column "Site Name" renamed: 1',
    'accountId: formula around the value: 1',
    'accountId: leading zeros: 1',
    'name: text read in another encoding: 1',
    'isActive: word for true or false: 2',
    'maxChargePrice: spaces around the value: 1',
    'commissionTerms: spelling of the choice: 1',
    'externalAccountTerminalId: formula around the value: 1',
    'empty row removed: 1',
  ])
})

test('a workbook holds numbers and truth values as such, texts as texts, and goes back to csv', async () => {
  const lines = [`${header},externalAccountTerminalId`, `${site('A', ' 7')},00123`, `${site('B', '"1,5"')},5`, '']
  const file = await files.write('typed.csv', lines.join('\n'))
  const [book, csv] = ['typed.xlsx', 'back.csv'].map((name) => join(files.folder(), name)) as [string, string]

  await fixFile('sites.create', {file, out: book, overwrite: true})
  const again = await fixFile('sites.create', {file: book, out: csv, overwrite: true})

  const [sheet] = readWorkbook(book)
  expect(sheet?.name).toBe('typed')
  expect(sheet?.rows[1]?.map((cell) => cell?.kind)).toEqual([
    ...['number', 'number', 'text', 'boolean', 'number', 'number', 'text', 'text'],
  ])
  expect(sheet?.rows[2]?.[0]).toMatchObject({kind: 'text', text: '1,5'})
  expect(again).toEqual([])
  expect(await readFile(csv, 'utf8')).toBe(lines.join('\n').replace(' 7', '7'))
})

test('the zeros that the format of a cell shows stay in a copy of the workbook', async () => {
  const column = (place: number) => 'ABCDEFGH'[place]
  const names = [...header.split(','), 'externalAccountTerminalId']
  const cells = ['7', '3', 'A', 'true', '500', '1000', 'Net10'].map((one, place) => text(`${column(place)}2`, one))
  const head = row(
    1,
    names.map((name, place) => text(`${column(place)}1`, name)),
  )
  const sheet = {rows: `${head}${row(2, [...cells, number('H2', 123, 1)])}`}
  const file = await files.write('padded.xlsx', await makeWorkbook({sheets: [sheet], styles: formats('00000')}))
  const [book, csv] = ['copy.xlsx', 'copy.csv'].map((name) => join(files.folder(), name)) as [string, string]

  await fixFile('sites.create', {file, out: book, overwrite: true})
  await fixFile('sites.create', {file: book, out: csv, overwrite: true})

  expect((await readFile(csv, 'utf8')).split('\n')[1]).toMatch(/,00123$/)
})

test('a text of no letters is not written to a workbook, which cannot hold it', async () => {
  const file = await files.write('empty.csv', `${header},billingAddress\n${site('A')},""\n`)

  const failure = await failureOf(fixFile('sites.create', {file, out: `${file}.xlsx`, overwrite: true}))

  expect(failure).toMatchObject({exit: 'invalid', entries: [{code: 'EMPTY_TEXT', line: 2, column: 8}]})
})

test('a row with too few cells is not written to a workbook, which would not show it', async () => {
  const file = await files.write('short.csv', `${header}\n7,3,A\n`)

  const failure = await failureOf(fixFile('sites.create', {file, out: `${file}.xlsx`, overwrite: true}))

  expect(failure).toMatchObject({
    exit: 'invalid',
    message: `${file}: line 2 cannot be fixed automatically; no copy was written`,
    entries: [{code: 'RAGGED_ROW', line: 2}],
  })
  expect((await readdir(files.folder())).filter((name) => name.startsWith('short'))).toEqual(['short.csv'])
})

test('what remains is told by the places of the copy', async () => {
  const {out} = await fix('remains.csv', `${header}\r\n\r\n${site('A', ' 7')}\r\n${site('B', 'x')}\r\n`)

  const {problems, rows} = await checkFile('sites.create', {file: out})

  expect(rows).toBe(2)
  expect(problems.map((problem) => `${problem.line}:${problem.column} ${problemText(problem)}`)).toEqual([
    '3:1 accountId: not an integer: "x"',
  ])
})

test('a fixed copy has nothing left to fix', async () => {
  const {text, out} = await fix('again.csv', `${header}\n${site('CafÃ©', '="7"').replace('true', 'yes')}\n`)

  const again = await fix('again.csv', await readFile(out))

  expect(again).toMatchObject({text, fixes: []})
})

test.each([
  ['UTF-16', Buffer.from(`\uFEFF${header}\r\n${site('é')}\r\n`, 'utf16le'), {}],
  ['Windows-1252', Buffer.from(`${header}\r\n${site('é')}\r\n`, 'latin1'), {encoding: 'windows-1252'}],
  ['lone carriage returns', `${header}\r${site('é')}\r`, {}],
  ['tabs', `${header}\n${site('é')}\n`.replaceAll(',', '\t'), {delimiter: '\t'}],
])('%s becomes UTF-8 with LF and commas', async (_name, content, options) => {
  expect((await fix('encoded.csv', content, options)).text).toBe(`${header}\n${site('é')}\n`)
})

test('a tsv file has tabs', async () => {
  expect((await fix('tabs.tsv', `${header}\n${site('a b')}\n`.replaceAll(',', '\t'))).text).toBe(
    `${header}\n${site('a b')}\n`.replaceAll(',', '\t'),
  )
})

describe('JSON', () => {
  test('finds a mapped name in any spelling', async () => {
    const {text: fixed} = await fix('sites.json', '[{"site name":"X"}]', {map: {'Site Name': 'name'}})

    expect(JSON.parse(fixed)).toEqual([{name: 'X'}])
  })

  const record =
    '{"Account ID":7,"orgId":3.50,"name":"CafÃ©","isActive":"yes","commission_terms":"net10","__proto__":1,"more":[1]}'
  const fixed =
    '{"accountId":7,"orgId":3.50,"name":"Café","isActive":"yes","commissionTerms":"Net10","__proto__":1,"more":[1]}'

  test('an array: names and texts are fixed, types and digits are not', async () => {
    const {text, fixes} = await fix('sites.json', `\uFEFF[${record}, 5]`)

    expect(text).toBe(`[\n${fixed},\n5\n]\n`)
    expect(fixes).toHaveLength(4)
  })

  test('one record a line', async () => {
    expect((await fix('sites.ndjson', `${record}\r\n\r\n${record}`)).text).toBe(`${fixed}\n${fixed}\n`)
  })

  test('quotes around a number and a boolean, digits kept', async () => {
    const record =
      '{"maxChargePrice":"9007199254740993","isActive":"true","orgId":"5,00","maximumMeterSalesJumpAllowed":5.0}'
    const {text, fixes} = await fix('quoted.ndjson', record)

    expect(text).toBe(
      '{"maxChargePrice":9007199254740993,"isActive":true,"orgId":"5,00","maximumMeterSalesJumpAllowed":5}\n',
    )
    expect(fixes).toEqual([
      'maxChargePrice: quotes around the value: 1',
      'isActive: quotes around the value: 1',
      'maximumMeterSalesJumpAllowed: spelling of the number: 1',
    ])
  })

  test('an empty array', async () => {
    expect((await fix('none.json', '[]')).text).toBe('[]\n')
  })

  test('a field that stands twice stays twice', async () => {
    expect((await fix('twice.ndjson', '{"name":"A","Name":"B"}')).text).toBe('{"name":"A","Name":"B"}\n')
  })
})

describe('nothing is written', () => {
  test('of a sheet with a value beside its table, whose place is named', async () => {
    const rows =
      row(1, [text('A1', 'name')]) + row(2, [text('A2', 'A')]) + row(3, [text('A3', 'B'), text('C3', 'beside')])
    const file = await files.write('beside.xlsx', await makeWorkbook({sheets: [{name: 'Sites', rows}]}))

    const failure = await failureOf(fixFile('sites.create', {file, out: `${file}.fixed.xlsx`, overwrite: true}))

    expect(failure.message).toBe(`${file}: row 3 cannot be fixed automatically; no copy was written`)
    expect(failure.entries).toMatchObject([{code: 'NAMELESS_COLUMN', sheet: 'Sites', line: 3, column: 3}])
  })

  test.each([
    ['unclosed.csv', `${header}\n${site('"A')}\n`, 'invalid'],
    ['broken.ndjson', '{"a":1}\n{"a":\n', 'invalid'],
    ['latin.csv', Buffer.from(`${header}\n${site('\xe9')}\n`, 'latin1'), 'invalid'],
  ])('%s cannot be read to its end', async (name, content, exit) => {
    const failure = await failureOf(fix(name, content))

    expect(failure.exit).toBe(exit)
    expect((await readdir(files.folder())).filter((each) => each.startsWith(`fixed-${name}`))).toEqual([])
  })

  test.each([
    ['sites.csv', 'out.json'],
    ['sites.csv', '-'],
    ['sites.csv', 'out.xlsm'],
    ['sites.csv', 'out.xls'],
    ['sites.ndjson', 'out.csv'],
  ])('%s into %s', async (name, out) => {
    const failure = await failureOf(fix(name, name.endsWith('csv') ? `${header}\n` : '{"a":1}\n', {out}))

    expect(failure).toMatchObject({code: 'INVALID_FIX', exit: 'usage'})
  })

  test('over a file that is there already', async () => {
    const out = await files.write('there.csv', 'kept')

    expect((await failureOf(fix('x.csv', `${header}\n`, {out, overwrite: false}))).code).toBe('FILE_EXISTS')
    expect(await readFile(out, 'utf8')).toBe('kept')
  })
})
