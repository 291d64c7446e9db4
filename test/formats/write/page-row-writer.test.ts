import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {openDatabase} from '../../../src/core/sqlite.js'
import {type Column, columnsOf} from '../../../src/formats/columns.js'
import {createMatch} from '../../../src/formats/conditions.js'
import {lineColumns} from '../../../src/formats/lines.js'
import {type IntakeOptions, isScanned, parseRecord, rowsOf} from '../../../src/formats/scan/page-renderer.js'
import {createFileWriter, type FileWriter, type OpenRows} from '../../../src/formats/write/file-writer.js'
import {writeSqlite} from '../../../src/formats/write/write-sqlite.js'
import {writeXlsx} from '../../../src/formats/write/xlsx/write-xlsx.js'
import type {Elements} from '../../../src/values/elements.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {anyPage, small} from '../../support/json-text.js'
import {createMemory} from '../../support/odd-records.js'
import {createRecordFileWriter} from '../../support/records/file-writer.js'

const lines = {list: 'lines', line: 'line'}
const kinds = ['text', 'integer', 'decimal', 'boolean', 'dateTime', 'list', 'unknown'] as const

/** A file of one format, what shows all that is in it, and what it holds when a row was refused. */
type Output = {open: OpenRows; shown: () => unknown; left: () => unknown; close: () => void}

const outputs = {
  sqlite(): Output {
    const database = openDatabase(':memory:')
    const file = {path: ':memory:', database, commit: async () => undefined, discard: async () => undefined}
    const shown = () => {
      const names = database
        .all('SELECT name FROM pragma_table_info(?)', 'rows')
        .map(({name}) => `"${String(name).replaceAll('"', '""')}"`)
      const exact = names.flatMap((name, at) => [`quote(${name}) AS c${at}`, `typeof(${name}) AS t${at}`])
      return names.length === 0 ? [] : [names, database.all(`SELECT ${exact} FROM rows ORDER BY rowid`)]
    }
    return {
      open: (columns, held) => writeSqlite(file, columns, held, {name: 'rows', key: ['id', ...toLineKey(columns)]}),
      shown,
      left: shown,
      close: database.close,
    }
  },
  xlsx(): Output {
    const memory = createMemory()
    return {
      open: (columns, held) => writeXlsx(memory, columns, {name: 'rows', held, rowsPerSheet: 12}),
      shown: () => memory.bytes().toString('latin1'),
      left: () => [],
      close: () => undefined,
    }
  },
}

function toLineKey(columns: readonly Column[]): string[] {
  return columns.some(({name}) => name === 'line.id') ? ['line.id'] : []
}

const anyCase = fc.record({
  isLines: fc.boolean(),
  kinds: fc.array(fc.constantFrom(...kinds), {minLength: 1, maxLength: 12}),
  lookAhead: fc.constantFrom(1, 4),
  where: fc.oneof(
    {weight: 3, arbitrary: fc.constant([])},
    fc.constantFrom(['line.id!=7'], ['line.note=a', 'line.id!=3']),
  ),
  chosen: fc.option(fc.constantFrom(['id', 'line.id'], ['line.id', 'contact', 'id', 'line.note']), {freq: 3}),
})
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never

describe.for(Object.entries(outputs))('rows of pages in %s', ([, create]) => {
  test('are those that records make, whatever the columns', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, fc.array(anyPage, {maxLength: 6}), async (one, pages) => {
        const bodies = pages.map((page) => Buffer.from(page))

        expect(await byPages(one, bodies, create())).toEqual(await byRecords(one, bodies, create()))
      }),
      {numRuns: 60},
    )
  })
})

test('long texts of a record stand beside long texts of its lines', async () => {
  const one: Case = {isLines: true, kinds: ['text'], lookAhead: 1, where: [], chosen: null}
  const text = (length: number) => JSON.stringify('x'.repeat(length))
  const record = (id: number) =>
    `{"id":${id},"unknown":${text((id * 9_973) % 32_000)},"lines":[{"id":1,"note":${text((id * 7_919) % 32_000)}}]}`
  const bodies = [Buffer.from(`[${Array.from({length: 12}, (_, id) => record(id)).join(',')}]`)]

  expect(await byPages(one, bodies, outputs.xlsx())).toEqual(await byRecords(one, bodies, outputs.xlsx()))
})

function toOptions({isLines, kinds, chosen, lookAhead, where}: Case) {
  const plain = isLines ? lineColumns(small, lines) : columnsOf(small)
  const columns = plain.map((column, place) => ({...column, kind: kinds[place % kinds.length] ?? column.kind}))
  const known = chosen?.filter((name) => isLines || !name.startsWith('line.'))
  const match = createMatch({where}, plain, isLines ? lines : undefined).rows
  return {columns, lookAhead, match, ...(isLines && {lines}), ...(known && {chosen: known})}
}

function byPages(one: Case, bodies: readonly Buffer[], output: Output) {
  const options = toOptions(one)
  const writer = createFileWriter(options, output.open)
  return drain(writer, bodies, output, (body) => writer.page(writer.scan(body)))
}

function byRecords(one: Case, bodies: readonly Buffer[], output: Output) {
  const options = toOptions(one)
  const {scan} = createFileWriter(options, output.open)
  const writer = createRecordFileWriter(options, output.open)
  return drain(writer, bodies, output, (body) => writer.page(recordsOf(scan(body), options)))
}

function* recordsOf(page: Elements, {lines, match}: IntakeOptions): Generator<JsonRecord, void, void> {
  for (let index = 0; isScanned(page) && index < page.count; index++)
    yield* rowsOf(parseRecord(page, index), lines, match)
}

async function drain(
  writer: Pick<FileWriter, 'end' | 'lost' | 'notes'>,
  bodies: readonly Buffer[],
  output: Output,
  put: (body: Buffer) => Promise<number>,
) {
  let rows = 0
  try {
    for (const body of bodies) rows += await put(body)
    await writer.end()
    return {rows, shown: output.shown(), lost: [...writer.lost].sort(), notes: writer.notes}
  } catch (error) {
    return {failure: codeOf(error), left: output.left()}
  } finally {
    output.close()
  }
}

/** Of two values that do not fit, either may be met first. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
