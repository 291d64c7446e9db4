import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Column, columnsOf} from '../../src/formats/columns.js'
import {lineColumns, toLines} from '../../src/formats/lines.js'
import {createPageRenderer, type PageFormat, type PageRendererOptions} from '../../src/formats/page-renderer.js'
import {createRenderer} from '../../src/formats/renderer.js'
import {splitElements} from '../../src/values/elements.js'
import {isRecord, JsonProblem, type JsonRecord} from '../../src/values/json.js'
import {anyPage, type Flaw, flawed, small} from '../support/json-text.js'

const names = {list: 'lines', line: 'line'}
const formats: readonly PageFormat[] = ['csv', 'tsv', 'ndjson', 'json']

type Case = {format: PageFormat; rows: 'lines' | 'batches'; options: Partial<PageRendererOptions>}

const anyCase: fc.Arbitrary<Case> = fc.record({
  format: fc.constantFrom(...formats),
  rows: fc.constantFrom('lines' as const, 'batches' as const),
  options: fc.record({
    dialect: fc.constantFrom('rfc4180' as const, 'excel' as const),
    delimiter: fc.constantFrom(',', 'tab', ';', '|', ' ', '.', '-', '1', 'e', 'n', '\\', '[', "'", '=', '\u0001', 'é'),
  }),
})

function columnsFor(rows: Case['rows']): Column[] {
  return rows === 'lines' ? lineColumns(small, names) : columnsOf(small)
}

/** What the renderer of records makes of the same answers, or the kind of its failure. */
async function reference({format, rows, options}: Case, pages: readonly Buffer[]) {
  const renderer = await createRenderer(format, {columns: columnsFor(rows), lookAhead: 1, ...options})
  let text = renderer.start()
  try {
    for (const page of pages) text += [...renderer.page(toRows(page, rows))].join('')
    return {text: asWritten(text + renderer.end()), lost: toSorted(renderer.lost)}
  } catch (error) {
    return {failure: toFailure(error), text: asWritten(text)}
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
  const lost = new Map<string, number>()
  let text = renderer.start().toString()
  try {
    for (const body of pages) {
      const page = renderer.page(body)
      text += page.bytes.toString()
      for (const [name, count] of page.lost) lost.set(name, (lost.get(name) ?? 0) + count)
    }
    return {text: text + renderer.end().toString(), lost: toSorted(lost)}
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

const runs = {numRuns: Number(process.env['PAGE_RUNS'] ?? 150)}

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

/** A lone surrogate has no bytes: what is written in its place is what counts. */
function asWritten(text: string): string {
  return Buffer.from(text).toString()
}
