import {expect, test} from 'vitest'
import {isOn, toTruth, truthWords} from '../../src/values/truth.js'

test.for([
  ['1', true],
  ['true', true],
  ['YES', true],
  [' y\n', true],
  ['On', true],
  ['0', false],
  ['False', false],
  ['no', false],
  ['N', false],
  ['off', false],
  ['', false],
  [' ', false],
  ['2', undefined],
  ['yess', undefined],
  ['null', undefined],
] as const)('%j says %s', ([text, truth]) => {
  expect(toTruth(text)).toBe(truth)
  expect(isOn(text)).toBe(truth === true)
})

test('what is not set is off', () => {
  expect(isOn(undefined)).toBe(false)
})

test('the words that are shown are those that are understood', () => {
  const [yes = '', no = ''] = truthWords.split('; ')

  expect(yes.split(', ').map(toTruth)).toEqual(yes.split(', ').map(() => true))
  expect(no.replace(' or nothing', '').split(', ').map(toTruth)).toEqual(no.split(', ').map(() => false))
})
