import {expect, test} from 'vitest'
import {exitCodes} from '../../src/contract/index.js'

test('the exit codes are those of the surface', () => {
  expect(Object.entries(exitCodes).map(([name, {code}]) => `${code} ${name}`)).toEqual([
    '0 ok',
    '1 failure',
    '2 usage',
    '3 invalid',
    '4 denied',
    '5 refused',
    '6 partial',
    '7 inDoubt',
    '8 limited',
    '9 empty',
    '10 incomplete',
    '11 changes',
    '12 storage',
    '13 locked',
    '14 unsafe',
    '75 unavailable',
    '127 unknownCommand',
    '129 hungUp',
    '130 interrupted',
    '143 terminated',
  ])
})
