import {expect, test} from 'vitest'
import {checkCells} from '../../src/validate/check-cells.js'
import {createFieldNames} from '../../src/validate/field-names.js'
import {matchHeader} from '../../src/validate/match-header.js'
import type {EmptyCells} from '../../src/validate/read-cell.js'
import {RowReport} from '../../src/validate/row-report.js'
import {printJson} from '../../src/values/json.js'

type Given = {
  header: string[]
  quoted?: number[]
  native?: number[]
  empty?: EmptyCells
  unknownColumns?: 'send' | 'ignore'
}

function check(cells: string[], {header, quoted, native = [], empty = 'omit', unknownColumns = 'send'}: Given) {
  const names = createFieldNames('site', 'update')
  const {columns} = matchHeader(header, names, {file: 'a.csv', line: 1, use: 'update', unknownColumns})
  const report = new RowReport('a.csv')
  report.atRow(3)
  const record = checkCells(
    {cells, native: new Set(native), ...(quoted && {quoted})},
    {columns, width: header.length, use: 'update', empty},
    report,
  )
  return {
    ...(record && {record: printJson(record)}),
    problems: report.problems.map(({column, columnName, severity, code, message, cell}) =>
      [column, columnName, severity, code, message, cell].join(' | '),
    ),
    notices: report.notices,
    remarks: report.remarks,
  }
}

const header = ['id', 'name', 'timeZone']
const fine = {problems: [], notices: [], remarks: []}

test('each cell is the value of its column', () => {
  expect(check(['7', 'Ferry Quay', ''], {header})).toEqual({record: '{"id":7,"name":"Ferry Quay"}', ...fine})
  expect(check(['7', 'A', 'x'], {header: ['id', 'contact.firstName', 'contact.lastName']}).record).toBe(
    '{"id":7,"contact":{"firstName":"A","lastName":"x"}}',
  )
})

test('a cell has one problem: an error says more than the warning that something happened to it', () => {
  const {problems} = check(['7', 'x\u200b'.repeat(300), 'UTC'], {header})

  expect(problems.map((problem) => problem.split(' | ').slice(1, 4).join(' '))).toEqual(['name error TOO_LONG'])
})

test('a date cell of a workbook stops an id, and is a warning in free text', () => {
  const cells = ['7', '2024-03-05', '2024-03-05T18:07:05']
  const ofTexts = {header: ['id', 'name', 'externalAccountTerminalId']}
  const {record, problems} = check(cells, {...ofTexts, native: [0, 1, 2]})

  expect(record).toBe('{"id":7,"name":"2024-03-05"}')
  expect(problems).toEqual([
    expect.stringContaining(
      '2 | name | warning | SPREADSHEET_DAMAGE | the spreadsheet made a date of it: "2024-03-05"',
    ),
    expect.stringContaining('3 | externalAccountTerminalId | error | SPREADSHEET_DAMAGE'),
  ])
  expect(check(cells, ofTexts).problems).toEqual([])
})

test('a time cell of a workbook stops an id, and is a warning in free text', () => {
  const {record, problems} = check(['7', '12:30:00', '36:00:00'], {
    header: ['id', 'name', 'externalAccountTerminalId'],
    native: [1, 2],
  })

  expect(record).toBe('{"id":7,"name":"12:30:00"}')
  expect(problems).toEqual([
    expect.stringContaining('2 | name | warning | SPREADSHEET_DAMAGE | the spreadsheet made a time of it: "12:30:00"'),
    expect.stringContaining('3 | externalAccountTerminalId | error | SPREADSHEET_DAMAGE'),
  ])
})

test('half of a character, as a workbook can spell one, is never sent', () => {
  const {problems} = check(['7', 'a\ud800', '\udc00'], {header: ['id', 'name', 'mood']})

  expect(problems.map((problem) => problem.split(' | ').slice(1, 4).join(' '))).toEqual([
    'name error HALF_CHARACTER',
    'mood error HALF_CHARACTER',
  ])
})

test('an empty row is left out with a warning, and only a row of nothing is empty', () => {
  const left = {problems: [' |  | warning | EMPTY_ROW | an empty row; it was left out | '], notices: [], remarks: []}

  expect(check(['', '', ''], {header})).toEqual(left)
  expect(check([''], {header})).toEqual(left)
  expect(check(['', '', 'UTC'], {header})).toMatchObject({record: '{"timeZone":"UTC"}'})
  expect(check(['', '', ''], {header, quoted: [2]})).toMatchObject({record: '{"timeZone":""}'})
})

