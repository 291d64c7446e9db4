import {expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {type Finding, tellFinding} from '../../src/validate/problem.js'
import {findSpreadsheetDamage, mayBeDamaged} from '../../src/validate/spreadsheet-damage.js'

const text: Field = {kind: 'text', uses: ['create'], about: ''}
const integer: Field = {kind: 'integer', uses: ['create'], about: ''}

function find(cell: string, name: string, field: Field): Pick<Finding, 'message' | 'severity'> | undefined {
  const found = findSpreadsheetDamage(cell, name, field)
  return found && {message: tellFinding(found), ...(found.severity && {severity: found.severity})}
}

test.each([
  ['1.23457E+15', 'the spreadsheet cut its digits: "1.23457E+15"; make the column text and enter the value again'],
  ['1,23457E+15', 'the spreadsheet cut its digits: "1,23457E+15"; make the column text and enter the value again'],
  ['3-Jan', 'the spreadsheet made a date of it: "3-Jan"; make the column text and enter the value again'],
  ['Mar-24', 'the spreadsheet made a date of it: "Mar-24"; make the column text and enter the value again'],
  ['="00123"', 'a spreadsheet formula around the value: ="00123"; write 00123'],
  ['#REF!', 'a formula that failed in the spreadsheet: #REF!'],
])('%s stops an id, a number, and is a warning in free text', (cell, message) => {
  expect(mayBeDamaged(cell)).toBe(true)
  expect(find(cell, 'externalAccountTerminalId', text)).toEqual({message})
  expect(find(cell, 'accountId', integer)).toEqual({message})
  expect(find(cell, 'name', text)).toEqual({message, severity: 'warning'})
})

test.each([
  ...['03. Jan', '3. Mrz', '12-Mär', '12-Ma\u0308r', '05. Dez', 'Mrz 24', 'Mai 24', '12-févr', '01-janv.', '03-ene'],
  ...['03-gen', '12-mrt', '3-okt', '03/fev', '3-Sept'],
])('%j is a day that a spreadsheet of another language made', (cell) => {
  const message = `the spreadsheet made a date of it: ${JSON.stringify(cell)}; make the column text and enter the value again`

  expect(mayBeDamaged(cell)).toBe(true)
  expect(find(cell, 'externalAccountTerminalId', text)).toEqual({message})
  expect(find(cell, 'name', text)).toEqual({message, severity: 'warning'})
})

test.each([
  '12/03/2024',
  '3/14/2024',
  '03.12.2024',
  '12-3-2024',
  '12/03/2024 00:00',
  '1/31/2024 6:07 PM',
  '12/03/2024 06:07:05.5 AM',
])('%j stops an id, and nothing else', (cell) => {
  expect(mayBeDamaged(cell)).toBe(true)
  expect(find(cell, 'externalAccountTerminalId', text)?.message).toMatch('the spreadsheet made a date of it')
  expect(find(cell, 'name', text)).toBeUndefined()
  expect(find(cell, 'raisedAt', {...text, kind: 'dateTime'})).toBeUndefined()
})

test.each([
  ...['3-1', '3/1', '3.1', 'A-12-B', '12-May-Street', '10.20.30', '12-03-24', '31-31-2024', '12-03-9024', '2024-03-12'],
  ...['set-12', 'gen-10', 'out-24', 'Set-12', '4-gen', '45-Jan', '3 Jan', '12-MAR-7', 'Mai', '3.', 'MAI-24'],
])('%j is an id', (cell) => {
  expect(find(cell, 'externalAccountTerminalId', text)).toBeUndefined()
})

test.each([
  ...['', '7', 'E+', 'Area-51', 'Jan', '3-January', 'a=b', '# 12', '##REF!', '=1+1', '1E5', `="${'x'.repeat(100)}"`],
  '12/03/2024 06:07:05.5000 AM',
])('%j is not damaged', (cell) => {
  expect(find(cell, 'externalAccountTerminalId', text)).toBeUndefined()
})

test('most cells need no closer look', () => {
  const usual = [
    '',
    '7',
    '5.25',
    'Ferry Quay',
    'Net10',
    '2024-07-30',
    'true',
    'x'.repeat(100),
    `3-Jan${'x'.repeat(20)}`,
  ]

  expect(usual.filter(mayBeDamaged)).toEqual([])
})

test.each([
  ["'00123", 'an apostrophe before the value, the mark of spreadsheets for text: "\'00123"; write 00123'],
  ['12\u00a0345', 'a non-breaking space (U+00A0) in it: "12\\u00a0345"; write 12345 or 12 345'],
  [' ="7"', 'a spreadsheet formula around the value: ="7"; write 7'],
  [' 3-Jan', 'the spreadsheet made a date of it: "3-Jan"; make the column text and enter the value again'],
])('%j stops an id', (cell, message) => {
  expect(mayBeDamaged(cell)).toBe(true)
  expect(find(cell, 'externalAccountTerminalId', text)).toEqual({message})
})

test.each([
  ["'=1+1", 'an apostrophe before "=1+1", as escaped formulas have; remove it, in a csv with --csv-dialect excel'],
  ["''-a", 'an apostrophe before "-a", as escaped formulas have; remove it, in a csv with --csv-dialect excel'],
  [`${'x'.repeat(80)}\u200b`, `a zero-width space (U+200B) in it: "${'x'.repeat(60)}…"; write "${'x'.repeat(60)}…"`],
  ['CafÃ©', 'text that was read in another encoding, perhaps: "CafÃ©"; write "Café"'],
])('%j is a warning in free text', (cell, message) => {
  expect(mayBeDamaged(cell)).toBe(true)
  expect(find(cell, 'name', text)).toEqual({message, severity: 'warning'})
})

test.each(["'s-Hertogenbosch", "'00123", 'Café', '👩\u200d👧', 'two\nlines'])('%j is free text as it is', (cell) => {
  expect(find(cell, 'name', text)).toBeUndefined()
})
