import {describe, expect, test} from 'vitest'
import {toWriteBody} from '../../../src/client/request.js'
import {limits, type SetRule} from '../../../src/contract/index.js'
import {bytesOfRow, type CutOptions, cutSets, type PlannedRow, rowsOfSet} from '../../../src/runs/rows/cut-sets.js'

const rows = (count: number, length = 1): PlannedRow[] =>
  Array.from({length: count}, (_, index) => ({line: index + 2, record: {name: 'x'.repeat(length)}}))

const cut = (planned: readonly PlannedRow[], setSize: number, longestRecordBytes: number, atomic = false) =>
  cutSets(planned, {setSize, atomic, longestRecordBytes, rule: {}}).map(({number, places}) => [
    number,
    places[0],
    (places.at(-1) ?? 0) + 1,
  ])

test('sets are cut by the count of their rows', () => {
  expect(cut(rows(5), 2, 100)).toEqual([
    [1, 0, 2],
    [2, 2, 4],
    [3, 4, 5],
  ])
  expect(cut([], 2, 100)).toEqual([])
})

test('rows that come last are in sets of their own after the others, unless all rows are one set', () => {
  const placesOf = (options: Partial<CutOptions>) =>
    cutSets(rows(6), {setSize: 2, last: new Set([1, 2, 4]), rule: {}, ...options}).map(({places}) => places)

  expect(placesOf({})).toEqual([[0, 3], [5], [1, 2], [4]])
  expect(placesOf({canary: 1})).toEqual([[0], [3, 5], [1, 2], [4]])
  expect(placesOf({canary: 4})).toEqual([
    [0, 3],
    [5, 1],
    [2, 4],
  ])
  expect(placesOf({atomic: true})).toEqual([[0, 1, 2, 3, 4, 5]])
})

describe('by bytes', () => {
  const mega = 1_048_576

  test('a request stays under its ceiling', () => {
    expect(cut(rows(12, mega - 200), 500, mega)).toEqual([
      [1, 0, 10],
      [2, 10, 12],
    ])
  })

  test('and under the count as well', () => {
    expect(cut(rows(5, mega - 200), 2, 10 * mega)).toEqual([
      [1, 0, 2],
      [2, 2, 4],
      [3, 4, 5],
    ])
  })
})

test.each([
  [2, 0],
  [2, 1_022],
  [2, 1_024],
  [3, 20],
])('no request is longer than the service takes: rows of a part in %i, less %i bytes', (share, spare) => {
  const most = limits.maximumBodyBytes
  const planned = rows(share + 1, Math.floor((most - spare) / share) - bytesOfRow(rows(1, 0)[0]))
  const sets = cutSets(planned, {setSize: 100, atomic: false, longestRecordBytes: most, rule: {}})
  const bodies = sets.map((set) => toWriteBody({records: rowsOfSet(planned, set).map(({record}) => record)}))

  expect(sets.flatMap(({places}) => places)).toEqual(planned.map((_, place) => place))
  expect(sets[0]?.places).toHaveLength(spare < 1_024 ? share - 1 : share)
  for (const {length} of bodies) expect(length).toBeLessThanOrEqual(most)
})

test('what stands between many short records counts as well', () => {
  const planned = rows(10_700, 970)
  const sets = cutSets(planned, {setSize: planned.length, atomic: false, longestRecordBytes: 10_000, rule: {}})

  expect(sets).toHaveLength(2)
  for (const set of sets) {
    const {length} = toWriteBody({records: rowsOfSet(planned, set).map(({record}) => record)})
    expect(length).toBeLessThanOrEqual(limits.maximumBodyBytes)
  }
})

test('a set sends its rows in their order', () => {
  const planned = rows(4)

  expect(rowsOfSet(planned, {number: 1, places: [3, 1]})).toEqual([planned[3], planned[1]])
})

test('rows of which the longest would fit are cut by count, and by bytes from the first that may not', () => {
  const most = limits.maximumBodyBytes - 1_024
  const cutAt = (longestRecordBytes: number) => cut(rows(2, most), 2, longestRecordBytes)

  expect(cutAt(most / 2)).toEqual([[1, 0, 2]])
  expect(cutAt(most / 2 + 1)).toEqual([
    [1, 0, 1],
    [2, 1, 2],
  ])
})

test('atomic is one set, or refused', () => {
  expect(cut(rows(1_000), 10, 100, true)).toEqual([[1, 0, 1_000]])
  expect(cut([], 10, 100, true)).toEqual([])
  expect(() => cut(rows(12, 1_000_000), 10, 1_000_100, true)).toThrow(
    expect.objectContaining({
      message: '12 records do not fit into one request of 10,485,760 bytes.',
      ...{code: 'SET_TOO_LARGE', exit: 'invalid', hints: [expect.stringContaining('--atomic')]},
    }),
  )
})

test('a row that is skipped is in no set', () => {
  const planned = rows(6).map((row, place): PlannedRow => (place % 3 === 1 ? {...row, skip: 'unchanged'} : row))

  const sets = cutSets(planned, {setSize: 3, atomic: false, longestRecordBytes: 100, rule: {}})

  expect(sets.map(({places}) => places)).toEqual([[0, 2, 3], [5]])
})

test('a canary is cut off first', () => {
  const canary = (count: number) =>
    cutSets(rows(7), {setSize: 3, atomic: false, canary: count, longestRecordBytes: 100, rule: {}}).map(
      (set) => `${set.canary ? 'canary ' : ''}${set.places.join()}`,
    )

  expect(canary(2)).toEqual(['canary 0,1', '2,3,4', '5,6'])
  expect(canary(4)).toEqual(['canary 0,1,2', 'canary 3', '4,5,6'])
  expect(canary(9)).toEqual(['canary 0,1,2', 'canary 3,4,5', 'canary 6'])
  expect(canary(0)).toEqual(['0,1,2', '3,4,5', '6'])
})

describe('by the rule of the operation', () => {
  const owned = (...owners: number[]): PlannedRow[] =>
    owners.map((organizationId, index) => ({line: index + 2, record: {machineId: index, organizationId}}))
  const cutBy = (rule: SetRule, more: Partial<CutOptions> = {}) =>
    cutSets(owned(7, 8, 7, 8, 7), {setSize: 2, rule, ...more}).map(({places}) => places)

  test('records of one request agree', () => {
    expect(cutBy({same: ['organizationId']})).toEqual([[0, 2], [4], [1, 3]])
    expect(cutBy({same: ['organizationId']}, {canary: 2})).toEqual([[0], [1], [2, 4], [3]])
  })

  test('no more than it takes', () => {
    expect(cutBy({most: 1})).toEqual([[0], [1], [2], [3], [4]])
  })

  test.for([
    [
      {same: ['machineId', 'organizationId']},
      'One request takes records of one machineId, and these have 5 (0, 1, 2, 3, 4).',
    ],
    [{same: ['organizationId']}, 'One request takes records of one organizationId, and these have 2 (7, 8).'],
    [{most: 1}, 'One request takes 1 record, and these are 5.'],
  ] as const)('atomic is refused: %j', ([rule, message]) => {
    expect(() => cutBy(rule, {atomic: true})).toThrow(
      expect.objectContaining({message, code: 'SET_TOO_LARGE', exit: 'invalid'}),
    )
  })
})
