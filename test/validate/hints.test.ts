import {describe, expect, test} from 'vitest'
import {hintForDate, hintForNumber} from '../../src/validate/hints.js'
import {trimInvisible} from '../../src/validate/invisible.js'
import {repairMojibake} from '../../src/validate/mojibake.js'
import {suggest} from '../../src/values/suggest.js'

describe('how a number is to be written', () => {
  test.each([
    ['1,234', 'integer', '; write 1234 if the comma separates thousands'],
    ['1.234.567', 'integer', '; write 1234567 if the point separates thousands'],
    ['1 234', 'integer', '; write 1234 if the space separates thousands'],
    ["1'234", 'integer', '; write 1234 if the apostrophe separates thousands'],
    ['-1,234', 'decimal', '; write -1234 if the comma separates thousands'],
    ['5%', 'integer', '; write 5'],
    ['$ 5', 'integer', '; write 5'],
    ['5 €', 'integer', '; write 5'],
    ['5.00', 'integer', '; write 5'],
    ['$5.00', 'integer', '; write 5'],
    ['+5', 'integer', '; write 5'],
    ["'5", 'integer', '; write 5'],
    ['5,25', 'decimal', '; write 5.25 if the comma begins the decimals'],
    ['$5.25', 'decimal', '; write 5.25'],
    ['5,00', 'integer', ''],
    ['5.25', 'integer', ''],
    ['1,23,456', 'integer', ''],
    ['abc', 'integer', ''],
    ['1e3', 'integer', ''],
  ] as const)('%s as %s', (text, kind, hint) => {
    expect(hintForNumber(text, kind)).toBe(hint)
  })
})

describe('how a time is to be written', () => {
  test.each([
    ['30/07/2024', '; write 2024-07-30'],
    ['7/30/2024', '; write 2024-07-30'],
    ['07/08/2024', '; write 2024-08-07 or 2024-07-08'],
    ['8/8/2024', '; write 2024-08-08'],
    ['30.7.2024 18:07', '; write 2024-07-30T18:07'],
    ['07.08.2024', '; write 2024-08-07'],
    ['7/30/2024 6:07:05 PM', '; write 2024-07-30T18:07:05'],
    ['2024/07/30 18:07:05.0567', '; write 2024-07-30T18:07:05.056'],
    ['7/30/2024 6:07:05.5 PM', '; write 2024-07-30T18:07:05.5'],
    ['7/30/2024 12:00 AM', '; write 2024-07-30T00:00'],
    ['2024/07/30', '; write 2024-07-30'],
    ['2024-7-3 9:05', '; write 2024-07-03T09:05'],
    ['2024-07-30T18:00:00Z', '; write 2024-07-30T18:00:00'],
    ['2024-07-30T23:00:00-02:00', '; write 2024-07-31T01:00:00'],
    ['45503', '; write 2024-07-30'],
    ['31/02/2024', ''],
    ['30/07/24', ''],
    ['12345', ''],
    ['soon', ''],
  ])('%s', (text, hint) => {
    expect(hintForDate(text)).toBe(hint)
  })
})

test('a long cell of blanks, a digit, blanks and a letter is read in no time', () => {
  const blanks = ' '.repeat(100_000)

  expect(hintForNumber(`${blanks}1${blanks}x`, 'decimal')).toBe('')
  expect(trimInvisible(`${blanks}1${blanks}\u200b`)).toBe('1')
  expect(trimInvisible(`1${blanks}x`)).toBe(`1${blanks}x`)
  expect(repairMojibake('a\u00c3\u201c'.repeat(100_000))?.text).toHaveLength(200_000)
})

test('a column name of a megabyte is compared with no field', () => {
  const fields = Array.from({length: 50}, (_, place) => `maxChargePrice${place}`)

  expect(suggest('x'.repeat(1_000_000), fields)).toBeUndefined()
  expect(suggest('maxChargPrice7', fields)).toBe('maxChargePrice7')
})
