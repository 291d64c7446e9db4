import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Fields} from '../../../src/contract/base/grammar.js'
import {allFieldsOf, reportIds, reportOperation} from '../../../src/contract/index.js'
import {type Column, columnsOf} from '../../../src/formats/columns.js'
import {toCondition} from '../../../src/formats/conditions.js'
import {lineColumns, lineNamesOf, toLines} from '../../../src/formats/lines.js'
import type {Format} from '../../../src/formats/outputs/format-table.js'
import {createPageRenderer} from '../../../src/formats/outputs/format-table.js'
import {type PageRendererOptions, RecordProblem, type RenderedPage} from '../../../src/formats/scan/page-renderer.js'
import {splitElements} from '../../../src/values/elements.js'
import {isRecord, JsonProblem, type JsonRecord} from '../../../src/values/json.js'
import {anyFlatPage, anyPage, type Flaw, flawed, small} from '../../support/json-text.js'
import {renderObviously} from '../../support/records/obvious.js'

const names = {list: 'lines', line: 'line'}
const formats: readonly Format[] = ['csv', 'tsv', 'ndjson', 'json', 'markdown']

type Case = {format: Format; rows: 'lines' | 'batches' | Fields; options: Partial<PageRendererOptions>}

const anyCase: fc.Arbitrary<Case> = fc.record({
  format: fc.constantFrom(...formats),
  rows: fc.constantFrom('lines' as const, 'batches' as const),
  options: fc.record({
    dialect: fc.constantFrom('rfc4180' as const, 'excel' as const),
    delimiter: fc.constantFrom(',', 'tab', ';', '|', ' ', '.', '-', '1', 'e', 'n', '\\', '[', "'", '=', '\u0001', 'é'),
  }),
})

function columnsFor(rows: Case['rows']): Column[] {
  if (rows === 'lines') return lineColumns(small, names)
  return columnsOf(rows === 'batches' ? small : rows)
}

/** What the renderer of records makes of the same answers, or the kind of its failure. */
async function reference({format, rows, options}: Case, pages: readonly Buffer[]) {
  const known: JsonRecord[][] = []
  const render = (isEnded: boolean) =>
    renderObviously(format, {columns: columnsFor(rows), lookAhead: 1, ...options}, known, isEnded)
  try {
    for (const page of pages) known.push([...toRows(page, rows)])
    const {text, lost} = render(true)
    return {text: asWritten(text), lost: toSorted(lost)}
  } catch (error) {
    return {failure: toFailure(error), text: asWritten(render(false).text)}
  }
}

function* toRows(page: Buffer, rows: Case['rows']): Generator<JsonRecord> {
  const elements = splitElements(page)
  for (let index = 0; index < elements.count; index++) {
    const record = elements.parse(index)
    if (!isRecord(record)) throw new TypeError('no record')
    if (rows === 'lines') yield* toLines(record, names)
    else yield record
  }
}

async function rendered({format, rows, options}: Case, pages: readonly Buffer[]) {
  const lines = rows === 'lines' ? {lines: names} : {}
  const renderer = await createPageRenderer(format, {columns: columnsFor(rows), ...lines, ...options})
  let text = renderer.start().toString()
  try {
    for (const body of pages) text += renderer.page(body).bytes.toString()
    return {text: text + renderer.end().toString(), lost: toSorted(renderer.written.lost)}
  } catch (error) {
    return {failure: toFailure(error), text}
  }
}

/** No answer is told apart by more than this: no whole list, an element that is no record, a name that is unknown. */
function toFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof JsonProblem && error.message !== 'not JSON') return error.message
  return error instanceof TypeError || error.name === 'RecordProblem' || error instanceof JsonProblem
    ? 'no record'
    : error.message
}

function toSorted(lost: ReadonlyMap<string, number>) {
  return [...lost].sort()
}

const runs = {numRuns: Number(process.env['PAGE_RUNS'] ?? 300)}

describe('createPageRenderer', () => {
  test('makes the same bytes of the same answers as the renderer of records', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, fc.array(anyPage, {minLength: 1, maxLength: 4}), async (one, pages) => {
        const bodies = pages.map((page) => Buffer.from(page))

        expect(await rendered(one, bodies)).toEqual(await reference(one, bodies))
      }),
      runs,
    )
  })

  test('refuses what is broken as the renderer of records does, and never renders half of it', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, anyPage, anyPage, flawed, async (one, first, page, flaw: Flaw) => {
        const bodies = [Buffer.from(first), flaw(Buffer.from(page))]

        expect(await rendered(one, bodies)).toEqual(await reference(one, bodies))
      }),
      runs,
    )
  })
})

