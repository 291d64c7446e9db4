import {expect, test} from 'vitest'
import {beginningOf, toMessageText} from '../../src/values/message-text.js'

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
])('of %j at most %i characters are shown: %j', (text, most, shown) => {
  expect(beginningOf(text, most)).toBe(shown)
})

test('the words of a service are cut, trimmed, and cannot hide anything', () => {
  expect(toMessageText(` a\u0007\u202eb\u{e0041} `)).toBe('a\\u0007\\u202eb\\ue0041')
  expect([toMessageText('x'.repeat(500)), toMessageText('x'.repeat(501))]).toEqual([
    'x'.repeat(500),
    `${'x'.repeat(500)}…`,
  ])
})
