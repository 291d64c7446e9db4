import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {beforeEach, expect, test} from 'vitest'
import type {Fields} from '../../../../src/contract/base/grammar.js'
import {CliFailure} from '../../../../src/core/errors.js'
import {type Column, columnsOf} from '../../../../src/formats/columns.js'
import {createMatch, satisfies} from '../../../../src/formats/conditions.js'
import {createFlatten, toCellText} from '../../../../src/formats/flatten.js'
import {lineColumns} from '../../../../src/formats/lines.js'
import {rowsOf} from '../../../../src/formats/scan/page-renderer.js'
import {createFileWriter} from '../../../../src/formats/write/file-writer.js'
import {decimalShape, settleTypes} from '../../../../src/formats/write/parquet/parquet-columns.js'
import {writeParquet} from '../../../../src/formats/write/parquet/write-parquet.js'
import {isRecord, JsonProblem, type JsonRecord, parseJson} from '../../../../src/values/json.js'
import {makeFolder} from '../../../support/folder.js'
import {anyPage, small} from '../../../support/json-text.js'
import {createMemory} from '../../../support/odd-records.js'
import {readParquetFile, toDigits} from '../../../support/parquet.js'
import {settleColumns} from '../../../support/records/obvious.js'

const names = {list: 'lines', line: 'line'}
const uses = ['read'] as const
const typed: Fields = {
  id: {kind: 'text', uses, about: 'Id.'},
  recordedAtUtc: {kind: 'dateTime', uses, about: 'UTC.'},
  lines: {
    kind: 'list',
    uses,
    about: 'Lines.',
    fields: {
      id: {kind: 'integer', uses, about: 'Id.'},
      price: {kind: 'decimal', uses, about: 'Price.'},
      isSold: {kind: 'boolean', uses, about: 'Flag.'},
      soldAt: {kind: 'dateTime', uses, about: 'Local.'},
      name: {kind: 'text', uses, about: 'Name.'},
    },
  },
}

const time = fc
  .tuple(
    fc.constantFrom('2024-07-30T18:07:05', '1969-12-31T23:59:59', '2000-02-29T00:00:00', '1690-01-01T00:00:00'),
    fc.constantFrom('', '.4', '.477', '.477123', '.000'),
  )
  .map((parts) => parts.join(''))
const seldom = <Value>(usual: fc.Arbitrary<Value>, odd: readonly Value[]) =>
  fc.oneof({weight: 12, arbitrary: usual}, {weight: 1, arbitrary: fc.constantFrom(...odd)})
const fields = {
  id: fc.oneof(fc.integer().map(String), fc.constantFrom('0', '-7', '1e3', '9007199254740993', '-9223372036854775808')),
  price: fc.oneof(
    fc.constantFrom('1.5', '1.50', '-0', '0.00', '100', '1E2', '-2.5e-7', '99999999999999999999.999999999999999999'),
    fc.integer({min: -9_999, max: 9_999}).map((cents) => (cents / 100).toFixed(2)),
  ),
  isSold: fc.constantFrom('true', 'false'),
  soldAt: time.map((text) => JSON.stringify(text)),
  name: fc.constantFrom('"a"', '"b"', '"Caf\\u00e9"', '"Café"', '""', '"日本 😀"', '7', '1.10', 'true', '[1.0, {}]'),
}
const orNull = Object.fromEntries(
  Object.entries(fields).map(([name, value]) => [name, seldom<string>(value, ['null', '"odd"', '1.5', '{}', 'true'])]),
)
const line = fc.record(orNull, {requiredKeys: ['id', 'price', 'isSold']}).map(toObject)
const typedPage = fc
  .array(
    fc.record(
      {
        id: seldom(fc.constantFrom('"B1"', '"B2"'), ['null', '5']),
        recordedAtUtc: seldom(
          fc.tuple(time, fc.constantFrom('', 'Z', '+02:00')).map((parts) => `"${parts.join('')}"`),
          ['null'],
        ),
        lines: fc.array(line, {maxLength: 4}).map((lines) => `[${lines.join(',')}]`),
      },
      {requiredKeys: ['id']},
    ),
    {maxLength: 6},
  )
  .map((records) => `[${records.map(toObject).join(',')}]`)

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
const anyCase = fc.record({
  rows: fc.constantFrom('lines' as const, 'batches' as const),
  lookAhead: fc.constantFrom(1, 4, 10_000),
  groupSize: fc.constantFrom(1, 2, 5, 100),
  where: fc.constantFrom([], [], ['line.id!=7']),
  pages: fc.oneof(
    fc.record({of: fc.constant(small), texts: fc.array(anyPage, {maxLength: 4})}),
    fc.record({of: fc.constant(typed), texts: fc.array(typedPage, {maxLength: 4})}),
  ),
})

