import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createEnvelope} from '../../../src/cli/app/envelope.js'
import {openSink} from '../../../src/cli/read/open-sink.js'
import {runColumns} from '../../../src/cli/read/own-columns.js'
import type {RecordFlags} from '../../../src/cli/read/read-flags.js'
import {forTerminal} from '../../../src/cli/read/resource-layout.js'
import type {TextTarget} from '../../../src/cli/read/text-target.js'
import {readRecords, unreadable} from '../../../src/client/read.js'
import type {Page} from '../../../src/client/types.js'
import {registerSecret} from '../../../src/core/redact.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import {type Column, columnsOf} from '../../../src/formats/columns.js'
import {operators, settleConditions} from '../../../src/formats/conditions.js'
import type {DatabaseFile} from '../../../src/formats/files/database-file.js'
import {lineColumns, toLines} from '../../../src/formats/lines.js'
import {type Format, formatTable, isFileFormat} from '../../../src/formats/outputs/format-table.js'
import {createTextOutput} from '../../../src/formats/outputs/text-output.js'
import type {Table} from '../../../src/formats/write/sqlite-table.js'
import {type RowSink, toSink} from '../../../src/reports/read/row-sink.js'
import {type Elements, splitElements} from '../../../src/values/elements.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {anyPage, small} from '../../support/json-text.js'
import {type Sought, sinkObviously} from '../../support/records/obvious.js'

const names = {list: 'lines', line: 'line'}
const asked = {method: 'GET', path: '/things'}
const look = ['name']

type Case = {
  flags: RecordFlags
  rows: 'lines' | 'batches'
  lookAhead: number
  isJson: boolean
  limit?: number | undefined
  /** Given to the columns in turn, in place of theirs. */
  kinds?: readonly Column['kind'][]
}

const sorts = ['id', '-total', 'NAME,-id', 'isActive,-Contact.Home.Street,total', '-tags', 'zip,id']
const where = ['id=7', 'id!=B7', 'ID~a', 'name=', 'isActive=true', 'total=10.1', 'contact.phone!=x', 'zip!=1']
const columnNames = ['id', 'NAME', 'tags', 'total', 'contact', 'Contact.Home.Street', 'isActive', 'zip']

const anyCase: fc.Arbitrary<Case> = fc.record({
  flags: fc.record(
    {
      output: fc.constantFrom('csv', 'tsv', 'json', 'ndjson', 'markdown', 'table'),
      'csv-dialect': fc.constantFrom('rfc4180' as const, 'excel' as const),
      columns: fc.subarray(columnNames, {minLength: 1}).map(String),
      where: fc.subarray(where, {minLength: 1, maxLength: 2}),
      sort: fc.constantFrom(...sorts),
    },
    {requiredKeys: ['output', 'csv-dialect']},
  ),
  limit: fc.option(fc.nat(9), {nil: undefined}),
  rows: fc.constantFrom('lines' as const, 'batches' as const),
  lookAhead: fc.constantFrom(1, 4, 10_000),
  isJson: fc.boolean(),
})

const lineSorts = ['line.id', '-line.note,id', 'LINE.more.deep,-line.id']
const lineWhere = ['line.id!=7', 'line.note=a', 'line.more.deep!=x']

const kinds = ['text', 'integer', 'decimal', 'boolean', 'dateTime', 'list', 'unknown'] as const
const anyFile: fc.Arbitrary<Case> = anyCase.chain((one) => {
  const isLines = one.rows === 'lines'
  const {columns} = one.flags
  const flags = fc.record(
    {
      output: fc.constantFrom('sqlite' as const, 'parquet' as const, 'xlsx' as const),
      sort: fc.constantFrom(...sorts, ...(isLines ? lineSorts : [])),
      where: fc.subarray([...where, ...(isLines ? lineWhere : [])], {maxLength: 1}),
    },
    {requiredKeys: ['output', 'where']},
  )
  const others = fc.option(fc.array(fc.constantFrom(...kinds), {minLength: 1, maxLength: 12}), {nil: []})
  const chosen = columns === undefined ? {} : {columns: `${columns},id${isLines ? ',line.id,line.note' : ''}`}
  return fc.tuple(flags, others).map(([given, kinds]) => ({
    ...one,
    ...{isJson: false, kinds: given.where.length > 0 ? [] : kinds, flags: {...given, ...chosen}},
  }))
})

const conditionNames = ['id', 'NAME', 'isActive', 'tags', 'total', 'contact.phone', 'Contact.Home.Street']
const otherNames = ['line.note', 'line.id', 'LINE.more.deep', 'zip', 'x"y', 'größe', 'a\\.b', '__proto__', 'lines']
const wanted = ['', '7', 'B7', 'a<b', '>=', '~=', '=1+1', '10.1', '-17', '1e400', 'true', 'a', '日本', ' x ']
const anyCondition = fc
  .tuple(
    fc.constantFrom(...conditionNames, ...conditionNames, ...otherNames),
    fc.constantFrom('', ' '),
    fc.constantFrom(...operators),
    fc.constantFrom(...wanted),
  )
  .map(([name, blank, operator, value]) => `${name}${blank}${operator}${blank}${value}`)
  .filter(canBeRead)