describe('a report whose records have no lines', () => {
  const flat = reportIds
    .map((id) => allFieldsOf(reportOperation(id).resource))
    .filter((fields) => lineNamesOf(fields) === undefined)

  test.each(flat.map((fields) => [Object.keys(fields).join(), fields] as const))(
    'is the same bytes by either renderer: %s',
    async (_, fields) => {
      const one = anyCase.map((some): Case => ({...some, rows: fields}))
      const page = anyFlatPage(fields)
      await fc.assert(
        fc.asyncProperty(one, page, page, flawed, async (some, first, second, flaw) => {
          const [whole, broken] = [[first, second].map((text) => Buffer.from(text)), flaw(Buffer.from(second))]

          expect(await rendered(some, whole)).toEqual(await reference(some, whole))
          expect(await rendered(some, [Buffer.from(first), broken])).toEqual(
            await reference(some, [Buffer.from(first), broken]),
          )
        }),
        runs,
      )
    },
  )

  test('is one at least', () => {
    expect(flat.length).toBeGreaterThan(0)
  })
})

const columns = columnsOf(small)
const body = (...records: unknown[]) => Buffer.from(JSON.stringify(records))
const textOf = ({bytes}: RenderedPage) => bytes.toString()

describe('take', () => {
  test('sees the key and the fields that were asked for, and leaves records out', async () => {
    const renderer = await createPageRenderer('ndjson', {columns, look: ['contact.phone', 'tags']})
    const sights: unknown[] = []
    const one = {id: 'B1', contact: {phone: '1', home: null}, tags: [{a: 1}]}
    const two = {id: 2, contact: {phone: 'a"b', home: null}, tags: []}

    const page = renderer.page(body(one, two, {...one, id: 'B2'}), (seen, key, index) => {
      sights.push([seen, key, index])
      return index !== 1
    })

    expect(sights).toEqual([
      [{contact: {phone: '1'}, tags: [{a: 1}]}, 'text B1', 0],
      [{contact: {phone: 'a"b'}, tags: []}, 'number 2', 1],
      [{contact: {phone: '1'}, tags: [{a: 1}]}, 'text B2', 2],
    ])
    expect({...page, bytes: textOf(page)}).toEqual({
      bytes: `${JSON.stringify(one)}\n${JSON.stringify({...one, id: 'B2'})}\n`,
      rows: 2,
      ids: ['text B1', 'text B2'],
    })
  })

  test('keys are digits as they came; a record without an id is its own key', async () => {
    const renderer = await createPageRenderer('ndjson', {columns})
    const text =
      '[{"id":9007199254740993},{"id":"\\u0041"},{"id":null,"a":1.50},{"ID":7},{"id":[1]},{"id":true},{"id":""}]'

    const {ids} = renderer.page(Buffer.from(text))

    const bare = ['record {"id":null,"a":1.50}', 'number 7', 'record {"id":[1]}', 'record {"id":true}', 'text ']
    expect(ids).toEqual(['number 9007199254740993', 'text A', ...bare])
  })

  test('sees a field in other case by way of the whole record, and null where an object is missing', async () => {
    const renderer = await createPageRenderer('csv', {columns, look: ['contact.phone']})
    const seen: JsonRecord[] = []

    renderer.page(body({id: 1, Contact: {phone: '1'}}, {id: 2, contact: null}), (record) => seen.push(record) > 0)

    expect(seen).toEqual([
      {id: 1, Contact: {phone: '1'}},
      {id: 2, contact: null},
    ])
  })

  test('what it throws leaves nothing behind, and so does a record that is none', async () => {
    const good = body({id: 'B1', late: 1})
    for (const format of formats) {
      const renderer = await createPageRenderer(format, {columns})
      const clean = await createPageRenderer(format, {columns})
      const fail = () => {
        throw new Error('not asked for')
      }

      expect(() => renderer.page(body({id: 'B0', other: 1}), fail)).toThrow('not asked for')
      expect(() => renderer.page(Buffer.from('[{"id":"B0","other":1},{"id":01}]'))).toThrow(new RecordProblem(1))
      expect(() => renderer.page(Buffer.from('[{"id":"B0"},'))).toThrow(JsonProblem)
      const text = renderer.start().toString() + textOf(renderer.page(good)) + renderer.end().toString()

      expect(text).toBe(clean.start().toString() + textOf(clean.page(good)) + clean.end().toString())
    }
  })

  test('columns are settled by records that were taken', async () => {
    const renderer = await createPageRenderer('csv', {columns})

    const none = renderer.page(body({id: 'B0', zip: 1}), () => false)
    const some = renderer.page(body({id: 'B0', zip: 1}, {id: 'B1', size: 2}), (_seen, key) => key === 'text B1')

    expect([none.rows, none.bytes.length]).toEqual([0, 0])
    expect(some.bytes.toString().split('\n')[0]).toBe(`${columns.map(({name}) => name).join(',')},size`)
    expect(renderer.columns?.at(-1)?.name).toBe('size')
  })
})

