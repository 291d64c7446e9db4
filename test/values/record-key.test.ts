import {expect, test} from 'vitest'
import {type JsonRecord, toNumber} from '../../src/values/json.js'
import {idKey, idOfRecord, idText, isDeletion, isIdKey, recordKey} from '../../src/values/record-key.js'

test.each<[JsonRecord, string, string]>([
  [{id: 1}, 'number 1', '1'],
  [{id: '1'}, 'text 1', '1'],
  [{ID: toNumber('9007199254740993'), Id: 2}, 'number 9007199254740993', '9007199254740993'],
  [{Id: 3, id: 4}, 'number 4', '4'],
  [{name: 'A'}, 'record {"name":"A"}', ''],
  [{id: null}, 'record {"id":null}', ''],
  [{id: {id: 1}}, 'record {"id":{"id":1}}', ''],
])('%j has the key %s', (record, key, text) => {
  expect(recordKey(record)).toBe(key)
  expect(idKey(idOfRecord(record))).toBe(isIdKey(key) ? key : undefined)
  expect(idText(idOfRecord(record))).toBe(text)
})

test('a record is deleted where all are, or where each of its flags is false', () => {
  const flags = {allFalse: ['canRead', 'canWrite']} as const

  expect([isDeletion({deletes: 'all'}, {}), isDeletion({deletes: 'none'}, {})]).toEqual([true, false])
  expect(isDeletion({deletes: flags}, {canRead: false, canWrite: false})).toBe(true)
  for (const record of [{canRead: false}, {canRead: false, canWrite: true}, {canRead: null, canWrite: null}])
    expect(isDeletion({deletes: flags}, record)).toBe(false)
})
