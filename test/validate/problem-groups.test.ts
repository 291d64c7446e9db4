import {expect, test} from 'vitest'

import {groupProblems, mayBeUnchanged, type Problem} from '../../src/validate/problem.js'
import {placeText} from '../../src/values/place.js'

const price = (line: number, cell: string, more: Partial<Problem> = {}): Problem => ({
  ...{file: 'sites.csv', line, column: 3, columnName: 'maxChargePrice', severity: 'error', code: 'NOT_AN_INTEGER'},
  ...{message: `not an integer: "${cell}"`, cell},
  ...more,
})

const told = (problems: readonly Problem[]) =>
  groupProblems(problems).map(({first, message}) => `${placeText(first)} ${first.severity} ${message}`)

test('one problem is as it was', () => {
  const problem = price(2, '5,00', {message: 'not an integer: "5,00"; write 5', write: ['5']})

  expect(told([problem])).toEqual(['sites.csv:2:3 error maxChargePrice: not an integer: "5,00"; write 5'])
})

test('those of one kind in one column are one line, with every value and what to write', () => {
  const problems = [
    price(9, '7', {write: ['70', '71']}),
    price(5, '5,00', {write: ['5']}),
    price(7, ''),
    price(2, '5,00', {write: ['5'], message: 'not an integer: "5,00"; write 5'}),
    price(6, '5,00', {write: ['5']}),
  ]

  expect(told(problems)).toEqual([
    'sites.csv:2:3 error maxChargePrice: not an integer: "5,00"; write 5 (5 cells: lines 2, 5–6; line 7; "7" in line 9, write 70 or 71)',
  ])
})

test('those without a cell are told by their lines', () => {
  const {cell: _cell, ...lost} = price(4, '', {kind: 'zeros', message: 'lost its zeros'})

  expect(told([lost, {...lost, line: 6, write: ['07']}])).toEqual([
    'sites.csv:4:3 error maxChargePrice: lost its zeros (2 cells: line 4; line 6, write 07)',
  ])
})

test('a value that the record holds already is no problem, but an id, a row or a file is', () => {
  const {columnName: _name, ...nameless} = price(2, 'x')
  const {line: _line, ...ofFile} = price(2, 'x')

  expect(mayBeUnchanged(price(2, 'x'), ['id'])).toBe(true)
  expect(mayBeUnchanged(price(2, 'x'), ['id', 'maxChargePrice'])).toBe(false)
  for (const problem of [nameless, ofFile, price(2, 'x', {code: 'MISSING_VALUE'})])
    expect(mayBeUnchanged(problem, ['id'])).toBe(false)
})

test('another column, code, kind or severity is another line, by the line of the first cell', () => {
  const problems = [
    price(3, 'x'),
    price(2, 'x', {column: 4, columnName: 'other'}),
    price(4, 'x', {code: 'TOO_SMALL'}),
    price(5, 'x', {severity: 'warning'}),
    price(6, 'x', {kind: 'formula'}),
    price(7, 'x'),
  ]

  expect(groupProblems(problems).map(({first, count}) => [first.line, count])).toEqual([
    [2, 1],
    [3, 2],
    [4, 1],
    [5, 1],
    [6, 1],
  ])
})

test('problems of rows are told apart by their messages', () => {
  const ragged = (line: number, message: string): Problem => {
    return {file: 'sites.csv', line, severity: 'error', code: 'RAGGED_ROW', message}
  }

  expect(told([ragged(2, '2 cells'), ragged(3, '3 cells'), ragged(4, '2 cells')])).toEqual([
    'sites.csv:2 error 2 cells (2 rows: lines 2, 4)',
    'sites.csv:3 error 3 cells',
  ])
})

test('records of one line have one line', () => {
  const lacking: Problem = {file: 'sites.json', line: 1, severity: 'error', code: 'MISSING_VALUE', message: 'required'}

  expect(told([lacking, lacking])).toEqual(['sites.json:1 error required (2 rows: line 1)'])
})

test('a spreadsheet counts rows, and has only those', () => {
  expect(told([price(2, 'x'), price(9, 'x', {row: 5}), price(12, 'x', {row: 6})])).toEqual([
    'sites.csv:2:3 error maxChargePrice: not an integer: "x" (3 cells: rows 2, 5–6)',
  ])
  expect(told([price(2, 'x', {sheet: 'Sites'}), price(4, 'x', {sheet: 'Sites'})])).toEqual([
    'sites.csv!Sites:2:C error maxChargePrice: not an integer: "x" (2 cells: rows 2, 4)',
  ])
})

test('a group of fifty names all of its values', () => {
  const many = Array.from({length: 51}, (_, index) => price(2 * index + 2, `${index}`))

  expect(told(many.slice(1))[0]).toMatch(/; "50" in line 102\)$/)
  expect(told(many)[0]).toMatch(/; "7" in line 16; …\)$/)
})

test('a large group names its first values and lines only', () => {
  const many = Array.from({length: 60}, (_, index) => price(2 * index + 2, index < 30 ? 'x' : `${index}`))

  const [text] = told(many)

  expect(text).toContain('(60 cells: lines 2, 4, 6, 8, 10, 12, 14, 16, …; "30" in line 62; ')
  expect(text).toMatch(/; "36" in line 74; …\)$/)
})