describe('an output that is gone on with', () => {
  test('bytes of a page stay while the next one is made', async () => {
    const renderer = await createPageRenderer('ndjson', {columns})

    const first = renderer.page(body({id: 'B1'}))
    const second = renderer.page(body({id: 'B2'}))

    expect([textOf(first), textOf(second)]).toEqual(['{"id":"B1"}\n', '{"id":"B2"}\n'])
  })
})

describe('fields that come late', () => {
  test('are counted for every row, whatever holds them', async () => {
    const renderer = await createPageRenderer('csv', {columns: lineColumns(small, names), lines: names})
    renderer.page(body({id: 'B1', lines: []}))

    const line = {id: 1, spare: 'x', more: {deep: 'd', odd: 1}}
    const {rows} = renderer.page(body({id: 'B2', zip: 1, gone: null, lines: [line, {...line, spare: null}]}))

    expect(rows).toBe(2)
    expect(toSorted(renderer.written.lost)).toEqual([
      ['line.more.odd', 2],
      ['line.spare', 1],
      ['zip', 2],
    ])
  })

  test('are no loss where --columns left them out, nor in JSON', async () => {
    for (const [format, options] of [['csv', {chosen: ['id']}] as const, ['ndjson', {}] as const]) {
      const renderer = await createPageRenderer(format, {columns, ...options})
      renderer.page(body({id: 'B1'}))

      renderer.page(body({id: 'B2', zip: 1}))

      expect(renderer.written.lost.size).toBe(0)
    }
  })
})

test('an answer that only was split is scanned, and one that was scanned ahead is not scanned again', async () => {
  const renderer = await createPageRenderer('csv', {columns})
  const [one, two] = [renderer.scan(body({id: 'B1'})), renderer.scan(body({id: 'B2', name: 'x,y'}))]

  const texts = [
    textOf(renderer.page(one)),
    textOf(renderer.page(splitElements(body({id: 'B3'})))),
    textOf(renderer.page(two)),
  ]

  expect(texts.map((text) => text.split('\n').at(-2))).toEqual(['B1,,,,,,,', 'B3,,,,,,,', 'B2,"x,y",,,,,,'].map(cut))
})

/** As many cells as there are columns. */
function cut(line: string): string {
  return line.padEnd(line.length + columns.length - 8, ',')
}

test('a delimiter that cannot be one is refused before anything is read', async () => {
  await expect(createPageRenderer('csv', {columns, delimiter: 'ab'})).rejects.toMatchObject({exit: 'usage'})
})

test('a chosen column that no record knows is a failure, at the first page or at the end', async () => {
  const failure = {message: 'no column is called "nmae"; did you mean "name"?', exit: 'usage'}
  for (const format of [...formats, 'table'] as const) {
    const renderer = await createPageRenderer(format, {columns, chosen: ['nmae']})

    expect(() => renderer.page(body({id: 1}))).toThrow(expect.objectContaining(failure))
    expect(() => renderer.end()).toThrow(expect.objectContaining(failure))
  }
})

/** A lone surrogate has no bytes: what is written in its place is what counts. */
function asWritten(text: string): string {
  return Buffer.from(text).toString()
}

describe('a look-ahead', () => {
  test('holds the records that are written, not their pages', async () => {
    const conditions = [toCondition('name=x', [])]
    const renderer = await createPageRenderer('csv', {columns: columns.slice(0, 1), conditions, lookAhead: 3})
    const pages = ['a', 'x', 'a', 'x', 'x'].map((name, id) => renderer.scan(body({id, name}, {id: id + 10, name: 'a'})))

    const made = pages.map((page) => renderer.page(page))

    expect(made.map(textOf)).toEqual(['', '', '', '', 'id,name\n1,x\n3,x\n4,x\n'])
    expect(made.map(({rows}) => rows)).toEqual([0, 1, 0, 1, 1])
    expect(pages.map(({bytes}) => bytes.length)).toEqual([0, 0, 0, 0, 0])
  })

  test('writes what it held at the end, with the columns of that', async () => {
    const renderer = await createPageRenderer('csv', {columns: columns.slice(0, 1), lookAhead: 3})

    const {bytes} = renderer.page(body({id: 1}, {id: 2, zip: null}))

    expect([bytes.toString(), renderer.end().toString()]).toEqual(['', 'id,zip\n1,\n2,\n'])
  })
})
