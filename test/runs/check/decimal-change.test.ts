import {expect, test} from 'vitest'
import {changeDecimal, type DecimalChange} from '../../../src/runs/rows/merge-fields.js'

const change = (text: string, kind: DecimalChange['kind'], amount: string, step?: string) =>
  changeDecimal(text, {kind, amount, ...(step !== undefined && {step})})

test.each([
  ['1.50', '+5', undefined, '1.5750'],
  ['1.50', '+5', '0.01', '1.58'],
  ['1.50', '+5', '0.05', '1.60'],
  ['1.10', '+5', '0.05', '1.15'], // 1.155
  ['1.45', '-10', '0.05', '1.30'], // 1.305
  ['-1.50', '+5', '0.01', '-1.58'],
  ['0.1', '+200', '0.01', '0.30'],
  ['9007199254740993.01', '+100', '0.01', '18014398509481986.02'],
  ['1.5', '+0.1', '0.0001', '1.5015'],
  ['1e2', '+5', '0.01', '105.00'],
  ['1.5', '-100', '0.01', '0.00'],
])('%s %s %% to %s is %s', (text, percent, step, expected) => {
  expect(change(text, 'percent', percent, step)).toBe(expected)
})

test.each([
  ['1.5', '-0.10', undefined, '1.40'],
  ['0.1', '+0.2', undefined, '0.3'],
  ['10', '+3', undefined, '13'],
  ['1.52', '+0.10', '0.05', '1.60'],
  ['1.525', '+0', '0.05', '1.55'],
  ['-1.525', '+0', '0.05', '-1.55'],
  ['1.5', '-1.52', '0.05', '0.00'],
])('%s %s to %s is %s', (text, difference, step, expected) => {
  expect(change(text, 'add', difference, step)).toBe(expected)
})

test('to a value', () => {
  expect(change('1.5', 'set', '2.50')).toBe('2.50')
  expect(change('1.5', 'set', '2.53', '0.05')).toBe('2.55')
})

test.each(['', 'x', '1,5', 'null'])('%j is no number', (text) => {
  expect(change(text, 'percent', '5')).toBeUndefined()
})

test.each(['0', '-0.05', 'x'])('a step of %s rounds nothing', (step) => {
  expect(change('1.5', 'add', '1', step)).toBeUndefined()
})
