import {expect, test} from 'vitest'
import {drawBars} from '../../../src/reports/summary/summary-fields.js'
import {toNumber} from '../../../src/values/json.js'

const barsOf = (...prices: string[]) =>
  drawBars(prices.map((price) => ({totalPrice: toNumber(price)}))).map(({bar}) => bar)

test('bars are as long as their share of the largest, to an eighth of a cell', () => {
  const bars = barsOf('9600.00', '4800.00', '4900.00', '800.00', '100.00')

  expect(bars).toEqual(['█'.repeat(12), '█'.repeat(6), `${'█'.repeat(6)}▏`, '█', '▏'])
})

test('what is more than nothing is seen, and nothing is not', () => {
  expect(barsOf('1000000', '0.01', '0', '-5')).toEqual(['█'.repeat(12), '▏', '', ''])
  expect(barsOf('0', '0.00')).toEqual(['', ''])
})

test('a group keeps what it counts', () => {
  expect(drawBars([{day: '2026-01-02', totalPrice: toNumber('1.50')}])).toEqual([
    {day: '2026-01-02', totalPrice: toNumber('1.50'), bar: '█'.repeat(12)},
  ])
})
