import {expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {fixCell} from '../../src/validate/fix-cell.js'

const uses = ['create'] as const
const integer: Field = {kind: 'integer', uses, about: ''}
const boolean: Field = {kind: 'boolean', uses, about: ''}
const text: Field = {kind: 'text', uses, about: ''}
const time: Field = {kind: 'dateTime', uses, about: ''}
const choice: Field = {kind: 'choice', uses, of: ['PrePaid', 'Net10'], about: ''}

const fix = (cell: string, field: Field, name = 'name') => fixCell(cell, {name, path: [name], field})

test.each([
  ['\u00a07 ', integer, '7', ['spaces around the value']],
  ['="00123"', text, '00123', ['formula around the value']],
  ['=" 7"', integer, '7', ['formula around the value', 'spaces around the value']],
  ['TRUE', boolean, 'true', ['word for true or false']],
  ['WAHR', boolean, 'true', ['word for true or false']],
  [' no', boolean, 'false', ['spaces around the value', 'word for true or false']],
  ['net10 ', choice, 'Net10', ['spaces around the value', 'spelling of the choice']],
  ['Net\u00a010', choice, 'Net10', ['spelling of the choice']],
  ['Pre-Paid', choice, 'PrePaid', ['spelling of the choice']],
  ['CafÃ©', text, 'Café', ['text read in another encoding']],
  ['Caf\u200bé\u00a0Bar', text, 'Café Bar', ['invisible characters']],
  ['5.0', integer, '5', ['spelling of the number']],
  ['5,00 €', integer, '5', ['spelling of the number']],
  ['0007', integer, '7', ['leading zeros']],
  ['1\u202f234', integer, '1234', ['spelling of the number']],
  ['30.07.2024 18:07', time, '2024-07-30T18:07', ['spelling of the time']],
  ['45503.75', time, '2024-07-30T18:00:00', ['spelling of the time']],
])('%j is fixed', (cell, field, fixed, fixes) => {
  expect(fix(cell, field)).toEqual({cell: fixed, fixes})
})

test('an apostrophe before a key, and a space that nobody sees at its end', () => {
  expect(fix("'00123", text, 'terminalId')).toEqual({cell: '00123', fixes: ['apostrophe before the value']})
  expect(fix('A17\u00a0', text, 'terminalId')).toEqual({cell: 'A17', fixes: ['invisible characters']})
})

test.each([
  ['1,234', integer],
  ['1.250', integer],
  ['5.5', integer],
  ['3-Jan', text],
  [' x ', text],
  ['=1+1', text],
  ["'=1", text],
  ['GRÅ’S', text],
  ['Net11', choice],
  ['PrePayed', choice],
  ['maybe', boolean],
  ['true', boolean],
  ['03/04/2024', time],
  ['lost \ufffd', text],
])('%j is not certain', (cell, field) => {
  expect(fix(cell, field)).toEqual({cell, fixes: []})
})

test('several readings of a key are not certain', () => {
  expect(fix('12\u00a0345', text, 'terminalId')).toEqual({cell: '12\u00a0345', fixes: []})
})
