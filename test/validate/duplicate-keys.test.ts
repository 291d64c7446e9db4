import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createDuplicateFinder} from '../../src/validate/duplicate-keys.js'
import {type JsonRecord, parseJson, printJson} from '../../src/values/json.js'

test('the first line of a key is named, however often it comes back', () => {
  const find = createDuplicateFinder(['accountId', 'name'])
  const rows: [JsonRecord, number | undefined][] = [
    [{accountId: 1, name: 'A'}, undefined],
    [{accountId: 1, name: 'B'}, undefined],
    [{accountId: 2, name: 'A'}, undefined],
    [{name: 'A', accountId: 1, other: 5}, 2],
    [{accountId: 1, name: 'A'}, 2],
    [{accountId: 2, name: 'A'}, 4],
    [{accountId: 1, name: 'a'}, undefined],
  ]

  expect(rows.map(([record], index) => find(record, index + 2))).toEqual(rows.map(([, line]) => line))
})

test.each(['{"name":"A"}', '{"accountId":1}', '{"accountId":null,"name":"A"}', '{"accountId":1,"name":null}', '{}'])(
  '%s lacks a part of its key, and is nobody twice',
  (text) => {
    const find = createDuplicateFinder(['accountId', 'name'])
    const record = parseJson(text) as JsonRecord

    expect([find(record, 2), find(record, 3)]).toEqual([undefined, undefined])
  },
)

test('without a natural key nothing is a duplicate', () => {
  const find = createDuplicateFinder([])

  expect([find({id: 1}, 2), find({id: 1}, 3)]).toEqual([undefined, undefined])
})

test('numbers are told apart by all their digits, and from texts', () => {
  const find = createDuplicateFinder(['id'])
  const records = ['9007199254740993', '9007199254740992', '"9007199254740993"', '9007199254740993', '1', '"1"']

  expect(records.map((id, index) => find(parseJson(`{"id":${id}}`) as JsonRecord, index))).toEqual([
    ...[undefined, undefined, undefined, 0, undefined, undefined],
  ])
})

test('agrees with a list of all keys before', () => {
  const part = fc.oneof(fc.constantFrom('', 'a', 'b', 'constructor', '__proto__'), fc.nat(2), fc.constant(null))
  const records = fc.array(fc.record({a: part, b: part, c: part}))

  fc.assert(
    fc.property(records, fc.constantFrom(['a'], ['a', 'b'], ['c', 'b', 'a']), (all, naturalKey) => {
      const find = createDuplicateFinder(naturalKey)
      const keys = all.map((record) => naturalKey.map((name) => record[name as 'a']))
      const expected = keys.map((key) => {
        const first = keys.findIndex((other) => printJson(other) === printJson(key))
        return key.includes(null) || keys[first] === key ? undefined : first
      })

      expect(all.map((record, index) => find(record, index))).toEqual(expected)
    }),
    {numRuns: 500},
  )
})
