import {expect, test} from 'vitest'
import type {KeyField} from '../../../src/runs/names/look-up.js'
import {createNearFinder} from '../../../src/runs/names/resolve-names.js'

const text: KeyField = {name: 'name', field: {kind: 'text', uses: ['read'], about: ''}}
const account: KeyField = {name: 'accountId', field: {kind: 'integer', uses: ['read'], about: ''}}

const isNear = (name: string, known: string, accountId = 1) =>
  createNearFinder([{id: 7, name: known, accountId: 1}], [account, text])({name, accountId}) !== undefined

test.each([
  ['new wharf', 'New Wharf'],
  ['New  Wharf ', 'New Wharf'],
  ['Cafe\u0301', 'Café'],
  ['ＮＥＷ', 'New'],
  ['New Warf', 'New Wharf'],
  ['New Wharrf', 'New Wharf'],
  ['New Wharg', 'New Wharf'],
  ['Mew Wharf', 'New Wharf'],
  ['Kiosk 12', 'Kiosc 12'],
  ['a1', 'A1'],
])('%s is nearly %s', (name, known) => {
  expect(isNear(name, known)).toBe(true)
})

test.each([
  ['Kiosk 12', 'Kiosk 13'],
  ['Kiosk 1', 'Kiosk 12'],
  ['Wharf O', 'Wharf 0'],
  ['New Wraf', 'New Wharf'],
  ['Mill', 'Hill'],
  ['12', ' 12'],
  ['abcdef', 'bcdefa'],
  ['New Wharf', 'Old Wharf'],
])('%s is another name than %s', (name, known) => {
  expect(isNear(name, known)).toBe(false)
})

test('a name of another account is another name', () => {
  expect(isNear('New Warf', 'New Wharf', 2)).toBe(false)
})

test('numbers alone have no near misses', () => {
  const number: KeyField = {name: 'machineId', field: {kind: 'integer', uses: ['read'], about: ''}}
  const find = createNearFinder([{id: 1, machineId: 12, accountId: 1}], [account, number])
  expect(find({machineId: 13, accountId: 1})).toBeUndefined()
})