const anySelection: fc.Arbitrary<Case> = fc
  .tuple(anyCase, fc.array(anyCondition, {minLength: 1, maxLength: 2}))
  .map(([one, where]) => ({...one, flags: {...one.flags, where}}))

function canBeRead(condition: string): boolean {
  try {
    const both = [columnsOf(small), lineColumns(small, names)]
    return both.every((columns) => settleConditions([condition], columns, 0).length === 1)
  } catch {
    return false
  }
}

/** Of a field that is no object only in the second record of a shape. */
const oddLate: Case = {flags: {output: 'sqlite', sort: 'id'}, rows: 'batches', lookAhead: 1, isJson: false}

describe('a sink of pages writes what the sink of records writes', () => {
  test.for([
    ['in every text format, whatever the columns and conditions', anyCase, 200],
    ['whatever the name, operator and value of a condition', anySelection, 300],
  ] as const)('%s', async ([_title, cases, numRuns]) => {
    await fc.assert(
      fc.asyncProperty(cases, fc.array(anyPage, {maxLength: 4}), async (one, pages) => {
        const bodies = pages.map((page) => Buffer.from(page))

        expect(await byPages(one, bodies)).toEqual(await byRecords(one, bodies))
      }),
      {numRuns},
    )
  })

  test('in files, with the types, the checks and the unknown columns of these', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.array(anyPage, {maxLength: 4}), async (one, pages) => {
        const bodies = pages.map((page) => Buffer.from(page))

        expect(await byPages(one, bodies)).toEqual(await byRecords(one, bodies))
      }),
      {
        numRuns: 200,
        examples: [[oddLate, ['[{"id":"1","contact":null},{"id":"2","contact":"x"},{"id":"3","contact":{"zip":1}}]']]],
      },
    )
  })

  test('where long texts of a record stand beside long texts of its lines', async () => {
    const one: Case = {flags: {output: 'xlsx'}, rows: 'lines', lookAhead: 1, isJson: false}
    const text = (length: number) => JSON.stringify('x'.repeat(length))
    const record = (id: number) =>
      `{"id":"${id}","unknown":${text((id * 9_973) % 32_000)},"lines":[{"id":1,"note":${text((id * 7_919) % 32_000)}}]}`
    const bodies = [Buffer.from(`[${Array.from({length: 12}, (_, id) => record(id)).join(',')}]`)]

    expect(await byPages(one, bodies)).toEqual(await byRecords(one, bodies))
  })
})

