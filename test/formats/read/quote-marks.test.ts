import fc from 'fast-check'
import {describe, expect, test} from 'vitest'

import {QuoteMarker} from '../../../src/formats/read/quote-marks.js'

function mark(text: string, {delimiter = ',', chunk = text.length}: {delimiter?: string; chunk?: number} = {}): string {
  const marker = new QuoteMarker(delimiter)
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += Math.max(chunk, 1)) {
    parts.push(Buffer.from(marker.mark(bytes.subarray(at, at + chunk))))
  }

  return Buffer.concat([...parts, marker.end()])
    .toString()
    .replaceAll('\0', '·')
}

describe('a cell of two quotes', () => {
  test.each([
    ['""', '··'],
    ['a,"",b', 'a,··,b'],
    ['"",""\n""\r\n""\r""', '··,··\n··\r\n··\r··'],
    ['"a","",""', '"a",··,··'],
    ['"a""b",""', '"a""b",··'],
  ])('%j is marked', (text, expected) => {
    expect(mark(text)).toBe(expected)
  })

  test.each(['"a,"",b"', '"a\n"",""\nb"', '""""', '"""",x', '"""a"""', '""a', 'a""', 'a"",b', '"a"""', '" "'])(
    '%j is left as it is',
    (text) => {
      expect(mark(text)).toBe(text)
    },
  )

  test('by the delimiter of the file', () => {
    expect(mark('a;"";b,"",c', {delimiter: ';'})).toBe('a;··;b,"",c')
    expect(mark('a\t""\tb', {delimiter: '\t'})).toBe('a\t··\tb')
  })
})

describe('a formula around a value', () => {
  test.each([
    ['="00123"', '=·00123·'],
    ['a,="00123",b\n="7"', 'a,=·00123·,b\n=·7·'],
    ['=""', '=··'],
  ])('%j is marked', (text, expected) => {
    expect(mark(text)).toBe(expected)
  })

  test.each(['="a,b"', '="a""b"', 'x="1"', '="1"x', '"=""1"""', `="${'1'.repeat(100)}"`])(
    '%j is left as it is',
    (text) => {
      expect(mark(text)).toBe(text)
    },
  )
})

test('says whether it marked any', () => {
  const hasMarked = (text: string) => {
    const marker = new QuoteMarker(',')
    marker.mark(Buffer.from(text))
    marker.end()
    return marker.hasMarked
  }

  expect(['a,b', '"a"', '""', '="1"'].map(hasMarked)).toEqual([false, false, true, true])
})

test('it does not matter where the text is cut', () => {
  const parts = fc.constantFrom('"', '""', ',', '\n', '\r\n', '=', 'a', '="1"', '"a,""b"')

  fc.assert(
    fc.property(fc.array(parts, {maxLength: 12}), fc.integer({min: 1, max: 5}), (words, chunk) => {
      const text = words.join('')
      expect(mark(text, {chunk})).toBe(mark(text))
    }),
    {numRuns: 2_000},
  )
})