test('holds every value of the records that it was written from', async () => {
  let read = 0
  await fc.assert(
    fc.asyncProperty(anyCase, async ({rows, lookAhead, groupSize, where, pages: {of, texts}}) => {
      const lines = rows === 'lines' ? names : undefined
      const columns = lines ? lineColumns(of, lines) : columnsOf(of)
      const pages = texts.flatMap((text) => toPage(text))
      const conditions = lines ? createMatch({where}, columns, lines).conditions : []
      const options = {columns, lookAhead, conditions, ...(lines && {lines})}

      const made = await written(options, pages, groupSize)

      const rowsOfAll = pages.flatMap(({records}) => records.flatMap((record) => rowsOf(record, lines)))
      const all = rowsOfAll.filter((row) => satisfies(row, conditions))
      if (!made || String(made.notes) !== '' || made.lost.size > 0) return
      read++
      const file = await readBack(made.bytes)
      const shown = settleColumns({columns}, all).filter(({name}) => name in file.types)
      expect(file.rows.map((row) => shown.map(({name}) => row[name]))).toEqual(expected(all, shown))
    }),
    {numRuns: 40},
  )
  expect(read).toBeGreaterThan(10)
})

type Page = {text: string; records: JsonRecord[]}

/** Only answers of records. */
function toPage(text: string): Page[] {
  try {
    const records = parseJson(text.replace(/^\ufeff/, ''))
    return Array.isArray(records) && records.every(isRecord) ? [{text, records}] : []
  } catch (error) {
    if (error instanceof JsonProblem) return []
    throw error
  }
}

/** Undefined for values that no column can hold. */
async function written(options: Parameters<typeof createFileWriter>[0], pages: readonly Page[], groupSize: number) {
  const memory = createMemory()
  const {put, scan, end, written} = createFileWriter(options, (settled, held) =>
    writeParquet(memory, settled, held, groupSize),
  )
  try {
    for (const {text} of pages) await put(scan(Buffer.from(text)), 'all')
    await end()
    return {...written, bytes: memory.bytes()}
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}

function readBack(bytes: Buffer) {
  const path = join(folder, 'out.parquet')
  writeFileSync(path, bytes)
  return readParquetFile(path)
}

/** As the reader has it, which leaves out a byte order mark. */
const decoder = new TextDecoder()

/** What a reader shows of each cell, made by the type of its column alone. */
function expected(rows: readonly JsonRecord[], columns: readonly Column[]) {
  const flatten = createFlatten(columns)
  const {types} = settleTypes(columns, () => undefined)
  return rows.map((row) =>
    flatten(row).map((value, place) => {
      if (value === undefined || value === null) return null
      const type = types[place]
      const cell = type?.toCell(value)
      if (type?.kind === 'text') return decoder.decode(Buffer.from(toCellText(value) ?? ''))
      return cell instanceof Uint8Array
        ? toDigits(toWhole(cell), decimalShape.scale)
        : typeof cell === 'boolean'
          ? cell
          : String(cell)
    }),
  )
}

function toWhole(cell: Uint8Array): bigint {
  return BigInt.asIntN(cell.length * 8, BigInt(`0x${Buffer.from(cell).toString('hex')}`))
}

function toObject(members: Record<string, string | undefined>): string {
  const texts = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : `"${name}":${value}`))
  return `{${texts.join(',')}}`
}
