import {expect, test} from 'vitest'
import {suggest} from '../../src/values/suggest.js'

const fields = ['name', 'orgId', 'accountId', 'maxChargePrice', 'timeZone']

test.each([
  ['maxChargPrice', 'maxChargePrice'],
  ['max_charge_prices', 'maxChargePrice'],
  ['MAX-CHARGE-PRICE', 'maxChargePrice'],
  ['nmae', 'name'],
  ['nam', 'name'],
  ['names', 'name'],
  ['mame', 'name'],
  ['n', undefined],
  ['nemo', undefined],
  ['orgI', 'orgId'],
  ['zoneTime', undefined],
  ['timeZome', 'timeZone'],
  ['acountIdd', 'accountId'],
  ['argdI', undefined],
  ['', undefined],
  ['somethingElse', undefined],
])('%j is meant as %j', (word, meant) => {
  expect(suggest(word, fields)).toBe(meant)
})

test('the nearest goes first, and of equally near ones the first', () => {
  expect(suggest('abcdef', ['abcdxx', 'abcdex'])).toBe('abcdex')
  expect(suggest('abcdex', ['abcdey', 'abcdef'])).toBe('abcdey')
  expect(suggest('a', [])).toBeUndefined()
})
