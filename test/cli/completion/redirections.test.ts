import {expect, test} from 'vitest'
import {readRedirections} from '../../../src/cli/completion/redirections.js'

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
  expect(readRedirections(line).isFile).toBe(true)
})

test.each([
  ['v list ', 'v list '],
  ['v list > si ', 'v list  '],
  ['v > "a b" li', 'v  li'],
  ['v 2>&1 <in\\ put li', 'v   li'],
  ['v 2 3>x li', 'v 2  li'],
  ["v 'a > b", "v 'a > b"],
  ['v "a > \\" > b', 'v "a > \\" > b'],
  ['v a\\>b', 'v a\\>b'],
  ['v <(ls) li', 'v <(ls) li'],
])('"%s" is for the program: "%s"', (line, text) => {
  expect(readRedirections(line)).toEqual({text, isFile: false})
})
