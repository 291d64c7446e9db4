import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Page} from '../../../src/client/types.js'
import {columnsOf} from '../../../src/formats/columns.js'
import {operators} from '../../../src/formats/condition-test.js'
import {settleConditions} from '../../../src/formats/conditions.js'
import {lineColumns} from '../../../src/formats/lines.js'
import {createExportRenderer} from '../../../src/reports/export/export-renderer.js'
import type {ExportLayout} from '../../../src/reports/export/export-types.js'
import {splitElements} from '../../../src/values/elements.js'
import {isRecord} from '../../../src/values/json.js'
import {anyPage, small} from '../../support/json-text.js'
import {createRecordPageRenderer} from '../../support/records/record-page-renderer.js'

const lines = {list: 'lines', line: 'line'}
const ofBatch = [
  ...['id=7', 'id!=B7', 'ID~a', 'name=', 'name!=', 'isActive=true', 'total=10.1', 'total!=0'],
  ...['contact.phone!=x', 'contact.home.street=', 'Contact.Home.Street!='],
]
const ofLines = ['line.note!=', 'line.id=0', 'line.id>=-17', 'LINE.more.deep=a', 'line.note~a']
const names = [
  'id',
  'NAME',
  'isActive',
  'tags',
  'total',
  'contact.phone',
  'Contact.Home.Street',
  'line.note',
  'line.id',
]
const others = ['zip', 'x"y', 'größe', 'a\\.b', '__proto__', 'lines']
const values = ['', '7', 'B7', 'a<b', '>=', '~=', '=1+1', '10.1', '-17', '1e400', 'true', 'a', '日本', ' x ']
const anyCondition = fc
  .tuple(
    fc.constantFrom(...names, ...names, ...others),
    fc.constantFrom('', ' '),
    fc.constantFrom(...operators),
    fc.constantFrom(...values),
  )
  .map(([name, blank, operator, value]) => `${name}${blank}${operator}${blank}${value}`)
  .filter(canBeRead)
const pages = fc.array(anyPage.filter(holdsRecords), {minLength: 1, maxLength: 3})

type Layout = Pick<ExportLayout, 'format' | 'rows'>
const layouts: fc.Arbitrary<Layout> = fc.record({
  format: fc.constantFrom('csv' as const, 'tsv' as const, 'ndjson' as const, 'json' as const),
  rows: fc.constantFrom('lines' as const, 'batches' as const),
})

describe('an export with a condition', () => {
  test.for([
    ['of the batch', ofBatch],
    ['of its lines', ofLines],
    ['of anything', [...ofBatch, ...ofLines, 'zip!=']],
  ] as const)('%s holds the rows that match, and no others', async ([_what, conditions]) => {
    const where = fc.subarray([...conditions], {minLength: 1, maxLength: 2})

    await fc.assert(
      fc.asyncProperty(layouts, where, pages, async (layout, where, bodies) => {
        const looked = await lookedAtOneByOne(layout, where, bodies)

        expect(await exported(layout, where, bodies)).toEqual(looked)
      }),
      {numRuns: 100},
    )
  })

  test('holds the rows that match it, whatever its name, operator and value', async () => {
    const where = fc.array(anyCondition, {minLength: 1, maxLength: 2})

    await fc.assert(
      fc.asyncProperty(layouts, where, pages, async (layout, where, bodies) => {
        const looked = await lookedAtOneByOne(layout, where, bodies)

        expect(await exported(layout, where, bodies)).toEqual(looked)
      }),
      {numRuns: 300},
    )
  })
})

function layoutOf({format, rows}: Layout, where: readonly string[]): ExportLayout {
  const columns = rows === 'lines' ? lineColumns(small, lines) : columnsOf(small)
  return {format, rows, columns, where, gzip: false, ...(rows === 'lines' && {lines})}
}

async function exported(layout: Layout, where: readonly string[], bodies: readonly string[]) {
  const renderer = await createExportRenderer(layoutOf(layout, where), ['name'], {rows: 0})
  return collect(renderer, bodies, (body, take) => renderer.page(pageOf(body), take))
}

/** Every row is made, looked at, and then written or left out. */
async function lookedAtOneByOne(layout: Layout, where: readonly string[], bodies: readonly string[]) {
  const {format, columns, lines: names} = layoutOf(layout, where)
  const renderer = createRecordPageRenderer(format, {columns, ...(names && {lines: names}), where})
  return collect(renderer, bodies, (body, take) => renderer.page(Buffer.from(body), take))
}

type Render = Awaited<ReturnType<typeof createExportRenderer>>['page']
type Rendered = ReturnType<Render>
type Ends = {start(): Buffer; end(): Buffer}

/** Leaves every fifth record out, as one that was there before. */
function collect({start, end}: Ends, bodies: readonly string[], render: (body: string, take: Take) => Rendered) {
  let text = start().toString()
  const told: unknown[] = []
  try {
    for (const body of bodies) {
      const {bytes, rows, ids, lost} = render(body, (_seen, _key, index) => index % 5 !== 4)
      text += bytes.toString()
      told.push({rows, ids, lost: [...lost].sort()})
    }
    return {text: text + end().toString(), told}
  } catch (error) {
    return {failure: String(error), told}
  }
}

type Take = Parameters<Render>[1]

/** What a renderer sees of a page. */
function pageOf(text: string): Page {
  const body = Buffer.from(text)
  const elements = splitElements(body)
  const plain = {number: 1, size: 50, totalPages: 1, served: {}, look: [], records: []}
  return {...plain, count: elements.count, body, elements, check: () => undefined, unreadable: () => new Error('none')}
}

function canBeRead(condition: string): boolean {
  try {
    const both = [columnsOf(small), lineColumns(small, lines)]
    return both.every((columns) => settleConditions([condition], columns, 0).length === 1)
  } catch {
    return false
  }
}

function holdsRecords(text: string): boolean {
  const elements = splitElements(Buffer.from(text))
  return Array.from({length: elements.count}, (_, index) => elements.parse(index)).every(isRecord)
}
