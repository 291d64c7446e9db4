import {expect, test} from 'vitest'

import {writeCells} from '../../src/formats/write-cells.js'

test('cells are quoted where they must be, and two quotes stay two quotes', () => {
  expect(writeCells(['a', 'b,c', 'say "x"', 'two\nlines', 'cr\r', '', '', '7'], ',', [6])).toBe(
    'a,"b,c","say ""x""","two\nlines","cr\r",,"",7\n',
  )
  expect(writeCells(['a,b', 'c\td'], '\t')).toBe('a,b\t"c\td"\n')
})
