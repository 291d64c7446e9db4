import fc from 'fast-check'
import {expect, test} from 'vitest'
import {toColumn} from '../../../src/formats/columns.js'
import {toDialect} from '../../../src/formats/write/dialect.js'
import {createComparison} from '../../../src/reports/verify/compare-records.js'
import type {Change} from '../../../src/reports/verify/found-changes.js'
import type {StreamOptions} from '../../../src/reports/verify/record-stream.js'
import {csvText} from '../../support/records/obvious.js'

type Batch = {id: string | null; rows: (string | null)[]}

const note = fc.constantFrom(null, '', 'a', 'a,b', '"', '""', 'x\n"y"\r\n', '=1', 'é;')
/** Rows without an id are a record each. */
const batch = (id: string | null) =>
  fc.array(note, {minLength: 1, maxLength: id === null ? 1 : 3}).map((rows): Batch => ({id, rows}))
const ids = ['B1', 'B2', 'B3', '-4', 'B,"5', 'B6', null]
const file = fc.tuple(...ids.map(batch))
/** Some batches of the file, changed or in another order. */
const fresh = fc
  .tuple(file, fc.tuple(...ids.map(() => fc.constantFrom('same', 'same', 'same', 'other', 'none'))), fc.boolean())
  .map(([other, kinds, isTurned]) => ({other, kinds, isTurned}))
const layouts: readonly Pick<StreamOptions, 'format' | 'dialect'>[] = [
  {format: 'csv', dialect: {name: 'rfc4180', delimiter: null, escapesFormulas: false}},
  {format: 'csv', dialect: {name: 'excel', delimiter: ';', escapesFormulas: true}},
  {format: 'tsv', dialect: {name: 'rfc4180', delimiter: '§', escapesFormulas: false}},
  {format: 'json', dialect: null},
  {format: 'ndjson', dialect: null},
]

test('differences are those of the records, however many rows, in whatever order and however they are cut', async () => {
  const cuts = fc.integer({min: 1, max: 60})

  await fc.assert(
    fc.asyncProperty(
      file,
      fresh,
      fc.constantFrom(...layouts),
      cuts,
      fc.integer({min: 1, max: 4}),
      fc.boolean(),
      async (all, {other, kinds, isTurned}, layout, cut, perPage, oneByOne) => {
        const now = all.flatMap((one, place) =>
          kinds[place] === 'none' ? [] : [kinds[place] === 'same' ? one : (other[place] as Batch)],
        )
        if (isTurned) now.reverse()
        const known = Buffer.concat(print(all, layout, all.length))
        const comparison = createComparison(inStretches(known, cut), {file: 'f', columns: null, ...layout, oneByOne})

        await comparison.open()
        for (const bytes of print(now, layout, perPage)) {
          await comparison.take(bytes)
          bytes.fill(0) // as an export does that writes the next page there
        }
        await comparison.endExport()

        expect((await comparison.end(true)).sort(byId)).toEqual(findChanges(all, now, layout).sort(byId))
      },
    ),
    {numRuns: 400},
  )
})

test.for([
  ['with ids', (place: number) => `B${place}`],
  ['without ids', () => null],
] as const)('records that are the same byte for byte are not looked at: %s', async ([, idOf]) => {
  const [layout] = layouts as [(typeof layouts)[0]]
  const rows = (changed?: number) =>
    Array.from({length: 9}, (_, place): Batch => ({id: idOf(place), rows: [place === changed ? 'x' : `${place}`]}))
  const known = Buffer.concat(print(rows(), layout, 9))
  const comparison = createComparison(inStretches(known, 20), {file: 'f', columns: null, ...layout, oneByOne: false})

  await comparison.open()
  for (const bytes of print(rows(5), layout, 9)) await comparison.take(bytes)
  await comparison.endExport()

  expect(await comparison.end(true)).toHaveLength(1)
  expect(comparison.settled).toBe(1)
})

/** What a map of each side shows. */
function findChanges(before: readonly Batch[], now: readonly Batch[], {format}: {format: string}): Change[] {
  const keyOf = ({id, rows}: Batch) => id ?? JSON.stringify(rows)
  const [old, young] = [before, now].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  const found = new Map<string, Change['change']>()
  const add = (one: Batch, change: Change['change']) => {
    const id = one.id ?? (format === 'csv' || format === 'tsv' ? '' : undefined)
    for (const name of id === undefined ? one.rows.map((row) => JSON.stringify({id: null, note: row})) : [id]) {
      found.set(name, found.has(name) && found.get(name) !== change ? 'changed' : change)
    }
  }
  for (const one of now) {
    const like = old?.get(keyOf(one))
    if (!like) add(one, 'added')
    else if (JSON.stringify(like.rows) !== JSON.stringify(one.rows)) add(one, 'changed')
  }
  for (const one of before) if (!young?.has(keyOf(one))) add(one, 'removed')
  return [...found].map(([id, change]) => ({id, change}))
}

/** The bytes of an export, page by page. */
function print(
  batches: readonly Batch[],
  {format, dialect}: Pick<StreamOptions, 'format' | 'dialect'>,
  perPage: number,
) {
  const pages: Buffer[] = []
  const rows = (from: number) =>
    batches.slice(from, from + perPage).flatMap(({id, rows}) => rows.map((note) => ({id, note})))
  if (format === 'csv' || format === 'tsv') {
    const columns = ['id', 'note'].map((name) => toColumn([name], 'text'))
    const name = dialect?.name === 'excel' ? 'excel' : 'rfc4180'
    const {header, body} = csvText(columns, toDialect(format, name, dialect?.delimiter ?? undefined))
    for (let at = 0; at === 0 || at < batches.length; at += perPage) {
      pages.push(Buffer.from((at === 0 ? header : '') + body([rows(at)])))
    }
    return pages
  }

  const isList = format === 'json'
  for (let at = 0; at < batches.length; at += perPage) {
    const lines = rows(at).map((row) => JSON.stringify(row))
    pages.push(Buffer.from(isList ? `${at === 0 ? '[\n' : ',\n'}${lines.join(',\n')}` : `${lines.join('\n')}\n`))
  }
  return isList ? [...pages, Buffer.from(pages.length === 0 ? '[]\n' : '\n]\n')] : pages
}

/** Each stretch is written over when the second after it is asked for. */
async function* inStretches(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  const memory = [Buffer.alloc(length), Buffer.alloc(length)]
  for (let at = 0; at < bytes.length; at += length) {
    const stretch = memory[(at / length) % 2] as Buffer
    yield stretch.fill(0).subarray(0, bytes.copy(stretch, 0, at, at + length))
  }
}

function byId(one: Change, other: Change): number {
  return one.id < other.id ? -1 : 1
}
