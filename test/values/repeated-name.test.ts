import {expect, test} from 'vitest'
import {findRepeatedName} from '../../src/values/repeated-name.js'

test.for([
  ['{"a":1,"a":2}', '"a"'],
  ['{"a":{"b":1, "b" : 2}}', '"b"'],
  ['{"a":[{"c":1},{"c":1,"d":"\\"","c":2}]}', '"c"'],
  ['{"a":1,"\\u0061":2}', '"a"'],
  ['{"a\\\\":"x","a\\\\":"y"}', '"a\\\\"'],
  ['{"a":1,"A":2}', undefined],
  ['{"a":{"a":1},"b":{"a":1}}', undefined],
  ['{"a":"a","b":"\\"a\\":{","c":["a","a"]}', undefined],
  ['["a","a"]', undefined],
  ['"a"', undefined],
  ['{}', undefined],
])('%s: %s', ([text = '', name]) => {
  expect(findRepeatedName(text)).toBe(name)
})
