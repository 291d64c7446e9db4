import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createFinder, type KeyField} from '../../../src/runs/names/look-up.js'
import type {JsonRecord, JsonValue} from '../../../src/values/json.js'
import {parseJson} from '../../../src/values/json.js'

const text = (name: string): KeyField => ({name, field: {kind: 'text', uses: ['read'], about: ''}})
const integer = (name: string): KeyField => ({name, field: {kind: 'integer', uses: ['read'], about: ''}})

const looks = (value: JsonValue) => (typeof value === 'string' ? value.toLowerCase().replaceAll(/\s/g, '') : value)
const isNothing = (value: JsonValue) => value === null || value === ''

test('what is found is what looking at every record finds', () => {
  const names = fc.constantFrom('a', 'A', ' a', 'a b', 'ab', 'AB ', '', null, 'c', '1')
  const numbers = fc.constantFrom(1, 2, null)
  const records = fc.array(fc.record({name: names, accountId: numbers}), {maxLength: 12})
  fc.assert(
    fc.property(records, names, numbers, (some, name, accountId) => {
      const wanted = [name, accountId] as JsonValue[]
      const all = some.map((record, id): JsonRecord => ({id, ...record}))
      const valuesOf = ({name, accountId}: JsonRecord) => [name ?? null, accountId ?? null]
      const isAsked = (record: JsonRecord) => ![...wanted, ...valuesOf(record)].some(isNothing)
      const exact = all.filter((one) => isAsked(one) && valuesOf(one).every((value, place) => value === wanted[place]))
      const near = all.filter(
        (one) => isAsked(one) && valuesOf(one).every((value, place) => looks(value) === looks(wanted[place] ?? null)),
      )

      const found = createFinder(all, [text('name'), integer('accountId')])(wanted)

      expect(found).toEqual({records: exact, near: exact.length > 0 ? [] : near})
    }),
    {numRuns: 500},
  )
})

test('numbers are compared by what they are worth, times by what they mean, and a text is no number', () => {
  const record = parseJson(
    '{"id":9007199254740993,"tax":10.50,"at":"2024-07-01T10:00:00.000","code":"1"}',
  ) as JsonRecord
  const fieldOf = (name: string, kind: 'integer' | 'decimal' | 'dateTime' | 'text') => ({
    name,
    field: {kind, uses: ['read'] as const, about: ''},
  })
  const count = (field: KeyField, value: string) => createFinder([record], [field])([parseJson(value)]).records.length

  expect(count(fieldOf('id', 'integer'), '9007199254740993')).toBe(1)
  expect(count(fieldOf('id', 'integer'), '9007199254740992')).toBe(0)
  expect(count(fieldOf('tax', 'decimal'), '10.5')).toBe(1)
  expect(count(fieldOf('tax', 'decimal'), '10.05')).toBe(0)
  expect(createFinder([{tax: parseJson('0.00')}], [fieldOf('tax', 'decimal')])([parseJson('0')]).records).toHaveLength(
    1,
  )
  expect(count(fieldOf('at', 'dateTime'), '"2024-07-01T10:00:00"')).toBe(1)
  expect(count(fieldOf('code', 'text'), '"01"')).toBe(0)
})
