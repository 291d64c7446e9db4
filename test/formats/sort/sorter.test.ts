import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {compareValues} from '../../../src/formats/conditions.js'
import {SortKey} from '../../../src/formats/sort/sort-key.js'
import {Sorter} from '../../../src/formats/sort/sorter.js'
import {type JsonValue, parseJson} from '../../../src/values/json.js'
import {makeFolder} from '../../support/folder.js'

const number = fc.oneof(
  fc.constantFrom('0', '-0', '0.0', '1', '1.0', '1e0', '10e-1', '1e400', '-1e400', '1e-400', '-1e-400', '5e-324'),
  fc.constantFrom('9007199254740993', '9007199254740992', '9007199254740993.0', '0.1', '0.10000000000000000001'),
  fc.constantFrom(
    '1e21',
    '1000000000000000000000',
    '1e1234567890123456789012345678',
    '1e12345678901234567890123456789012',
  ),
  fc.tuple(fc.integer(), fc.nat(999), fc.integer({min: -20, max: 20})).map(([a, b, e]) => `${a}.${b}e${e}`),
  fc.integer({min: -30, max: 30}).map(String),
)
const text = fc
  .array(
    fc.constantFrom('a', 'b', 'B', 'é', '日', '😀', '\ud800', '\udfff', '\uffff', '\ufffe', '\0', '\x01', '\x02', '~'),
  )
  .map((letters) => JSON.stringify(letters.join('')))
const json = fc.oneof(
  number,
  number,
  text,
  fc.constantFrom('null', 'true', 'false', '[1,2]', '{"a":1.10}', '""', '"12"'),
)
const value = json.map((source) => parseJson(source))
const row = fc.tuple(value, value)

/** The order of the rows as comparing them shows it. */
function obvious(rows: readonly (readonly JsonValue[])[], descending: readonly boolean[]): number[] {
  const compare = (one: JsonValue, other: JsonValue, isDescending: boolean) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return isDescending ? -compareValues(one, other) : compareValues(one, other)
  }
  return [...rows.keys()].sort((one, other) => {
    for (const [place, isDescending] of descending.entries()) {
      const order = compare(rows[one]?.[place] ?? null, rows[other]?.[place] ?? null, isDescending)
      if (order !== 0) return order
    }
    return 0
  })
}

test('rows come in the order of their values, in memory and from runs, with and without a limit', () => {
  const folder = makeFolder()

  fc.assert(
    fc.property(
      fc.array(row, {maxLength: 60}),
      fc.tuple(fc.boolean(), fc.boolean()),
      fc.constantFrom(1, 200, 1_000, 1 << 20),
      fc.option(fc.nat(20), {nil: undefined}),
      (rows, descending, memory, limit) => {
        const sorter = new Sorter({folder: () => folder, memory, ...(limit !== undefined && {limit})})
        const key = new SortKey()
        for (const [number, values] of rows.entries()) {
          key.clear()
          for (const [place, isDescending] of descending.entries()) key.value(values[place], isDescending)
          const bytes = Buffer.from(`<${number}>`)
          sorter.add({bytes: key.bytes, start: 0, end: key.length}, {bytes, start: 1, end: bytes.length - 1})
        }
        const found: number[] = []
        for (const {bytes, start, end} of sorter.rows()) found.push(Number(bytes.toString('latin1', start, end)))

        expect(found).toEqual(obvious(rows, descending).slice(0, limit))
        expect(sorter.count).toBe(rows.length)
        expect(readdirSync(folder)).toEqual([])
      },
    ),
    {numRuns: 500},
  )
})

test('a text in UTF-8 has the key of the text', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (source, descending) => {
      const whole = String(parseJson(source)).toWellFormed()
      const [one, other] = [new SortKey(), new SortKey()]
      const bytes = Buffer.from(`"${whole}"`)

      one.value(whole, descending)
      other.text(bytes, 1, bytes.length - 1, descending)

      expect(other.bytes.subarray(0, other.length)).toEqual(one.bytes.subarray(0, one.length))
    }),
  )
})

test('a disk that takes no more is reported with the folder and what is needed', () => {
  const folder = join(makeFolder(), 'x'.repeat(300))
  const sorter = new Sorter({folder: () => folder, memory: 1})

  const [key, row] = ['k', 'row'].map((text) => ({bytes: Buffer.from(text), start: 0, end: text.length}))
  const add = () => key && row && sorter.add(key, row)

  add()

  expect(add).toThrow(
    expect.objectContaining({exit: 'storage', message: expect.stringContaining('temporary file of --sort')}),
  )
})
