import {describe, expect, test} from 'vitest'
import {createSummary, toGroupRecords} from '../../../src/reports/summary/count-lines.js'
import {BatchSet} from '../../../src/reports/summary/grouping.js'
import type {SummaryLine} from '../../../src/reports/summary/line-cells.js'
import {summaryColumns, summaryFields} from '../../../src/reports/summary/summary-fields.js'
import type {SummaryKey} from '../../../src/reports/summary/summary-keys.js'
import {createFieldCheck} from '../../../src/reports/summary/summary-lines.js'
import {type JsonRecord, printJson} from '../../../src/values/json.js'
import {toRecords} from '../../support/odd-records.js'

type Given = Record<string, string | number | boolean | null>

function line(given: Given): Given {
  return {
    id: 'B1',
    siteId: 1,
    siteName: 'One',
    machineId: 5,
    machineName: 'Five',
    'lineItem.productId': 8,
    'lineItem.productName': 'Cola',
    'lineItem.occurredAtLocalTime': '2024-07-30T18:07:05',
    'lineItem.vendWasSuccessful': true,
    'lineItem.quantity': 1,
    'lineItem.totalPrice': '1.50',
    'lineItem.taxCharged': '0.15',
    'lineItem.commission': 0,
    ...given,
  }
}

function summarize(by: SummaryKey[], given: readonly Given[], isMixed = true) {
  const summary = createSummary([by], {isMixed})
  for (const each of given) summary.add(summary.fields.map((field) => line(each)[field]) as SummaryLine)
  return {
    missing: summary.missing,
    groups: () => toGroupRecords(summary.groupings().flat()),
    total: () => summary.total().toRecord(),
  }
}

const print = (records: readonly JsonRecord[]) => records.map((record) => JSON.parse(printJson(record)))

test.for([
  ['2020-12-31', '2020-W53'],
  ['2021-01-03', '2020-W53'],
  ['2021-01-04', '2021-W01'],
  ['2024-12-29', '2024-W52'],
  ['2024-12-30', '2025-W01'],
  ['2026-12-31', '2026-W53'],
])('%s is in week %s', ([day, week]) => {
  const summary = summarize(['week'], [{'lineItem.occurredAtLocalTime': `${day}T12:00:00`}])

  expect(summary.groups()).toMatchObject([{week}])
})