test('a secret that the service repeats in a record is not shown in an envelope', async () => {
  registerSecret('k3y-of-the-page')
  const chunks: string[] = []
  const envelope = createEnvelope('x')
  const write = async (bytes: Buffer, rows: number) => {
    for (const piece of envelope.elements(bytes, rows)) chunks.push(piece.toString())
  }
  const columns = columnsFor({rows: 'batches'})
  const sink = toSink(await createTextOutput(write, 'elements', {columns}), undefined)

  await sink.page(toPage(sink.split(Buffer.from('[{"id":"k3y-of-the-page"},{"id":"B2"}]'))), () => true)
  await sink.page(toPage(sink.split(Buffer.from('[{"id":"B3"}]'))), () => true)

  expect(chunks.join('')).toMatch(/"data": \[\n {4}\{"id":"\[secret\]"\},\n {4}\{"id":"B2"\},\n {4}\{"id":"B3"\}$/)
})

test('frees the bytes of a page that was written', async () => {
  const sink = toSink(await createTextOutput(async () => undefined, 'ndjson', {columns: []}), null)
  const body = Buffer.from(JSON.stringify([{id: 1, name: 'x'.repeat(100_000)}]))

  await sink.page(toPage(sink.split(body)), () => true)

  expect([body.length, sink.written().rows]).toEqual([0, 1])
})

type Written = {text: string; table?: unknown; rows?: number; lost?: unknown; failure?: string; isCut?: boolean}

async function byPages(one: Case, bodies: readonly Buffer[]): Promise<Written> {
  const chunks: string[] = []
  using file = openFile(one)
  const sink = await openPages(one, toTarget(chunks, file.database))
  const written = await drain(sink, chunks, bodies, (body) => {
    const elements = sink.split(body)
    return sink.page(toPage(elements), (_seen, _key, index) => index % 5 !== 4)
  })
  return {...written, table: file.shown(), isCut: !written.failure && sink.written().isCut}
}

async function byRecords(one: Case, bodies: readonly Buffer[]): Promise<Written> {
  const {flags, rows, lookAhead, isJson, limit} = one
  const {where, sort, output = 'ndjson', 'csv-dialect': dialect} = flags
  const chunks: string[] = []
  using file = openFile(one)
  const columns = columnsFor(one)
  const chosen = flags.columns?.split(',')
  const to = {target: toTarget(chunks, file.database), table: tableFor(rows), columns, chosen}
  const as: Sought['as'] = isJson
    ? 'elements'
    : isFileFormat(output)
      ? (await formatTable[output].load())(to)
      : (output as Format)
  const {pages, problem} = readAll(one, bodies)
  let text: string | undefined
  try {
    const sought = {...{as, columns, chosen, lookAhead, dialect, where, sort, limit}}
    const {lost, ...written} = await sinkObviously(sought, pages, problem, (all) => {
      text = Buffer.from(all).toString('latin1')
    })
    return {text: text ?? chunks.join(''), lost: [...lost].sort(), table: file.shown(), ...written}
  } catch (error) {
    return {text: text ?? chunks.join(''), failure: String(error), table: file.shown(), isCut: false}
  }
}

/** The records that are taken of each page, up to the first page that cannot be read. */
function readAll({rows}: Case, bodies: readonly Buffer[]) {
  const pages: JsonRecord[][] = []
  try {
    for (const body of bodies) {
      const records = [...taken(readRecords(splitElements(body), undefined, 1, asked))]
      pages.push(rows === 'lines' ? [...linesOf(records)] : records)
    }
    return {pages, problem: undefined}
  } catch (problem) {
    return {pages, problem}
  }
}

async function drain(
  sink: {end(): Promise<void>; written(): {rows: number; lost: ReadonlyMap<string, number>}},
  chunks: string[],
  bodies: readonly Buffer[],
  put: (body: Buffer) => Promise<void>,
): Promise<Written> {
  try {
    for (const body of bodies) await put(body)
    await sink.end()
    const {rows, lost} = sink.written()
    return {text: chunks.join(''), rows, lost: [...lost].sort()}
  } catch (error) {
    return {text: chunks.join(''), failure: String(error)}
  }
}

function openPages(one: Case, target: TextTarget): Promise<RowSink> {
  const {flags, rows, lookAhead, isJson, limit} = one
  const {where = [], ...given} = flags
  const sought = {resource: 'thing', lookAhead, look, table: tableFor(rows), ...(rows === 'lines' && {lines: names})}
  const asked = {...given, ...(limit !== undefined && {limit})}
  if (!isJson) return openSink(asked, target, columnsFor(one), {...sought, where})
  const to = {...target, path: undefined}
  return openSink(asked, to, columnsFor(one), {...sought, where, envelope: createEnvelope('x'), output: target})
}

function columnsFor({rows, kinds = []}: Pick<Case, 'rows' | 'kinds'>): Column[] {
  const columns = rows === 'lines' ? lineColumns(small, names) : columnsOf(small)
  return columns.map((column, place) => ({...column, kind: kinds[place % kinds.length] ?? column.kind}))
}

function tableFor(rows: Case['rows']): Table {
  return {name: 'things', key: rows === 'lines' ? ['id', 'line.id'] : ['id']}
}

/** A database where the format is one, and all that is in it. */
function openFile({flags: {output}}: Case) {
  const database = output === 'sqlite' ? openDatabase(':memory:') : undefined
  const done = async () => undefined
  return {
    ...(database && {database: {path: ':memory:', database, commit: done, discard: done}}),
    shown() {
      const columns = database?.all("SELECT * FROM pragma_table_info('things')") ?? []
      const cells = columns.map(({name}) => `quote("${String(name).replaceAll('"', '""')}")`)
      return [columns, columns.length > 0 ? database?.all(`SELECT rowid, ${cells} FROM things ORDER BY rowid`) : []]
    },
    [Symbol.dispose]: () => database?.close(),
  }
}

function* taken(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
  let index = 0
  for (const record of records) if (index++ % 5 !== 4) yield record
}

function* linesOf(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
  for (const record of records) yield* toLines(record, names)
}

function toPage(elements: Elements): Page {
  const plain = {number: 1, size: 50, totalPages: 1, served: {}, records: [], check: () => undefined}
  return {...plain, count: elements.count, elements, unreadable: (index) => unreadable(index, 1, asked)}
}

function toTarget(chunks: string[], database?: DatabaseFile): TextTarget {
  const done = async () => undefined
  return {
    path: 'things',
    commit: done,
    discard: done,
    write: async (text) => void chunks.push(Buffer.from(text).toString('latin1')),
    ...(database && {database}),
  }
}

test('a list of runs says first what each run did: an export may have no file', () => {
  const names = forTerminal('run', runColumns).map(({name}) => name)

  expect(names.slice(0, 4)).toEqual(['id', 'state', 'command', 'file'])
  expect([...names].sort()).toEqual(runColumns.map(({name}) => name).sort())
})
