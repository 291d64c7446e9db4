import {describe, expect, test} from 'vitest'

import {createFieldNames} from '../../src/validate/field-names.js'
import {ZeroWatch} from '../../src/validate/lost-zeros.js'
import {matchHeader} from '../../src/validate/match-header.js'
import {problemText} from '../../src/validate/problem.js'
import {describeDamage} from '../../src/validate/respelled.js'

const options = {file: 'sites.csv', line: 1, use: 'create', unknownColumns: 'ignore'} as const
const {columns} = matchHeader(
  ['name', 'externalAccountTerminalId', 'accountId'],
  createFieldNames('site', 'create'),
  options,
)

function watch(cells: readonly string[], allowed: readonly string[] = []): string[] {
  const zeros = new ZeroWatch(columns, new Set(allowed))
  cells.forEach((cell, index) => {
    zeros.add({cells: [cell, cell, cell], line: index + 2})
  })
  return zeros
    .findProblems({file: 'sites.csv'})
    .map((problem) => `${problem.line}:${problem.column} ${problem.severity} ${problemText(problem)}`)
}

const sixDigits = (count: number) => Array.from({length: count}, (_, index) => String(100_000 + index))

test('values that are shorter than those with zeros in front', () => {
  expect(watch(['000123', 'T-1', '4567', '891234', '89'])).toEqual([
    '4:2 warning externalAccountTerminalId: "4567", and 1 more, each lost its leading zeros, perhaps: others in this column have 6 digits, such as "000123"',
  ])
})

test('values that are shorter than almost all', () => {
  expect(watch([...sixDigits(10), '42'])).toEqual([
    '12:2 warning externalAccountTerminalId: "42" lost its leading zeros, perhaps: others in this column have 6 digits, such as "100000"',
  ])
})

test.each([
  ['zeros in front and one width', ['0001', '0002', '1234']],
  ['several widths with zeros in front', ['001', '0002', '5']],
  ['no width that most have', ['1', '22', '333', '4444']],
  ['too few to tell', [...sixDigits(9), '12']],
  ['too small a part', [...sixDigits(17), '12', '13']],
  ['a zero alone', ['0', '12', '345']],
  ['no digits', ['A1', '0A']],
])('%s is no loss', (_name, cells) => {
  expect(watch(cells)).toEqual([])
})

describe('digits behind the 15th', () => {
  const cut = 'the spreadsheet cut its digits: "123456789012345000", and 1 more, all with zeros after the 15th digit'
  const ids = ['123456789012345000', 'T-1', '223456789012345000']

  test('are zeros in all values that are so long: they were cut', () => {
    expect(watch(ids)).toEqual([
      `2:2 error externalAccountTerminalId: ${cut}; make the column text and enter the values again`,
    ])
  })

  test('tell so by three zeros of two values', () => {
    expect(watch(['12345678901234500', '2234567890123450'])).toHaveLength(1)
  })

  test('are sent as they are where that is allowed', () => {
    expect(watch(ids, ['externalAccountTerminalId'])).toEqual([expect.stringMatching(/^2:2 warning /)])
  })

  test.each([
    ['one value', ['123456789012345000']],
    ['one value twice', ['123456789012345000', '123456789012345000']],
    ['a value that was not cut', [...ids, '123456789012345001']],
    ['two zeros', ['1234567890123450', '2234567890123450']],
    ['no zeros', ['123456789012345678', '223456789012345678']],
    ['a letter in front', ['T12345678901234000', 'T22345678901234000']],
    ['fifteen digits', ['123456789012000', '223456789012000']],
  ])('%s tells nothing', (_name, cells) => {
    expect(watch(cells)).toEqual([])
  })
})

describe('beside the value that the record holds', () => {
  test.each([
    ['0003', '3', '"3" lost its leading zeros: the record has "0003"'],
    ['0003', '03', '"03" lost its leading zeros: the record has "0003"'],
    ['0000', '0', '"0" lost its leading zeros: the record has "0000"'],
    ['123456789012', '1.23457E+11', 'the spreadsheet cut the digits of "1.23457E+11": the record has "123456789012"'],
    ['0003', '0004', undefined],
    ['0103', '3', undefined],
    ['3', '0003', undefined],
    ['0003', '', undefined],
    ['A003', '3', undefined],
    ['0003', '3.0', '"3.0" lost its leading zeros: the record has "0003"'],
    ['0003', '3,0', '"3,0" lost its leading zeros: the record has "0003"'],
    ['3', '3.0', undefined],
    ['0003', '3.5', undefined],
    ['123456789012', '1.23457E+12', undefined],
  ])('%s became %s', (before, after, damage) => {
    expect(describeDamage(before, after)).toBe(damage)
  })
})
