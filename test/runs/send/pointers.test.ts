import {describe, expect, test} from 'vitest'

import {createResolver} from '../../../src/runs/rows/pointers.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'

const sites: JsonRecord[] = [
  {accountId: 7, name: 'Ferry Quay', contact: {emailAddress: 'a@example.com'}},
  {accountId: 8, name: 'Grain Mill'},
  {accountId: 9, name: 'grain mill'},
  {accountId: 9, name: '3'},
]
const updates = [parseJson('{"id":9007199254740993,"name":"A"}'), {id: 12, name: 'B'}] as JsonRecord[]

function resolve(pointerName: string | undefined, pointers: (string | number)[], records = sites) {
  const refusal = {code: 'X', message: '', pointers, ...(pointerName !== undefined && {pointerName})}
  return createResolver(
    {resource: 'site', identity: ['accountId', 'name']},
    records,
  )(refusal).map(({pointer, indexes, field}) => [pointer, indexes, ...(field === undefined ? [] : [field])])
}

test.each([
  [
    'index',
    [2, '0'],
    [
      [2, [2]],
      ['0', [0]],
    ],
  ],
  [
    'Index',
    [4, -1, 1.5, 'x', ''],
    [
      [4, []],
      [-1, []],
      [1.5, []],
      ['x', []],
      ['', []],
    ],
  ],
  ['name', ['Grain Mill'], [['Grain Mill', [1], 'name']]],
  ['NAME', ['GRAIN MILL '], [['GRAIN MILL ', [1, 2], 'name']]],
  [
    'AccountID',
    [9, '8'],
    [
      [9, [2, 3], 'accountId'],
      ['8', [1], 'accountId'],
    ],
  ],
  ['contact.emailAddress', ['a@example.com'], [['a@example.com', [0], 'contact.emailAddress']]],
  [
    'name',
    ['Nowhere', 5],
    [
      ['Nowhere', [], 'name'],
      [5, [], 'name'],
    ],
  ],
  ['machineId', [1], [[1, []]]],
  ['id', [0], [[0, []]]],
  [
    undefined,
    [1, 'Ferry Quay', '3', '0', 99],
    [
      [1, [1]],
      ['Ferry Quay', [0], 'name'],
      ['3', [3], 'name'],
      ['0', [0]],
      [99, []],
    ],
  ],
  ['', [3], [[3, [3]]]],
] as const)('in new records: %s %j', (pointerName, pointers, expected) => {
  expect(resolve(pointerName, [...pointers])).toEqual(expected)
})

test.each([
  [
    'id',
    ['9007199254740993', 12],
    [
      ['9007199254740993', [0], 'id'],
      [12, [1], 'id'],
    ],
  ],
  ['siteId', [12], [[12, [1], 'id']]],
  [
    undefined,
    [12, 0],
    [
      [12, [1], 'id'],
      [0, []],
    ],
  ],
] as const)('in records with ids: %s %j', (pointerName, pointers, expected) => {
  expect(resolve(pointerName, [...pointers], updates)).toEqual(expected)
})

describe('a name', () => {
  const flagged: JsonRecord[] = [{name: 'A', isOpen: true}, {name: 'B'}]

  test.each(['accountId', 'ACCOUNT_ID', 'account-id', 'account id'])('may be spelled %s', (name) => {
    expect(resolve(name, [8])).toEqual([[8, [1], 'accountId']])
  })

  test('of the id of a site is none of another, nor where sites have no id', () => {
    expect(resolve('machineId', [12], updates)).toEqual([[12, []]])
    expect(resolve('siteId', [1])).toEqual([[1, []]])
  })

  test('of a field that is true or false, or that not every record has', () => {
    expect(resolve('isOpen', ['true', 'false'], flagged)).toEqual([
      ['true', [0], 'isOpen'],
      ['false', [], 'isOpen'],
    ])
  })

  test('of a field that holds a list finds nothing', () => {
    expect(resolve('tags', ['1', '[1]'], [{tags: [1]}])).toEqual([
      ['1', [], 'tags'],
      ['[1]', [], 'tags'],
    ])
  })
})

describe('without a name', () => {
  const many = Array.from({length: 12}, (_, index): JsonRecord => ({name: `S${index}`}))
  const nameless = (pointers: (string | number)[], records: JsonRecord[], identity: string[]) =>
    createResolver(
      {resource: 'site', identity},
      records,
    )({code: 'X', message: '', pointers}).map(({indexes, field}) => [...indexes, field])

  test('a text of digits alone is an index', () => {
    expect(nameless(['11', '1x', 'x1', '-1', ' 1'], many, ['name'])).toEqual([
      [11, undefined],
      ...Array(4).fill([undefined]),
    ])
  })

  test('a text is looked for in the last field of the natural key', () => {
    expect(nameless(['S3'], many, ['name'])).toEqual([[3, 'name']])
    expect(nameless(['S3'], many, ['name', 'accountId'])).toEqual([[undefined]])
    expect(nameless(['S3', 3], many, [])).toEqual([[undefined], [3, undefined]])
  })

  test('a number is an id as soon as one record has an id', () => {
    expect(nameless([7, 0], [{name: 'A'}, {id: 7}], ['name'])).toEqual([[1, 'id'], [undefined]])
  })
})
