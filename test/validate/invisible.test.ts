import {expect, test} from 'vitest'

import {findInvisible, spellInvisible, trimInvisible} from '../../src/validate/invisible.js'

test.each([
  ['12\u00a0345', 'a non-breaking space (U+00A0)'],
  ['\u200b7', 'a zero-width space (U+200B)'],
  ['7\ufeff', 'a byte order mark (U+FEFF)'],
  ['Net\u00ad30', 'a soft hyphen (U+00AD)'],
  ['a\u202eb', 'an invisible character (U+202E)'],
  ['a\u2003b', 'a special space (U+2003)'],
  ['a\u001bb', 'a control character (U+001B)'],
  ['Caf\ufffd', 'a replacement character, where a letter was lost (U+FFFD)'],
])('%j', (text, name) => {
  expect(findInvisible(text, 'value')?.name).toBe(name)
  expect(findInvisible(text, 'freeText')?.name).toBe(name)
})

test.each(['', 'plain', 'Café “Mill” – ☕', 'two\r\nlines\t', '日本'])('%j holds none', (text) => {
  expect(findInvisible(text, 'value')).toBeUndefined()
})

test('joiners hold emoji together in free text, and are out of place in a value', () => {
  const family = '👩\u200d👧'

  expect(findInvisible(family, 'freeText')).toBeUndefined()
  expect(findInvisible(family, 'value')?.name).toBe('a zero-width joiner (U+200D)')
})

test('they are trimmed with the spaces, and spelled out to be seen', () => {
  expect(trimInvisible('\ufeff\u00a0 1 2\u200b\n')).toBe('1 2')
  expect(spellInvisible('1\u00a02')).toBe('1\\u00a02')
})
