import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {topGroups} from '../../../src/formats/write/html/page-data.js'
import {createSummary, toGroupRecords} from '../../../src/reports/summary/count-lines.js'
import type {SummaryLine} from '../../../src/reports/summary/line-cells.js'
import type {SummaryKey} from '../../../src/reports/summary/summary-keys.js'
import {createPageSummary, type PageFacts, toPageData} from '../../../src/reports/summary/summary-page-facts.js'
import {type JsonRecord, printJson} from '../../../src/values/json.js'

const facts: PageFacts = {
  filters: [],
  source: 'lines.csv',
  command: 'vendorctl reports summary lines.csv',
  notes: [],
  generatedAt: '2024-08-01T02:10:00Z',
  tool: 'vendorctl 0.0.0',
}

const prices = fc.oneof(
  fc.integer({min: -500, max: 99_999}).map((cents) => (cents / 100).toFixed(2)),
  fc.constantFrom('', '0', '1e3', '9007199254740993.1', '-0.05', 1.5, 7),
)
const [days, times] = [fc.integer({min: 1, max: 28}), fc.integer({min: 0, max: 23})]
const two = (number: number) => String(number).padStart(2, '0')
const dates = fc.oneof(
  {weight: 9, arbitrary: fc.tuple(days, times).map(([day, hour]) => `2024-02-${two(day)}T${two(hour)}:07:05`)},
  {weight: 1, arbitrary: fc.constantFrom('', null)},
)
const ids = (most: number) => fc.oneof(fc.integer({min: 1, max: most}), fc.integer({min: 1, max: most}).map(String))
const line = fc.record({
  id: fc.integer({min: 1, max: 9}).map((batch) => `B${batch}`),
  'lineItem.id': fc.integer({min: 1}),
  siteId: ids(3),
  siteName: fc.constantFrom('One', null),
  machineId: ids(60),
  'lineItem.productId': fc.oneof(ids(40), fc.constant(null)),
  'lineItem.occurredAtLocalTime': dates,
  'lineItem.vendWasSuccessful': fc.constantFrom(true, true, 'FALSE', false, ''),
  'lineItem.quantity': fc.constantFrom(1, '2', ''),
  'lineItem.totalPrice': prices,
  'lineItem.taxCharged': prices,
  'lineItem.commission': prices,
})
type Line = JsonRecord

function toPage(lines: readonly Line[]) {
  const summary = createPageSummary(true)
  for (const each of lines) summary.add(toLine(summary.fields, each))
  return toPageData(summary, facts)
}

function toText(by: readonly SummaryKey[], lines: readonly Line[]) {
  const summary = createSummary([by], {isMixed: true})
  for (const each of lines) summary.add(toLine(summary.fields, each))
  return {groups: toPlain(toGroupRecords(summary.groupings().flat())), total: toPlain([summary.total().toRecord()])[0]}
}

function toLine(fields: readonly string[], each: Line): SummaryLine {
  return fields.map((field) => each[field])
}

/** Numbers as the digits that a summary prints. */
function toPlain(records: readonly JsonRecord[]): Record<string, string>[] {
  const text = (value: JsonRecord[string]) => (typeof value === 'string' ? value : printJson(value))
  return records.map((record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, text(value)])))
}

const shown = ['lines', 'failedLines', 'quantity', 'totalPrice', 'failedPrice'] as const
type Shown = Readonly<Record<(typeof shown)[number], string | number>>
const figures = (record: Record<string, unknown> | Shown) => shown.map((name) => String(Reflect.get(record, name)))
const hasLines = ({lines}: Record<string, string>) => lines !== '0'
const weekday = (day = '') => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

describe('every figure of a page is that of the summary as text', () => {
  const property = (check: (lines: Line[]) => void) =>
    fc.assert(
      fc.property(fc.array(line, {maxLength: 120}), (lines) => check(lines)),
      {numRuns: 40},
    )

  test('totals, days and hours', () => {
    property((lines) => {
      const page = toPage(lines)
      const {total = {}, groups} = toText(['day'], lines)

      expect(figures(page.totals)).toEqual(figures(total))
      expect([page.totals.batches, page.totals.taxCharged, page.totals.commission].map(String)).toEqual(
        ['batches', 'taxCharged', 'commission'].map((name) => total[name]),
      )
      expect(page.days.map((day) => [day.day, ...figures(day)])).toEqual(
        groups.filter(({day}) => day !== 'null').map((group) => [group['day'], ...figures(group)]),
      )
      expect(page.undated && figures(page.undated)).toEqual(groups.filter(({day}) => day === 'null').map(figures)[0])
    })
  })

  test('each hour of a week is the sum of that hour on its days', () => {
    property((lines) => {
      const {heat} = toPage(lines)

      for (const cell of heat) {
        const those = lines.filter(({'lineItem.occurredAtLocalTime': time}) => {
          const text = String(time ?? '')
          return weekday(text.slice(0, 10)) === cell.weekday && Number(text.slice(11, 13)) === cell.hour
        })
        expect(figures(cell)).toEqual(figures(toText(['hour'], those).groups[0] ?? {}))
      }
      const hours = lines.flatMap(({'lineItem.occurredAtLocalTime': time}) =>
        time ? [weekday(String(time).slice(0, 10)) * 24 + Number(String(time).slice(11, 13))] : [],
      )
      expect(heat.map((cell) => cell.weekday * 24 + cell.hour)).toEqual(
        [...new Set(hours)].sort((one, other) => one - other),
      )
    })
  })

  test.for([
    ['sites', 'site', 'siteId'],
    ['machines', 'machine', 'machineId'],
    ['products', 'product', 'productId'],
  ] as const)('%s, largest first, and all others together', ([list, by, idName]) => {
    property((lines) => {
      const {groups, count, others} = toPage(lines)[list]
      const all = toText([by], lines).groups.filter(hasLines)
      const of = new Map(all.map((group) => [group[idName], figures(group)]))
      const listed = new Set(groups.map(({id}) => String(id)))
      const rest = lines.filter((each) => !listed.has(String(each[by === 'product' ? 'lineItem.productId' : idName])))

      expect(count).toBe(all.length)
      expect(groups).toHaveLength(Math.min(count, topGroups))
      for (const group of groups) expect(figures(group)).toEqual(of.get(String(group.id)))
      expect(groups.map(({totalPrice}) => Number(totalPrice))).toEqual(
        all
          .map(({totalPrice}) => Number(totalPrice))
          .sort((one, other) => other - one)
          .slice(0, topGroups),
      )
      expect(others && figures(others)).toEqual(count > topGroups ? figures(toText([by], rest).total ?? {}) : undefined)
    })
  })
})

