import {describe, expect, test} from 'vitest'
import {hintForBoolean, hintForDate, hintForNumber} from '../../src/validate/hints.js'
import {trimInvisible} from '../../src/validate/invisible.js'
import {locales} from '../../src/validate/locales.js'
import {repairMojibake} from '../../src/validate/spreadsheet-damage.js'
import {suggest} from '../../src/values/suggest.js'

describe('how a number is to be written', () => {
  test.each([
    ['1.234.567', 'integer', ['1234567']],
    ['1 234', 'integer', ['1234']],
    ["1'234", 'integer', ['1234']],
    ['1\u202f234,00', 'integer', ['1234']],
    ['-1,234', 'decimal', ['-1234', '-1.234']],
    ['1.234,50', 'decimal', ['1234.50']],
    ['1,234.50', 'decimal', ['1234.50']],
    ['5%', 'integer', ['5']],
    ['$ 5', 'integer', ['5']],
    ['5 €', 'integer', ['5']],
    ['EUR 5', 'integer', ['5']],
    ['-$5', 'integer', ['-5']],
    ['\u22125', 'integer', ['-5']],
    ['\u200b5', 'integer', ['5']],
    ['5.00', 'integer', ['5']],
    ['$5.00', 'integer', ['5']],
    ['+5', 'integer', ['5']],
    ["'5", 'integer', ['5']],
    ['5,25', 'decimal', ['5.25']],
    ['$5.25', 'decimal', ['5.25']],
    ['007.50', 'decimal', ['7.50']],
    ['5,00', 'integer', ['5']],
    ['5.25', 'integer', []],
    ['5,25', 'integer', []],
    ['1,23,456', 'integer', []],
    ['1.25.0', 'decimal', []],
    ['0.125.000', 'decimal', []],
    ['--5', 'integer', []],
    ['abc', 'integer', []],
    ['1e3', 'integer', []],
  ] as const)('%s as %s', (text, kind, write) => {
    expect(hintForNumber(text, {kind})).toEqual({write})
  })

  test.each([
    ['1,234', '1234 if the comma separates thousands, 1.234 if it begins the decimals'],
    ['1.250', '1250 if the point separates thousands, 1.250 if it begins the decimals'],
  ])('%s as an integer has two readings, of which one is no integer', (text, note) => {
    expect(hintForNumber(text, {kind: 'integer'})).toEqual({write: [], note})
  })

  test.each([
    ['5,25 €', 'decimal', ['5,25']],
    ['1.250 €', 'integer', ['1250']],
    ['1.25', 'decimal', []],
    ['5,25', 'decimal', []],
    ['12.50', 'decimal', []],
    ['1,250.00', 'decimal', []],
  ] as const)('%s as %s in a German file is written in German', (text, kind, write) => {
    expect(hintForNumber(text, {kind}, locales.de)).toEqual({write})
  })

  test('what a workbook holds as a number has one reading', () => {
    expect(hintForNumber('1.234', {kind: 'integer'}, 'native')).toEqual({write: []})
  })
})

describe('how a time is to be written', () => {
  test.each([
    ['30/07/2024', ['2024-07-30']],
    ['7/30/2024', ['2024-07-30']],
    ['07/08/2024', ['2024-08-07', '2024-07-08']],
    ['8/8/2024', ['2024-08-08']],
    ['30.7.2024 18:07', ['2024-07-30T18:07']],
    ['07.08.2024', ['2024-08-07']],
    ['7/30/2024 6:07:05 PM', ['2024-07-30T18:07:05']],
    ['2024/07/30 18:07:05.0567', ['2024-07-30T18:07:05.056']],
    ['7/30/2024 6:07:05.5 PM', ['2024-07-30T18:07:05.5']],
    ['7/30/2024 12:00 AM', ['2024-07-30T00:00']],
    ['7/30/2024, 6:07\u202fPM', ['2024-07-30T18:07']],
    ['7/30/2024 13:00 PM', []],
    ['2024/07/30', ['2024-07-30']],
    ['2024-7-3 9:05', ['2024-07-03T09:05']],
    ['20240730', ['2024-07-30']],
    ['2024730', []],
    ['2024-07-30T18:00:00Z', ['2024-07-30T18:00:00']],
    ['2024-07-30T23:00:00-02:00', ['2024-07-31T01:00:00']],
    ['2024-07-30 18:00+0200', ['2024-07-30T16:00:00']],
    ['45503', ['2024-07-30']],
    ['45503,75', ['2024-07-30T18:00:00']],
    ['31/02/2024', []],
    ['30/07/24', []],
    ['12345', []],
    ['29220', []],
    ['29221', ['1980-01-01']],
    ['73415', ['2100-12-31']],
    ['73416', []],
    ['soon', []],
  ])('%s', (text, write) => {
    expect(hintForDate(text)).toEqual(write)
  })

  test('a locale knows the order, and the century', () => {
    expect(hintForDate('07/08/2024', locales.de)).toEqual(['2024-08-07'])
    expect(hintForDate('07-08-24', locales['en-US'])).toEqual(['2024-07-08'])
  })
})

test('words of all languages for true and false', () => {
  expect(['WAHR', 'Non', 's\u00ed', 'NEE', 'y', 'maybe', 'constructor'].map(hintForBoolean)).toEqual([
    ...[['true'], ['false'], ['true'], ['false'], ['true'], [], []],
  ])
})

test('a long cell of blanks, a digit, blanks and a letter is read in no time', () => {
  const blanks = ' '.repeat(100_000)

  expect(hintForNumber(`${blanks}1${blanks}x`, {kind: 'decimal'})).toEqual({write: []})
  expect(hintForDate(`1.1.2024${blanks}x`)).toEqual([])
  expect(trimInvisible(`${blanks}1${blanks}\u200b`)).toBe('1')
  expect(trimInvisible(`1${blanks}x`)).toBe(`1${blanks}x`)
  expect(repairMojibake('a\u00c3\u201c'.repeat(100_000))?.text).toHaveLength(200_000)
})

test('a column name of a megabyte is compared with no field', () => {
  const fields = Array.from({length: 50}, (_, place) => `maxChargePrice${place}`)

  expect(suggest('x'.repeat(1_000_000), fields)).toBeUndefined()
  expect(suggest('maxChargPrice7', fields)).toBe('maxChargePrice7')
})

test.each([
  ['2024-02-30T10:00:00Z', []],
  ['2023-02-29 08:00:00Z', []],
  ['2024-06-31T23:30:00+02:00', []],
  ['2024-07-30 08:00-12:30', []],
  ['2024-07-30 08:00-1300', []],
  ['2024-07-30 08:00-12:00', ['2024-07-30T20:00:00']],
  ['2024-07-30T08:00:00.250+0530', ['2024-07-30T02:30:00.250']],
  ['2024-02-29T23:30:00-01:00', ['2024-03-01T00:30:00']],
])('a time with an offset is a moment of the calendar, or nothing is proposed: %s', (text, write) => {
  expect(hintForDate(text)).toEqual(write)
})

test('a year of two digits is of this century only where spreadsheets read it so', () => {
  expect(hintForDate('30.07.29', locales.de)).toEqual(['2029-07-30'])
  expect(hintForDate('30.07.30', locales.de)).toEqual([])
  expect(hintForDate('30.07.85 06:15', locales.de)).toEqual([])
})
