import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {type Column, toColumn} from '../../../../src/formats/columns.js'
import {writeParquet} from '../../../../src/formats/write/parquet/write-parquet.js'
import type {JsonRecord} from '../../../../src/values/json.js'
import {makeFolder} from '../../../support/folder.js'
import {createMemory, everyKind, toRecords} from '../../../support/odd-records.js'
import {readParquetFile} from '../../../support/parquet.js'
import {createRecordsFile} from '../../../support/records/write-records.js'

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
async function write(columns: readonly Column[], pages: readonly JsonRecord[][], lookAhead = 1) {
  const memory = createMemory()
  const writer = createRecordsFile({columns, lookAhead}, (settled, held) => writeParquet(memory, settled, held))
  for (const page of pages) await writer.page(page)
  await writer.end()
  const path = join(folder, 'out.parquet')
  writeFileSync(path, memory.bytes())
  return {file: await readParquetFile(path), writer, bytes: memory.bytes()}
}

describe('a Parquet file', () => {
  test('has a type for every kind of field; only times of UTC are adjusted to UTC', async () => {
    const {file} = await write(everyKind, [])

    expect(file.types).toEqual({
      id: 'Int64',
      name: 'Utf8',
      price: 'Decimal[38e+18]',
      isOpen: 'Bool',
      recordedAtUtc: 'Timestamp<MICROSECOND, UTC>',
      'seen.local': 'Timestamp<MICROSECOND>',
      tags: 'Utf8',
    })
    expect(file.rows).toEqual([])
  })

  test('keeps every digit', async () => {
    const {file} = await write(everyKind, [
      toRecords(
        '{"id": 9223372036854775807, "price": 10.10, "name": "é \\ud83d\\ude80 \\"x\\"\\n", "isOpen": true}',
        '{"id": -9223372036854775808, "price": -0.000000000000000001, "name": "", "isOpen": false}',
        '{"id": 1e3, "price": 99999999999999999999.999999999999999999, "tags": [{"a": 1.50}], "name": null}',
      ),
    ])

    expect(file.rows).toMatchObject([
      {id: '9223372036854775807', price: '10.100000000000000000', name: 'é 🚀 "x"\n', isOpen: true, tags: null},
      {id: '-9223372036854775808', price: '-0.000000000000000001', name: '', isOpen: false},
      {id: '1000', price: '99999999999999999999.999999999999999999', name: null, isOpen: null, tags: '[{"a":1.50}]'},
    ])
  })

  test('keeps times: an offset counts for UTC, the local clock is what it showed', async () => {
    const {file, writer} = await write(everyKind, [
      toRecords(
        '{"recordedAtUtc": "2024-07-30T18:07:05.477", "seen": {"local": "2024-07-30T11:07:05.477123"}}',
        '{"recordedAtUtc": "2024-07-30T18:07:05Z", "seen": {"local": "1969-12-31T23:59:59.5"}}',
        '{"recordedAtUtc": "2024-07-30T20:07:05+02:00", "seen": {"local": null}}',
      ),
    ])

    const second = Date.parse('2024-07-30T18:07:05Z') * 1000
    expect(file.rows.map(({recordedAtUtc}) => Number(recordedAtUtc))).toEqual([second + 477_000, second, second])
    expect(file.rows.map((row) => row['seen.local'])).toEqual([
      String(second - 7 * 3_600_000_000 + 477_123),
      '-500000',
      null,
    ])
    expect(writer.written.notes).toEqual([])
  })

  test.for([
    ['id', '1.5', '1.5'],
    ['id', '9223372036854775808', '9223372036854775808'],
    ['id', '"0012"', '0012'],
    ['price', '0.1234567890123456789', '0.1234567890123456789'],
    ['price', '1e400', '1e400'],
    ['isOpen', '1', '1'],
    ['recordedAtUtc', '"2024-07-30T18:07:05.1234567"', '2024-07-30T18:07:05.1234567'],
    ['recordedAtUtc', '"soon"', 'soon'],
  ] as const)('stores as text what its type cannot store, and says so: %s %s', async ([name, value, text]) => {
    const {file, writer} = await write(everyKind, [toRecords('{"id": 7}', `{"${name}": ${value}}`)])

    expect(file.types[name]).toBe('Utf8')
    expect(file.rows[1]?.[name]).toBe(text)
    expect(writer.written.notes).toEqual([`${name} is written as text: its type cannot store ${text}`])
  })

  test('holds a local time with an offset as text', async () => {
    const {file} = await write(everyKind, [toRecords('{"seen": {"local": "2024-07-30T11:07:05-07:00"}}')])

    expect(file.rows[0]?.['seen.local']).toBe('2024-07-30T11:07:05-07:00')
  })

  test('is refused at a value that comes too late to be held as text', async () => {
    const late = write(everyKind, [toRecords('{"id": 1}'), toRecords('{"id": "2\\u001b[31m"}')])

    await expect(late).rejects.toMatchObject({
      code: 'VALUE_DOES_NOT_FIT',
      exit: 'incomplete',
      message: 'parquet cannot store a value of id as it came (the column stores a whole number of 64 bits): 2^[[31m',
    })
  })

  test('shows unknown fields by name, and counts those that come after its columns are settled', async () => {
    const pages = [
      toRecords('{"id": 1, "zeta": "z", "alpha": 01}'.replace('01', '1.0')),
      toRecords('{"id": 2, "late": 5}'),
    ]

    const {file, writer} = await write([toColumn(['id'], 'integer')], pages)

    expect(file.types).toEqual({id: 'Int64', alpha: 'Utf8', zeta: 'Utf8'})
    expect(file.rows[0]).toEqual({id: '1', alpha: '1.0', zeta: 'z'})
    expect([...writer.written.lost]).toEqual([['late', 1]])
  })

  test('is written group by group, the same bytes for the same rows', async () => {
    const rows = Array.from({length: 12_001}, (_, id) => ({id, price: id % 100}))
    const pages = [rows.slice(0, 7_000), rows.slice(7_000)]

    const {file, bytes} = await write(everyKind, pages)
    const again = await write(everyKind, [rows])

    expect(file.rows.map(({id}) => id)).toEqual(rows.map(({id}) => String(id)))
    expect(file.rows.at(-1)?.['price']).toBe('0.000000000000000000')
    expect(again.bytes.equals(bytes)).toBe(true)
  })

  test('fails when its bytes are not taken', async () => {
    const full = {write: () => Promise.reject(new Error('full'))}
    const writer = createRecordsFile({columns: everyKind}, (settled, held) => writeParquet(full, settled, held))
    await writer.page(toRecords('{"id": 1}'))

    await expect(writer.end()).rejects.toThrow('full')
  })
})
