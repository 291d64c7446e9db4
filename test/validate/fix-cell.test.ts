import {expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {fixCell} from '../../src/validate/fix-cell.js'

const uses = ['create'] as const
const integer: Field = {kind: 'integer', uses, about: ''}
const boolean: Field = {kind: 'boolean', uses, about: ''}
const text: Field = {kind: 'text', uses, about: ''}
const choice: Field = {kind: 'choice', uses, of: ['PrePaid', 'Net10'], about: ''}

test.each([
  ['\u00a07 ', integer, '7', ['spaces around the value']],
  ['="00123"', text, '00123', ['formula around the value']],
  ['=" 7"', integer, '7', ['formula around the value', 'spaces around the value']],
  ['TRUE', boolean, 'true', ['word for true or false']],
  [' no', boolean, 'false', ['spaces around the value', 'word for true or false']],
  ['net10 ', choice, 'Net10', ['spaces around the value', 'spelling of the choice']],
  ['CafÃ©', text, 'Café', ['text read in another encoding']],
])('%j is fixed', (cell, field, fixed, fixes) => {
  expect(fixCell(cell, field)).toEqual({cell: fixed, fixes})
})

test.each([
  ['1,234', integer],
  ['5.0', integer],
  ['3-Jan', text],
  [' x ', text],
  ['=1+1', text],
  ["'=1", text],
  ['GRÅ’S', text],
  ['Net11', choice],
  ['maybe', boolean],
  ['true', boolean],
])('%j is not certain', (cell, field) => {
  expect(fixCell(cell, field)).toEqual({cell, fixes: []})
})
