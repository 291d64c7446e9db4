import {expect, test} from 'vitest'
import {writeOperation} from '../../../src/contract/index.js'
import {describeTotals, findImpossible, findImpossibleChange} from '../../../src/runs/differences/changes.js'
import {batchOf} from '../../../src/runs/rows/phases.js'
import type {JsonRecord, JsonValue} from '../../../src/values/json.js'

const write = writeOperation('selections.adjust')
const {field, by, most} = write.difference ?? {field: '', by: '', most: ''}

test.each<[JsonValue, JsonValue, string | undefined]>([
  [-6, 5, 'below 0'],
  [-5, 5, undefined],
  [7, 5, undefined],
  [8, 5, `above its ${most} of 12`],
  [8, '5.0', `above its ${most} of 12`],
  [8, null, undefined],
  ['many', 5, undefined],
])('%j beside a count of %j of at most 12 is %s', (size, count, why) => {
  const impossible = findImpossibleChange(write, {id: 1, [field]: count, [most]: 12}, {[by]: size})

  expect(impossible?.message.split(', ').at(-1)).toBe(why)
  expect(findImpossibleChange(write, {id: 1, [field]: 5}, {[by]: 9})).toBeUndefined()
})

test('each row of a record that is not there is named, and rows that are not sent are not looked at', () => {
  const record = (id: number): JsonRecord => ({[write.target]: id, [by]: -9})
  const rows = [
    {line: 2, record: record(1)},
    {line: 3, record: record(2)},
    {line: 4, record: record(2), skip: 'appliedBefore' as const},
  ]
  const find = (operation: 'selections.adjust' | 'selections.update') =>
    findImpossible({...batchOf(operation, 'a.csv', rows), columns: new Map()}, writeOperation(operation), (row) =>
      row[write.target] === 1 ? {id: 1, [field]: 5} : undefined,
    ).map(({line, code, message}) => [line, code, message])

  expect(find('selections.adjust')).toEqual([
    [2, 'OUT_OF_BOUNDS', `${field} is 5 now, and -9 makes it -4, below 0`],
    [3, 'MISSING_RECORD', 'no selection 2 exists that this login may see'],
  ])
  expect(find('selections.update')).toEqual([])
})

test.each([
  [[[5, 9]], '5 now, 9 then (+4)'],
  [[[5, 2]], '5 now, 2 then (-3)'],
  [
    [
      [5, 9],
      [7, 6],
    ],
    '12 now, 15 then (+4 -1)',
  ],
])('the sum of changes %j says only what goes up or down', (pairs, words) => {
  const changes = pairs.map(([from = 0, to = 0], index) => ({line: index + 2, id: index, field, from, to}))

  expect(describeTotals({changes}, write).join()).toContain(words)
})
