import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type PlannedRow, placesOf} from '../../../src/runs/rows/cut-sets.js'
import {filterRows, mapRows, PackedRows} from '../../../src/runs/rows/packed-rows.js'
import {type JsonRecord, type JsonValue, parseJson, printJson} from '../../../src/values/json.js'

const numbers = ['1.10', '9007199254740993', '1e400', '-0', '7'].map((text) => parseJson(text))
const value: fc.Arbitrary<JsonValue> = fc.letrec<{value: JsonValue}>((tie) => ({
  value: fc.oneof(
    {depthSize: 'small'},
    fc.constantFrom<JsonValue>(null, true, '', "'=1", 'é😀\u2028\ud800', ...numbers),
    fc.string(),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom('a', '__proto__', 'Name', '1'), tie('value'), {maxKeys: 3}),
  ),
})).value
const record = fc.dictionary(fc.constantFrom('id', 'name', '__proto__', 'constructor', '7'), value, {maxKeys: 4})
const digest = fc.uint8Array({minLength: 16, maxLength: 16})
const plain = fc.record({line: fc.nat(), record}) as fc.Arbitrary<PlannedRow>
const digested = fc.record({line: fc.nat(), record, digest}) as fc.Arbitrary<PlannedRow>
const anyRow = fc.record(
  {
    line: fc.nat(),
    record,
    digest,
    given: record,
    madeId: value,
    by: fc.string(),
    skip: fc.constant('continued' as const),
  },
  {requiredKeys: ['line', 'record']},
) as fc.Arbitrary<PlannedRow>
/** More rows than are packed together, of few different ones. */
const many = fc
  .tuple(
    fc.oneof(...[plain, digested, anyRow].map((row) => fc.array(row, {minLength: 1, maxLength: 5}))),
    fc.nat(1_600),
  )
  .map(([some, count]) => Array.from({length: count}, (_, place) => some[place % some.length] as PlannedRow))

/** Of text: all of it is kept, some or none. */
const plainBytes = fc.constantFrom(undefined, 20_000, 0)

const textOf = ({digest: bytes, ...row}: PlannedRow) =>
  printJson({...(row as unknown as JsonRecord), digest: bytes ? [...bytes] : null})

test('packed rows read as the list of them', () => {
  fc.assert(
    fc.property(many, fc.array(fc.nat(1_700), {maxLength: 5}), plainBytes, (rows, places, most) => {
      const packed = PackedRows.of(rows, most)

      expect(packed.length).toBe(rows.length)
      expect(packed.map(textOf)).toEqual(rows.map(textOf))
      for (const place of places) {
        const [found, expected] = [packed.at(place), rows.at(place)]
        expect(found && textOf(found)).toBe(expected && textOf(expected))
        expect(placesOf(packed, (skip) => skip === undefined)).toEqual(placesOf(rows, (skip) => skip === undefined))
      }
      expect(packed.slice(3, 700).map(textOf)).toEqual(rows.slice(3, 700).map(textOf))
      expect(packed.filter(({line}) => line % 2 === 0).length).toBe(rows.filter(({line}) => line % 2 === 0).length)
      expect(packed.some(({skip}) => skip !== undefined)).toBe(rows.some(({skip}) => skip !== undefined))
    }),
    {numRuns: 8},
  )
})

test.each([{given: {a: 1}}, {madeId: 7}, {by: 'run'}, {skip: 'continued'}] as const)(
  'a packed row keeps %j alone',
  (more) => {
    const row: PlannedRow = {line: 2, record: {id: 1}, ...more}

    expect(PackedRows.of([row], 0).at(0)).toEqual(row)
  },
)

test('rows are changed and taken as those of a list are', () => {
  fc.assert(
    fc.property(many, plainBytes, (rows, most) => {
      const change = (row: PlannedRow, place: number) => (place % 3 === 0 ? {...row, skip: 'unchanged' as const} : row)
      const isTaken = ({line}: PlannedRow) => line % 3 !== 0
      const packed = PackedRows.of(rows, most)

      expect(mapRows(packed, change).map(textOf)).toEqual(rows.map(change).map(textOf))
      expect(filterRows(packed, isTaken).map(textOf)).toEqual(rows.filter(isTaken).map(textOf))
      expect(mapRows(packed, (row) => row)).toBe(packed)
    }),
    {numRuns: 5},
  )
})
