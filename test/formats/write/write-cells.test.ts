import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {expect, test} from 'vitest'

import {writeCells} from '../../../src/formats/write/dialect.js'

test('cells are quoted where they must be, and two quotes stay two quotes', () => {
  expect(writeCells(['a', 'b,c', 'say "x"', 'two\nlines', 'cr\r', '', '', '7'], ',', [6])).toBe(
    'a,"b,c","say ""x""","two\nlines","cr\r",,"",7\n',
  )
  expect(writeCells(['a,b', 'c\td'], '\t')).toBe('a,b\t"c\td"\n')
})

test('whatever the cells hold, a reader gets them back, and knows which empty ones were quoted', () => {
  const special = fc.constantFrom('"', ',', ';', '\t', '\n', '\r', '\r\n', '""', ' ', 'a')
  const cells = fc.array(fc.array(special, {maxLength: 4}), {minLength: 2})

  fc.assert(
    fc.property(cells, fc.constantFrom(',', ';', '\t', '|'), fc.array(fc.nat(5)), (parts, delimiter, quoted) => {
      const texts = parts.map((part) => part.join(''))
      const line = writeCells(texts, delimiter, quoted)

      expect(parse(line, {delimiter, cast: (value, {quoting}) => (value === '' ? quoting : value)})).toEqual([
        texts.map((text, place) => (text === '' ? quoted.includes(place) : text)),
      ])
    }),
    {numRuns: 500},
  )
})
