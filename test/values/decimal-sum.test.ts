import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {significantDigits, survivesDouble, toUnscaled} from '../../src/values/decimal.js'
import {amountText, createDecimalSum, readAmount, readSmall, sumChanges} from '../../src/values/decimal-sum.js'

function sumOf(...texts: string[]): string {
  const sum = createDecimalSum()
  for (const text of texts) expect(sum.add(text)).toBe(true)
  return sum.text
}

describe('a sum of decimals', () => {
  test.for([
    [[], '0'],
    [['10.10', '5'], '15.10'],
    [['0.1', '0.2'], '0.3'],
    [['-0.05', '0.04'], '-0.01'],
    [['9007199254740993', '0.1'], '9007199254740993.1'],
    [['1e3', '1.5E-2'], '1000.015'],
    [['1e400', '1e-400'], `1${'0'.repeat(400)}.${'0'.repeat(399)}1`],
    [['0.00', '0.0'], '0.00'],
    [['5.00', '-5'], '0.00'],
    [['0.00000000000000000001', '1e20'], '100000000000000000000.00000000000000000001'],
  ] as const)('%j is %s', ([texts, sum]) => {
    expect(sumOf(...texts)).toBe(sum)
  })

  test('is exact, whatever the order and the number of decimals', () => {
    const cents = fc.array(
      fc.record({units: fc.bigInt({min: -(10n ** 20n), max: 10n ** 20n}), scale: fc.integer({min: 1, max: 6})}),
    )
    const toText = ({units, scale}: {units: bigint; scale: number}) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
      return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
    }

    fc.assert(
      fc.property(cents, (all) => {
        const millionths = all.reduce((sum, {units, scale}) => sum + units * 10n ** BigInt(6 - scale), 0n)

        expect(toUnscaled(sumOf(...all.map(toText)), 6, 100)).toBe(millionths)
      }),
    )
  })

  test.for([
    '',
    '1,50',
    'x',
    '0x10',
    '1e999',
    '1e-999',
    '1e401',
    '1e-401',
    ' 1',
    'NaN',
    '1e99999',
    '5.',
    '.5',
    '-',
    '-.5',
    '1.2.3',
    '5.'.padStart(18, '0'),
  ])('does not take %j', (text) => {
    const sum = createDecimalSum()

    expect(sum.add(text)).toBe(false)
    expect(sum.text).toBe('0')
  })

  test('takes another sum in', () => {
    const [one, other] = [createDecimalSum(), createDecimalSum()]
    one.add('1.5')
    other.add('2.25')

    one.merge(other)

    expect(one.text).toBe('3.75')
  })
})

describe('digits of a decimal', () => {
  test.for([
    ['10.10', 4, 38, 101_000n],
    ['-0.01', 2, 38, -1n],
    ['1e3', 0, 38, 1000n],
    ['0.001', 2, 38, undefined],
    ['100', 0, 2, undefined],
    ['100', 0, 3, 100n],
    ['9.99', 2, 3, 999n],
    ['9.99', 3, 3, undefined],
    ['0', 2, 3, 0n],
    ['1e400', 2, 38, undefined],
    ['x', 2, 38, undefined],
  ] as const)('%s at scale %i and precision %i is %s units', ([text, scale, precision, units]) => {
    expect(toUnscaled(text, scale, precision)).toBe(units)
  })

  test('are counted between zeros, and survive a double or not', () => {
    expect(['0.0120', '1200', '0', '1.5e10'].map(significantDigits)).toEqual([2, 2, 0, 2])
    expect(
      ['10.10', '0.1', '9007199254740992', '9007199254740993', '1e400', '1e-400', 'x'].map(survivesDouble),
    ).toEqual([true, true, true, false, false, false, false])
  })
})

test('a number with a million decimals is not added, and the sum stays as quick as before', () => {
  const sum = createDecimalSum()

  expect(sum.add(`0.${'1'.repeat(1_000_000)}`)).toBe(false)
  expect(sum.add('9'.repeat(1_000_000))).toBe(false)
  expect(sum.add(`0.${'1'.repeat(900)}`)).toBe(true)
  expect(sum.text).toBe(`0.${'1'.repeat(900)}`)
})

test('sums that are longer than any number are merged exactly', () => {
  const [one, other] = [createDecimalSum(), createDecimalSum()]
  expect([one.add(`${'9'.repeat(998)}.00`), one.add(`${'9'.repeat(999)}.00`)]).toEqual([true, false])
  one.add(`-${'9'.repeat(1_000)}`)
  one.add('-1')
  other.merge(one)

  expect(other.text).toBe(one.text)
  expect(other.text).toBe(`-99${'0'.repeat(997)}1.00`)
})

test.each([
  ['12.50', {units: 1_250, scale: 2}],
  ['-0.05', {units: -5, scale: 2}],
  ['123456789012345', {units: 123_456_789_012_345, scale: 0}],
  ['-12345678901234.5', {units: -123_456_789_012_345, scale: 1}],
  ['1234567890123456', undefined],
  ['1.234567890123456', undefined],
  ['5.', undefined],
  ['1e3', undefined],
])('the digits of %s within other bytes', (text, expected) => {
  const amount = {units: 0, scale: 0}
  const isRead = readSmall(Buffer.from(`"a":1,"price":${text},"b":2`), 14, 14 + text.length, amount)

  expect(isRead ? amount : undefined).toEqual(expected)
})

test.each(['0', '5', '-5', '0.05', '-0.05', '10.10', '1234567890.12345678901'])(
  '%s is printed as it was read',
  (text) => {
    const {units = 0, scale = 0} = readAmount(text) ?? {}

    expect(amountText(BigInt(units), scale)).toBe(text)
  },
)

test.each([
  [[], {before: '0', after: '0', difference: '0'}],
  [[['1.50', '2']], {before: '1.50', after: '2', difference: '0.50'}],
  [
    [
      ['-1', '1'],
      [undefined, '3.5'],
    ],
    {before: '-1', after: '4.5', difference: '5.5'},
  ],
  [[['4', undefined]], {before: '4', after: '0', difference: '-4'}],
] as const)('the changes %j', (changes, expected) => {
  expect(sumChanges(changes)).toEqual(expected)
})
