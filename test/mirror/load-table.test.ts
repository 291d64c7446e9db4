import {expect, test} from 'vitest'
import type {MirrorKind} from '../../src/derive/mirror/column-types.js'
import {fits} from '../../src/mirror/load/load-table.js'
import {type JsonValue, toNumber} from '../../src/values/json.js'

const n = toNumber

test.each<[MirrorKind, JsonValue[], JsonValue[]]>([
  [
    'integer',
    [0, -7, n('999999999999999999'), n('9223372036854775807'), n('-9223372036854775808')],
    [n('9223372036854775808'), n('-9223372036854775809'), n('10000000000000000000'), n('1.0'), n('1e3'), '7', true],
  ],
  [
    'decimal',
    [7, n('10.10'), n('1e400'), n('-1E-400'), n('9'.repeat(400))],
    [n('1e401'), n('1e-401'), n('9'.repeat(401)), '1.5', false],
  ],
  ['boolean', [true, false], [1, 'true']],
  [
    'utcTime',
    ['2024-02-29T18:07:05', '2024-02-29T18:07:05.123456'],
    [
      '2024-02-30T18:07:05',
      '2024-02-29T18:07:05.1234567',
      '2024-02-29T18:07:05Z',
      '2024-02-29',
      ' 2024-02-29T18:07:05',
      7,
    ],
  ],
  ['localTime', ['2024-02-29T18:07:05.1'], ['2024-02-29T24:07:05', '2024-02-29T18:07', true]],
  ['text', ['', 'tab\t\u{1F600}'], ['nul\0', '\ud800', 7]],
  ['json', [7, 'x', {a: [1]}, true], []],
])('a column of %s', (kind, held, others) => {
  expect(held.filter((value) => !fits(kind, value))).toEqual([])
  expect(others.filter((value) => fits(kind, value))).toEqual([])
})
