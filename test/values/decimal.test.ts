import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {compareDecimals, isDecimal} from '../../src/values/decimal.js'

describe('compareDecimals', () => {
  test.each([
    ['10.1', '10.10'],
    ['-0', '0.000'],
    ['1e3', '1000'],
    ['0.001e3', '1'],
    ['1e400', '10e399'],
    ['+5', '5'],
  ])('%s equals %s', (one, other) => {
    expect(compareDecimals(one, other)).toBe(0)
  })

  test.each([
    ['9007199254740992', '9007199254740993'],
    ['-2', '-1'],
    ['-1', '0'],
    ['9', '10'],
    ['0.09', '0.1'],
    ['1e399', '1e400'],
    ['-1e400', '1e-400'],
    ['1e-999999999999999999', '1e-400'],
    ['0.1', '0.10000000000000000000001'],
  ])('%s is less than %s', (one, other) => {
    expect(compareDecimals(one, other)).toBeLessThan(0)
    expect(compareDecimals(other, one)).toBeGreaterThan(0)
  })

  test('orders whole numbers of any size as the language does', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(12), (one, other, zeros) => {
        const padded = `${other}.${'0'.repeat(zeros + 1)}`

        expect(Math.sign(compareDecimals(String(one), padded))).toBe(one < other ? -1 : Number(one > other))
      }),
    )
  })

  test('calls equal negative numbers equal, with a plain zero', () => {
    expect(compareDecimals('-1.50', '-1.5')).toBe(0)
  })

  test('agrees with a number on its own texts', () => {
    const number = fc.double({noNaN: true, noDefaultInfinity: true})
    fc.assert(
      fc.property(number, number, (one, other) => {
        expect(Math.sign(compareDecimals(String(one), String(other)))).toBe(one < other ? -1 : Number(one > other))
      }),
    )
  })
})

test.each(['1,5', '0x10', '', ' 1', '1.', '.5', 'NaN', '1e', '--1', '1_000'])('%j is no decimal', (text) => {
  expect(isDecimal(text)).toBe(false)
})