describe('a summary', () => {
  test('has exact totals, and lines that failed apart', () => {
    const summary = summarize(['day'], [{}, {'lineItem.totalPrice': '0.10'}, {'lineItem.vendWasSuccessful': 'FALSE'}])

    expect(printJson(summary.groups())).toBe(
      '[{"day":"2024-07-30","batches":1,"lines":3,"failedLines":1,"quantity":2,"totalPrice":1.60,"taxCharged":0.30,"commission":0,"failedPrice":1.50}]',
    )
  })

  test.for([
    ['day', [{day: '2024-07-29'}, {day: '2024-07-30'}]],
    ['hour', [{hour: 0}, {hour: 18}]],
    ['week', [{week: '2024-W31'}]],
    ['month', [{month: '2024-07'}]],
    [
      'site',
      [
        {siteId: 1, siteName: 'One'},
        {siteId: 10, siteName: 'Ten'},
      ],
    ],
    [
      'machine',
      [
        {machineId: 5, machineName: 'Five'},
        {machineId: 50, machineName: null},
      ],
    ],
    [
      'product',
      [
        {productId: 8, productName: 'Cola'},
        {productId: null, productName: 'Nameless'},
      ],
    ],
  ] as const)('by %s is in order', ([by, expected]) => {
    const other = {
      siteId: '10',
      siteName: 'Ten',
      machineId: 50,
      machineName: null,
      'lineItem.productId': null,
      'lineItem.productName': 'Nameless',
      'lineItem.occurredAtLocalTime': '2024-07-29 00:59:59.999',
    }

    const groups = print(summarize([by], [other, {}]).groups())

    expect(groups).toMatchObject(expected)
    expect(groups.map((group) => Object.keys(group))).toEqual(
      expected.map(() => summaryColumns([by]).map(({name}) => name)),
    )
  })

  test('by several is one group for each combination', () => {
    const groups = print(
      summarize(['site', 'day'], [{}, {siteId: 2}, {'lineItem.occurredAtLocalTime': '2024-07-29T00:00:00'}]).groups(),
    )

    expect(groups.map(({siteId, day}) => [siteId, day])).toEqual([
      [1, '2024-07-29'],
      [1, '2024-07-30'],
      [2, '2024-07-30'],
    ])
  })

  test('takes a number of JSON and a text of CSV for one group, and ids apart by their last digit', () => {
    expect(summarize(['site'], [{siteId: 1}, {siteId: '1'}]).groups()).toHaveLength(1)
    expect(summarize(['site'], [{siteId: '12345678901234567'}, {siteId: '12345678901234568'}]).groups()).toHaveLength(2)
  })

  test('counts a batch once in each group and once in all, also when its lines stand apart', () => {
    const mixed = [{id: 'B1'}, {id: 'B2'}, {id: 'B1'}, {id: 'B1', 'lineItem.productId': 9}, {id: 'B10'}]

    const summary = summarize(['product'], mixed)

    expect(print(summary.groups()).map(({productId, batches}) => [productId, batches])).toEqual([
      [8, 3],
      [9, 1],
    ])
    expect(summary.total()).toMatchObject({batches: 3, lines: 5})
  })

  test('needs no set of ids where each batch comes once', () => {
    const summary = summarize(
      ['product'],
      [{id: 'B1'}, {id: 'B1', 'lineItem.productId': 9}, {id: 'B1'}, {id: 'B2'}],
      false,
    )

    expect(summary.total()).toMatchObject({batches: 2, lines: 4})
    expect(print(summary.groups()).map(({batches}) => batches)).toEqual([2, 1])
  })

  test('counts a batch without line items, and no line of it', () => {
    const empty = Object.fromEntries(
      summaryFields(['day'])
        .filter((field) => field !== 'id')
        .map((field) => [field, '']),
    )

    expect(print(summarize(['day'], [{...empty, id: 'B7'}]).groups())).toMatchObject([
      {day: null, batches: 1, lines: 0},
    ])
  })

  test('adds its groups up', () => {
    const summary = summarize(['site'], [{siteId: 1}, {siteId: 2, 'lineItem.totalPrice': '10.1'}])

    expect(printJson(summary.total())).toBe(
      '{"batches":1,"lines":2,"failedLines":0,"quantity":2,"totalPrice":11.60,"taxCharged":0.30,"commission":0,"failedPrice":0}',
    )
  })

  test('says which values are missing from its totals', () => {
    const summary = summarize(['day'], [{'lineItem.commission': null}, {'lineItem.commission': ''}])

    expect([...summary.missing]).toEqual([['lineItem.commission', 2]])
  })

  test.for([
    [{'lineItem.totalPrice': '1,50'}, 'no number in lineItem.totalPrice'],
    [{'lineItem.occurredAtLocalTime': '7/30/2024 18:07'}, 'no time in lineItem.occurredAtLocalTime'],
    [{'lineItem.vendWasSuccessful': 'yes'}, 'neither true nor false in lineItem.vendWasSuccessful'],
  ] as const)('refuses %j', ([given, message]) => {
    expect(() => summarize(['day'], [given])).toThrow(message)
  })
})

describe('lines of records', () => {
  test.for([
    ['{"id": "B1", "lineItem": {"totalPrice": null}}', []],
    ['{"id": "B1", "lineItems": []}', []],
    ['{"id": "B1", "lineItem": null}', []],
    ['{"lineItem": null}', ['id']],
    ['{"lineItems": [{}]}', ['id', 'lineItem.totalPrice']],
    ['{"id": 5001, "name": "a machine"}', ['lineItem.totalPrice']],
  ] as const)('of %s lack %j', ([text, missing]) => {
    const [record] = toRecords(text)

    expect(createFieldCheck(['id', 'lineItem.totalPrice'])(record as JsonRecord)).toEqual(missing)
  })
})

test('lines of many batches that lie apart are counted once each', () => {
  const batches = Array.from({length: 20}, (_, index) => `B${index}`)
  const set = new BatchSet()

  expect(batches.every((batch) => set.add(batch, true))).toBe(true)
  expect(batches.some((batch) => set.add(batch, true))).toBe(false)
})