test.each([
  [['7', 'A'], '2 |  | error | RAGGED_ROW | 2 cells, but the header names 3 columns: a missing delimiter, perhaps | '],
  [['7'], '1 |  | error | RAGGED_ROW | 1 cell, but the header names 3 columns: a missing delimiter, perhaps | '],
  [
    ['7', 'A', 'x', 'y', 'z'],
    '4 |  | error | RAGGED_ROW | 5 cells, but the header names 3 columns: an unquoted delimiter in a cell, perhaps | ',
  ],
])('%j has not the cells of the header, and none of them is read', (cells, problem) => {
  expect(check(cells, {header})).toEqual({record: '{}', problems: [problem], notices: [], remarks: []})
})

test('a required cell may not be empty, whatever empty cells mean', () => {
  const missing = '1 | id | error | MISSING_VALUE | required, but the cell is empty | '
  const notNull = '1 | id | error | NOT_NULLABLE | may not be null | '

  expect(check(['', 'A', ''], {header}).problems).toEqual([missing])
  expect(check(['', 'A', 'UTC'], {header, empty: 'string'}).problems).toEqual([missing])
  expect(check(['', 'A', ''], {header, empty: 'null'}).problems).toEqual([notNull])
})

test('two quotes are empty text in a field of text, and nothing elsewhere', () => {
  expect(check(['7', 'A', ''], {header, quoted: [2]})).toEqual({
    record: '{"id":7,"name":"A","timeZone":""}',
    problems: [],
    notices: [],
    remarks: ['timeZone: 1 cell ("") was read as empty text'],
  })
  expect(check(['7', 'A', ''], {header, quoted: [2], empty: 'string'}).remarks).toEqual([])
  expect(check(['7', 'A', ''], {header: ['id', 'name', 'maxChargePrice'], quoted: [2]}).record).toBe(
    '{"id":7,"name":"A"}',
  )
})

test('a word for true or false is noted, and not how spreadsheets write it', () => {
  const read = (cell: string) => check(['7', cell], {header: ['id', 'isActive']})

  expect(read('TRUE')).toMatchObject({notices: [], remarks: ['isActive: 1 cell ("TRUE") was read as true or false']})
  expect(read('yes')).toMatchObject({notices: ['isActive: 1 cell ("yes") was read as true or false'], remarks: []})
})

test('a problem has the values to write, where there are any', () => {
  const report = new RowReport('a.csv')
  for (const write of [['5', '5000'], [], undefined])
    report.found({code: 'NOT_A_NUMBER', message: 'm', ...(write && {write})})

  expect(report.problems.map(({write}) => write)).toEqual([['5', '5000'], undefined, undefined])
})

test('the layout tells where rows are not the lines that they stand on', () => {
  const report = new RowReport('a.xlsx', 'Sites')
  const before = report.layout
  for (const [line, row] of [[2], [3, 3], [5, 3], [6, 4], [9, 8]] as [number, number?][]) report.atRow(line, row)

  expect(before).toEqual({sheet: 'Sites'})
  expect(report.layout).toEqual({
    sheet: 'Sites',
    shifts: [
      [5, 2],
      [9, 1],
    ],
  })
  expect(new RowReport('a.csv').layout).toEqual({})
})

test('what no field takes is sent as text where that was asked for, and never without a name', () => {
  expect(check(['7', '5', ''], {header: ['id', 'notes', 'more']}).record).toBe('{"id":7,"notes":"5"}')
  expect(check(['7', 'A', 'x'], {header: ['id', 'name', '']})).toEqual({
    record: '{"id":7,"name":"A"}',
    problems: ['3 |  | error | NAMELESS_COLUMN | a value in a column without a name | x'],
    notices: [],
    remarks: [],
  })
  expect(check(['7', 'A', ''], {header: ['id', 'name', '']})).toEqual({record: '{"id":7,"name":"A"}', ...fine})
})

test('damage stops a number, and free text is sent with a warning', () => {
  const damaged = check(['1.2E+05', '3-Jan', ''], {header})

  expect(damaged.record).toBe('{"name":"3-Jan"}')
  expect(damaged.problems.map((problem) => problem.split(' | ').slice(0, 4).join(' '))).toEqual([
    '1 id error SPREADSHEET_DAMAGE',
    '2 name warning SPREADSHEET_DAMAGE',
  ])
})
