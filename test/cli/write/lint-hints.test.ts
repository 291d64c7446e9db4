import {expect, test} from 'vitest'

import {lintHints} from '../../../src/cli/write/render-problems.js'
import type {Problem} from '../../../src/validate/problem.js'

const problem = (write: string[]): Problem => ({
  ...{file: 'x', line: 2, severity: 'error', code: 'NOT_AN_INTEGER', message: 'not an integer: "5,00"', write},
})
const operation = 'sites.create'

test('a file with problems is fixed and shown by commands that have the same input flags', () => {
  const flags = {map: ['Site Name=name', 'A=b'], set: ['isActive=true'], empty: 'null', delimiter: ';'} as const

  const hints = lintHints({
    ...{operation, file: 'my sites.csv', flags: {...flags, map: [...flags.map], set: [...flags.set]}},
    problems: [problem(['5']), problem(['5', '5000']), problem([])],
  })

  const command = `vendorctl lint 'my sites.csv' --operation sites.create --delimiter ';' --map 'Site Name=name' --map A=b --set isActive=true --empty null`
  expect(hints).toEqual([
    `Fix 1 of 3 problems in a copy: ${command} --fix 'my sites.fixed.csv'`,
    `See them in a spreadsheet, in colour: ${command} --report 'my sites.problems.xlsx'`,
  ])
})

test.each(['-', '/dev/fd/63'])('where nothing is certain only the report is proposed; %s is saved first', (file) => {
  expect(lintHints({operation, file, flags: {}, problems: [problem([])]})).toEqual([
    'Save the input as FILE. See them in a spreadsheet, in colour: vendorctl lint FILE --operation sites.create --report OUT.xlsx',
  ])
  expect(lintHints({operation, file, flags: {}, problems: []})).toEqual([])
})

test('no copy is proposed of a file whose locale was not named', () => {
  const locale: Problem = {...problem([]), code: 'OTHER_LOCALE'}

  const hints = lintHints({operation, file: 'a.csv', flags: {}, problems: [locale, problem(['5'])]})

  expect(hints).toEqual([expect.stringContaining('--report a.problems.xlsx')])
})

test.each([
  ['UNREADABLE_CELL', 'a cell of a workbook that has no value'],
  ['NAMELESS_COLUMN', 'a value beside the table of a sheet'],
] as const)('no copy is proposed that would leave out what cannot be read: %s, %s', (code, _what) => {
  const unreadable: Problem = {...problem([]), code, sheet: 'Sites'}

  const hints = lintHints({operation, file: 'a.xlsx', flags: {}, problems: [unreadable, problem(['5'])]})

  expect(hints).toEqual([expect.stringContaining('--report a.problems.xlsx')])
})

test.each(['a.xlsm', 'a.xls', 'a.XLSX'])('the copy of %s is a workbook that can be written', (file) => {
  const [fix] = lintHints({operation, file, flags: {}, problems: [problem(['5'])]})

  expect(fix).toContain('--fix a.fixed.xlsx')
})

test('a value in a column that a copy leaves as it is does not count as fixed', () => {
  const columnName = 'maxChargPrice'
  const unknown: Problem = {...problem([]), code: 'UNKNOWN_COLUMN', columnName}

  const hints = lintHints({operation, file: 'a.csv', flags: {}, problems: [unknown, {...problem(['5']), columnName}]})

  expect(hints.slice(1)).toEqual([expect.stringContaining('--report a.problems.xlsx')])
  expect(hints[0]).toContain('--unknown-columns')
})

test('a column that is no field may be left out, unless the columns of the write are missing', () => {
  const unknown: Problem = {...problem([]), code: 'UNKNOWN_COLUMN', columnName: 'Notes'}
  const missing: Problem = {...problem([]), code: 'MISSING_COLUMN', columnName: 'id'}
  const hintsOf = (...problems: Problem[]) => lintHints({operation, file: 'a.csv', flags: {}, problems}).join()

  expect(hintsOf(unknown)).toContain('To leave out columns that are no field, add: --unknown-columns ignore')
  expect(hintsOf({...unknown, remedy: '--map Notes=name'})).not.toContain('--unknown-columns')
  expect(hintsOf(unknown, missing)).not.toContain('--unknown-columns')
})