describe('a page', () => {
  test('of nothing has no figures but zeros', () => {
    const page = toPage([])

    expect(page).toMatchObject({title: 'Transactions', days: [], heat: [], sites: {count: 0, groups: []}})
    expect(page.totals).toMatchObject({batches: 0, lines: 0, totalPrice: '0'})
    expect(page).not.toHaveProperty('range')
  })

  test.for([
    [{range: {from: '2024-07-01T00:00:00', to: '2024-07-31T23:59:59.999'}}, 'Transactions 2024-07-01 … 2024-07-31'],
    [{range: {from: '2024-07-01', to: '2024-07-01'}, filters: ['--site 1']}, 'Transactions 2024-07-01 --site 1'],
    [{filters: [`--machine ${'5001,'.repeat(50)}`]}, 'Transactions'],
  ] as const)('with %j is titled %s', ([given, title]) => {
    expect(toPageData(createPageSummary(true), {...facts, ...given}).title).toBe(title)
  })
})

const sold = (day: string) => ({
  ...{id: 'B1', siteId: 1, machineId: 1, 'lineItem.productId': 1, 'lineItem.vendWasSuccessful': true},
  ...{'lineItem.occurredAtLocalTime': `${day}T08:00:00`, 'lineItem.totalPrice': '1'},
})

test('machines with failed vends come most first, and others not at all', () => {
  const failed = [1, 2, 3, 2, 4, 3, 2].map((machineId) => ({
    ...{...sold('2024-02-01'), machineId, 'lineItem.vendWasSuccessful': machineId === 4},
  }))

  const {count, groups} = toPage(failed).failed

  expect([count, groups.map(({id, failedLines}) => [id, failedLines])]).toEqual([
    3,
    [
      ['2', 3],
      ['3', 2],
      ['1', 1],
    ],
  ])
})

test.for<[string, Partial<PageFacts>, boolean[]]>([
  ['no known range', {}, [false, false, false]],
  ['whole days', {range: {from: '2024-02-01T00:00:00', to: '2024-02-03T23:59:59'}}, [false, false, false]],
  ['days by name', {range: {from: '2024-02-01', to: '2024-02-04'}}, [false, false, false]],
  ['a late start', {range: {from: '2024-02-01T00:00:01', to: '2024-02-04T00:00:00'}}, [true, false, false]],
  ['an early end', {range: {from: '2024-02-01T00:00:00', to: '2024-02-03T23:59:58'}}, [false, false, true]],
  ['a time at which the last day is over everywhere', {generatedAt: '2024-02-04T12:00:00Z'}, [false, false, false]],
  ['a time at which it is not', {generatedAt: '2024-02-04T11:59:59Z'}, [false, false, true]],
])('of %s, days that it has in part are marked', ([_, given, parts]) => {
  const summary = createPageSummary(true)
  for (const day of ['2024-02-01', '2024-02-02', '2024-02-03']) summary.add(toLine(summary.fields, sold(day)))

  const {days} = toPageData(summary, {...facts, ...given})

  expect(days.map(({isPart = false}) => isPart)).toEqual(parts)
})

test('an empty name of a table is none, as in JSON', () => {
  const names = (productName: string | null) => {
    const one = {id: 'B1', siteId: 1, 'lineItem.productId': '', 'lineItem.productName': productName}
    const at = {'lineItem.occurredAtLocalTime': '2024-02-01T08:00:00', 'lineItem.totalPrice': '1'}
    const {products, title} = toPage([{...one, ...at}])
    return [title, products.groups.map(({id, name}) => [id, name])]
  }

  expect(names('')).toEqual(['Transactions 2024-02-01', [[null, null]]])
  expect(names(null)).toEqual(names(''))
})
