import fc from 'fast-check'
import {expect, test} from 'vitest'
import {splitLine} from '../../../src/cli/completion/split-line.js'

test.each([
  ['vendorctl ', ['vendorctl', ''], 10, ''],
  ['vendorctl ma', ['vendorctl', 'ma'], 10, ''],
  [' a  b', ['a', 'b'], 4, ''],
  ['', [''], 0, ''],
  ["a 'b c", ['a', 'b c'], 2, "'"],
  ['a "b c', ['a', 'b c'], 2, '"'],
  ['a b\\ c', ['a', 'b c'], 2, ''],
  ['a "b\\"c\\d" e', ['a', 'b"c\\d', 'e'], 11, ''],
  ["a 'b\\' c", ['a', 'b\\', 'c'], 7, ''],
  ['a "" b', ['a', '', 'b'], 5, ''],
  ['a --x="b c"d', ['a', '--x=b cd'], 2, ''],
  ['a $(ls x y) b', ['a', '$(ls x y)', 'b'], 12, ''],
  ['a $(ls $(x y)', ['a', '$(ls $(x y)'], 2, ''],
  ["a '$(b c' d", ['a', '$(b c', 'd'], 10, ''],
  ['a $b', ['a', '$b'], 2, ''],
  ['a b\\', ['a', 'b'], 2, ''],
] as const)('%j', (line, words, last, open) => {
  expect(splitLine(line)).toEqual({words, last, open})
})

test('any line ends, however it is quoted', () => {
  fc.assert(
    fc.property(fc.string({unit: fc.constantFrom(...'ab "\'\\$()\n`é')}), (line) => {
      const {words, last} = splitLine(line)

      return words.length > 0 && last >= 0 && last <= line.length
    }),
  )
})

test('words that are quoted come back', () => {
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

  fc.assert(
    fc.property(fc.array(fc.string(), {minLength: 1}), (words) => {
      expect(splitLine(words.map(quote).join(' ')).words).toEqual(words)
    }),
  )
})
