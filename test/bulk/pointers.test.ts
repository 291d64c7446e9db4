import {expect, test} from 'vitest'

import {resolvePointers} from '../../src/bulk/pointers.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

const sites: JsonRecord[] = [
  {accountId: 7, name: 'Ferry Quay', contact: {emailAddress: 'a@example.com'}},
  {accountId: 8, name: 'Grain Mill'},
  {accountId: 9, name: 'grain mill'},
  {accountId: 9, name: '3'},
]
const updates = [parseJson('{"id":9007199254740993,"name":"A"}'), {id: 12, name: 'B'}] as JsonRecord[]

function resolve(pointerName: string | undefined, pointers: (string | number)[], records = sites) {
  const refusal = {code: 'X', message: '', pointers, ...(pointerName !== undefined && {pointerName})}
  return resolvePointers(refusal, {records, resource: 'site', naturalKey: ['accountId', 'name']}).map(
    ({pointer, indexes, field}) => [pointer, indexes, ...(field === undefined ? [] : [field])],
  )
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
