import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readShellLine} from '../../../src/cli/completion/shells/shell.js'

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
  expect(readShellLine(line)).toEqual({words, raw: line.slice(last), open, isFile: false})
})

test('any line ends, however it is quoted', () => {
  fc.assert(
    fc.property(fc.string({unit: fc.constantFrom(...'ab "\'\\$()\n`é')}), (line) => {
      const {words, raw} = readShellLine(line)

      return words.length > 0 && (raw === '' ? words.at(-1) === '' : line.includes(raw))
    }),
  )
})

test('words that are quoted come back', () => {
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

  fc.assert(
    fc.property(fc.array(fc.string(), {minLength: 1}), (words) => {
      expect(readShellLine(words.map(quote).join(' ')).words).toEqual(words)
    }),
  )
})

test.each([
  'v list > si',
  'v list >si',
  'v list>si',
  'v list 2>> ',
  'v list &> si',
  'v list 2>&1 >| "si te',
  "v list < 'si",
  'v list {fd}< si\\ te',
  'v list > $(date +%F',
])('at the end of "%s" stands a file', (line) => {
  expect(readShellLine(line).isFile).toBe(true)
})

test.each([
  ['v list ', ['v', 'list', '']],
  ['v list > si ', ['v', 'list', '']],
  ['v > "a b" li', ['v', 'li']],
  ['v 2>&1 <in\\ put li', ['v', 'li']],
  ['v 2 3>x li', ['v', '2', 'li']],
  ["v 'a > b", ['v', 'a > b']],
  ['v "a > \\" > b', ['v', 'a > " > b']],
  ['v "a > $(ls "x y" > b', ['v', 'a > $(ls "x y" > b']],
  ['v a\\>b', ['v', 'a>b']],
  ['v <(ls) li', ['v', '<(ls)', 'li']],
])('of "%s" the program gets %j', (line, words) => {
  expect(readShellLine(line)).toMatchObject({words, isFile: false})
})
