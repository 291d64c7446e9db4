import {expect, test} from 'vitest'
import {sayValue} from '../../../src/cli/terminal/simple-table.js'

test.for([
  [{selection: 8_940, custom_data: 0}, 'selection 8,940, custom data 0'],
  [[], 'none'],
  [{}, 'none'],
  [
    [
      {fault: 'reset@*', seen: 2},
      {fault: 'slow@*', seen: 0},
    ],
    'fault reset@*, seen 2; fault slow@*, seen 0',
  ],
  [true, 'true'],
  ['seeded', 'seeded'],
] as const)('%j in words', ([value, words]) => {
  expect(sayValue(value as never)).toBe(words)
})
