import {expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {findSpreadsheetDamage} from '../../src/validate/spreadsheet-damage.js'

const text: Field = {kind: 'text', uses: ['create'], about: ''}
const integer: Field = {kind: 'integer', uses: ['create'], about: ''}

test.each([
  ['1.23457E+15', 'the spreadsheet cut its digits: "1.23457E+15"; make the column text and enter the value again'],
  ['1,23457E+15', 'the spreadsheet cut its digits: "1,23457E+15"; make the column text and enter the value again'],
  ['3-Jan', 'the spreadsheet made a date of it: "3-Jan"; make the column text and enter the value again'],
  ['Mar-24', 'the spreadsheet made a date of it: "Mar-24"; make the column text and enter the value again'],
  ['="00123"', 'a spreadsheet formula around the value: ="00123"; write 00123'],
  ['#REF!', 'a formula that failed in the spreadsheet: #REF!'],
])('%s stops an id, a number, and is a warning in free text', (cell, message) => {
  expect(findSpreadsheetDamage(cell, 'externalAccountTerminalId', text)).toEqual({code: 'SPREADSHEET_DAMAGE', message})
  expect(findSpreadsheetDamage(cell, 'accountId', integer)).toEqual({code: 'SPREADSHEET_DAMAGE', message})
  expect(findSpreadsheetDamage(cell, 'name', text)).toEqual({code: 'SPREADSHEET_DAMAGE', message, severity: 'warning'})
})

test.each(['', '7', 'E+', 'Area-51', 'Jan', '3-January', 'a=b', '# 12', '=1+1', '1E5', `="${'x'.repeat(100)}"`])(
  '%j is not damaged',
  (cell) => {
    expect(findSpreadsheetDamage(cell, 'externalAccountTerminalId', text)).toBeUndefined()
  },
)
