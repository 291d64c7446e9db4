import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {toSafeText} from '../../src/formats/safe-text.js'

describe('toSafeText', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', '^[[31mred^[[0m'],
    ['\u001b]52;c;cm0gLXJm\u0007', '^[]52;c;cm0gLXJm^G'],
    ['\u001b]8;;https://evil.test\u001b\\click', '^[]8;;https://evil.test^[\\click'],
    ['\u009b2J', '\\u009b2J'],
    ['x\nDone', 'x\\nDone'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['\u0000\u0008\u007f', '^@^H^?'],
    ['user\u202etxt.exe', 'user\\u202etxt.exe'],
    ['\u2066a\u2069', '\\u2066a\\u2069'],
    ['pay\u200bpal\ufeff', 'pay\\u200bpal\\ufeff'],
    ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['\ud800', '\\ud800'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['soft\u00adhyphen', 'soft\\u00adhyphen'],
    ['hangul\u3164filler, x\ufe0f', 'hangul\\u3164filler, x\\ufe0f'],
  ])('shows %j as %j', (text, shown) => {
    expect(toSafeText(text)).toBe(shown)
  })

  test.each(['Café', 'e\u0301', '自動販売機', '😀', '👨‍👩‍👧', '❤️', '🇩🇪', '1️⃣', 'C:\\new', 'Ünïcödé … “x”'])(
    'keeps %s',
    (text) => {
      expect(toSafeText(text)).toBe(text)
    },
  )

  test('no text of any kind comes out with a character that acts or hides', () => {
    const odd = fc.constantFrom('\u001b', '\u009b', '\u202e', '\u200d', '\ufe0f', '👩', '\ud83d', '\n', '\u{e0020}')
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({unit: 'binary', maxLength: 5})), {maxLength: 12}), (parts) => {
        const shown = toSafeText(parts.join(''))

        expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u)
        expect(shown.isWellFormed()).toBe(true)
      }),
    )
  })
})
