import {expect, test} from 'vitest'
import {diffRecords, mergeRecord} from '../../../src/runs/rows/merge-fields.js'
import {type JsonRecord, parseJson, printJson} from '../../../src/values/json.js'

const record = (text: string) => parseJson(text) as JsonRecord

function merge(current: string, given: string): string {
  return printJson(mergeRecord(record(current), record(given), 'site'))
}

function diff(current: string, sent: string, replaces = false) {
  return diffRecords(record(current), record(sent), 'site', replaces).map(
    ({field, from, to}) => `${field} ${printJson(from)} ${printJson(to)}`,
  )
}

test('what is given is laid over what is there; what the service sets is left out', () => {
  expect(merge('{"isEnabled":true,"name":"A","id":7,"maxChargePrice":5}', '{"id":7,"maxChargePrice":6}')).toBe(
    '{"id":7,"name":"A","maxChargePrice":6}',
  )
})

test('digits survive, also beyond what JavaScript can count', () => {
  expect(merge('{"id":9007199254740993,"maxChargePrice":10.10}', '{"id":9007199254740993}')).toBe(
    '{"id":9007199254740993,"maxChargePrice":10.10}',
  )
})

test('fields that the contract does not know are carried over', () => {
  expect(merge('{"id":7,"loyalty":{"tier":1.0},"tags":[1]}', '{"id":7,"tags":[2]}')).toBe(
    '{"id":7,"loyalty":{"tier":1.0},"tags":[2]}',
  )
})

test.each([
  [
    'one leaf',
    '{"firstName":"Ada","lastName":"L","fax":"1"}',
    '{"firstName":"Bo"}',
    '{"firstName":"Bo","lastName":"L","fax":"1"}',
  ],
  ['some leaves of no object', 'null', '{"firstName":"Bo","fax":null}', '{"firstName":"Bo","fax":null}'],
  ['a leaf of no object', 'null', '{"lastName":"L"}', '{"lastName":"L"}'],
  ['null in a leaf of no object', 'null', '{"lastName":null}', 'null'],
  ['null in a leaf', '{"firstName":"Ada","lastName":"L"}', '{"firstName":null}', '{"firstName":null,"lastName":"L"}'],
  ['null for the object', '{"firstName":"Ada"}', 'null', 'null'],
  ['another spelling', '{"FirstName":"Ada"}', '{"first_name":"Bo"}', '{"firstName":"Bo"}'],
])('objects are laid over each other: %s', (_, current, given, expected) => {
  expect(merge(`{"id":1,"contact":${current}}`, `{"id":1,"contact":${given}}`)).toBe(`{"id":1,"contact":${expected}}`)
})

test('what is null in an object that the record lacks makes none', () => {
  expect(merge('{"id":1}', '{"id":1,"contact":{"firstName":null}}')).toBe('{"id":1,"contact":null}')
})

test('an object that the contract does not know is replaced', () => {
  expect(merge('{"id":7,"loyalty":{"tier":1,"x":2}}', '{"id":7,"loyalty":{"tier":2}}')).toBe(
    '{"id":7,"loyalty":{"tier":2}}',
  )
})

test('a service that spells its fields otherwise is understood, and a field is never sent twice', () => {
  expect(merge('{"Id":7,"NAME":"A","IsEnabled":true,"name":"B"}', '{"id":7,"maxChargePrice":1}')).toBe(
    '{"id":7,"name":"B","maxChargePrice":1}',
  )
  expect(merge('{"id":7,"name":"B","NAME":"A"}', '{"id":7}')).toBe('{"id":7,"name":"B"}')
})

test('the spelling of the contract counts before others in what is given as well', () => {
  expect(merge('{"id":7}', '{"id":7,"name":"B","NAME":"A"}')).toBe('{"id":7,"name":"B"}')
})

test('no field can reach the prototype of objects', () => {
  const merged = mergeRecord(record('{"id":7,"__proto__":{"evil":1}}'), record('{"id":7}'), 'site')

  expect(printJson(merged)).toBe('{"id":7,"__proto__":{"evil":1}}')
  expect((merged as {evil?: number}).evil).toBeUndefined()
})

test('a difference is told leaf by leaf', () => {
  const current = '{"id":7,"name":"A","contact":null,"maxChargePrice":5,"isEnabled":true}'

  expect(diff(current, '{"id":7,"name":"B","contact":{"firstName":"Z","lastName":null},"maxChargePrice":5}')).toEqual([
    'name "A" "B"',
    'contact.firstName null "Z"',
  ])
  expect(diff('{"id":7,"contact":{"firstName":"Z","fax":"1"}}', '{"id":7,"contact":null}')).toEqual([
    'contact.firstName "Z" null',
    'contact.fax "1" null',
  ])
})

test('absent and null are the same; a text is not a number; digits count', () => {
  expect(diff('{"id":7}', '{"id":7,"timeZone":null}')).toEqual([])
  expect(diff('{"id":7,"name":"5","x":1.10}', '{"id":7,"name":5,"x":1.1}')).toEqual(['name "5" 5', 'x 1.10 1.1'])
})

test('a full replace sets to null what it leaves out, and what the service sets is no difference', () => {
  const current = '{"id":7,"name":"A","timeZone":"UTC","isEnabled":true}'

  expect(diff(current, '{"id":7,"name":"A"}', true)).toEqual(['timeZone "UTC" null'])
  expect(diff(current, '{"id":7,"name":"A"}', false)).toEqual([])
})

test.each([
  ['"2024-07-30T18:07:05.000"', '"2024-07-30T18:07:05"', true],
  ['"2024-07-30T18:07:05"', '"2024-07-30T18:07:05"', true],
  ['"2024-07-30T20:07:05+02:00"', '"2024-07-30T18:07:05"', true],
  ['"2024-07-30T18:07:05"', '"2024-07-30T18:07:06"', false],
  ['"2024-07-30T18:07:05"', '"soon"', false],
  ['"soon"', '"2024-07-30T18:07:05"', false],
  ['"soon"', '"soon"', true],
  ['"soon"', '"later"', false],
  ['null', '"2024-07-30T18:07:05"', false],
  ['"2024-07-30T18:07:05"', 'null', false],
  ['null', 'null', true],
])('times are compared by what they mean: %s and %s', (from, to, isSame) => {
  const changes = diffRecords(record(`{"clearedAt":${from}}`), record(`{"clearedAt":${to}}`), 'alert', false)

  expect(changes.length === 0).toBe(isSame)
})

test('what can only be created is no difference of an update, and one of a create', () => {
  const [current, sent] = [record('{"code":"A","message":"m"}'), record('{"code":"B","message":"n"}')]
  const changed = (use: 'create' | 'update') => diffRecords(current, sent, 'alert', false, use).map(({field}) => field)

  expect(changed('update')).toEqual(['message'])
  expect(changed('create')).toEqual(['code', 'message'])
})

test('what looks like a time in a text is a text, and lists are compared by what they hold', () => {
  const times = ['{"message":"2024-07-30T18:07:05"}', '{"message":"2024-07-30T18:07:05.000"}'] as const

  expect(diffRecords(record(times[0]), record(times[1]), 'alert', false)).toHaveLength(1)
  expect(diff('{"id":7,"tags":[1,{"a":null}]}', '{"id":7,"tags":[1,{"a":null}]}')).toEqual([])
  expect(diff('{"id":7,"tags":[1]}', '{"id":7,"tags":[1,1]}')).toEqual(['tags [1] [1,1]'])
})
