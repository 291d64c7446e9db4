import {describe, expect, test} from 'vitest'
import type {Page, ReadRequest} from '../../../src/client/types.js'
import {writeOperation} from '../../../src/contract/index.js'
import {compareRecords, toComparable, toEffect} from '../../../src/runs/plan/compare-rows.js'
import {mergePlan} from '../../../src/runs/plan/merge-plan.js'
import type {PlannedRow} from '../../../src/runs/rows/cut-sets.js'
import {batchOf, checkedRows, type Matched, unmatchedRows} from '../../../src/runs/rows/phases.js'
import {nameOf} from '../../../src/runs/rows/row-content.js'
import type {JsonRecord} from '../../../src/values/json.js'

const rowsOf = (...records: JsonRecord[]): PlannedRow[] => records.map((record, index) => ({line: index + 2, record}))
const planOf = (rows: PlannedRow[]): Matched =>
  unmatchedRows(checkedRows({...batchOf('sites.update', 'a.csv', rows), merges: true}))
const currentOf = (...records: JsonRecord[]) => new Map(records.map((record) => [String(record['id']), record]))

/** A service that has these records, all on one page. */
function readerOf(...records: JsonRecord[]) {
  const asked: unknown[] = []
  async function* readPages(_id: string, {filters}: ReadRequest): AsyncGenerator<Page, void, void> {
    asked.push(...Object.values(filters))
    const page: Partial<Page> = {number: 1, size: 2_000, totalPages: 1, count: records.length, served: {}, records}
    yield page as Page
  }
  return {readPages, asked}
}

describe('rows and current records', () => {
  const sites = [
    {id: 1, name: 'One', timeZone: 'UTC', isEnabled: true},
    {id: 2, name: 'Two', timeZone: null},
  ]

  test('differ in what is sent; a full replace sets to null what is left out, and a row without an id is new', () => {
    const rows = rowsOf({id: 1, name: 'Eins'}, {id: 2, name: 'Two'}, {id: 3, name: 'Three'}, {name: 'nameless'})

    expect(compareRecords('sites.update', rows, currentOf(...sites))).toEqual({
      changes: [
        {line: 2, id: 1, name: 'One', field: 'name', from: 'One', to: 'Eins'},
        {line: 2, id: 1, name: 'One', field: 'timeZone', from: 'UTC', to: null},
        {line: 5, id: null, name: 'nameless', field: 'created', from: false, to: true},
      ],
      missing: [{line: 4, id: 3}],
      unchanged: 1,
    })
  })
})

test.each<[JsonRecord, string | undefined]>([
  [{name: 'Quay', code: 'CJ', machineProse: 'M 1'}, 'Quay'],
  [{code: 'CJ', machineProse: 'M 1'}, 'CJ M 1'],
  [{code: 'CJ'}, 'CJ'],
  [{machineProse: 'M 1'}, 'M 1'],
  [{name: 7, machineProse: 'M 1'}, undefined],
  [{id: 1}, undefined],
])('%j is called %j', (record, name) => {
  expect(nameOf(record)).toEqual(name === undefined ? {} : {name})
})

describe('of an alert', () => {
  const update = writeOperation('alerts.update')
  const clear = writeOperation('alerts.clear')
  const time = '2024-07-30T18:07:05'
  const later = '2024-07-31T00:00:00'

  test.each<[JsonRecord, JsonRecord]>([
    [{id: 1, clearedAtServerTime: time, clearedAt: later}, {clearedAt: time}],
    [{id: 1, ClearedAtServerTime: time}, {clearedAt: time}],
    [{id: 1, clearedAt: later}, {clearedAt: later}],
    [{id: 1, clearedAtServerTime: null, clearedAt: later}, {clearedAt: later}],
    [{id: 1, clearedAtServerTime: null}, {clearedAt: null}],
  ])('%j the server time is compared', (record, expected) => {
    expect(toComparable(record, update)).toMatchObject({id: 1, ...expected})
  })

  test.each<[JsonRecord, JsonRecord]>([
    [
      {id: 1, clearedAt: time},
      {id: 1, clearedAt: time, isCleared: true},
    ],
    [{id: 1, clearedAt: null}, {id: 1}],
    [
      {id: 1, message: 'x'},
      {id: 1, message: 'x'},
    ],
  ])('%j, when it is sent, becomes %j', (sent, effect) => {
    expect(toEffect(sent, update)).toEqual(effect)
  })

  test('that is cleared nothing else is said', () => {
    expect(toEffect({id: 1}, clear)).toEqual({id: 1, isCleared: true})
    expect(
      compareRecords('alerts.clear', rowsOf({id: 1}, {id: 2}), currentOf({id: 1, isCleared: true}, {id: 2})),
    ).toMatchObject({unchanged: 1, changes: [{line: 3, id: 2, field: 'isCleared', from: null, to: true}]})
  })

  test('other records are compared as they are', () => {
    const site = {id: 1, clearedAt: time, clearedAtServerTime: later}

    expect(toComparable(site, writeOperation('sites.update'))).toBe(site)
    expect(toEffect(site, writeOperation('sites.update'))).toBe(site)
  })
})

describe('a plan that is laid over current records', () => {
  const long = 'x'.repeat(301)
  const full = (id: number, more: JsonRecord = {}): JsonRecord => ({
    ...{id, name: `S${id}`, accountId: 7, contact: null, commissionTerms: 'Net10', commissionPercentage: 1},
    ...{maxChargePrice: 5, timeZone: 'UTC', billingAddress: 'b', shippingAddress: 's', externalAccountTerminalId: 'e'},
    ...{chargeKeyId: 1, orgId: 3, isActive: true, maximumMeterSalesJumpAllowed: 9, ...more},
  })
  const noticesOf = async (given: JsonRecord[], ...current: JsonRecord[]) =>
    (await mergePlan(planOf(rowsOf(...given)), {client: readerOf(...current), sendUnchanged: false})).notices

  test('names a record by its id as the service gave it', async () => {
    const current = {id: '7', machineId: 5, type: 'Config', settings: 'a', isActive: true, isCurrent: true}
    const rows = rowsOf({id: 7, machineId: 5, type: 'Config', settings: 'b'})

    const plan: Matched = {...planOf(rows), operation: 'machines.settings.set'}
    const merged = await mergePlan(plan, {client: readerOf(current), sendUnchanged: false})

    expect(merged.problems).toEqual([])
    expect(merged.rows.at(0)?.record).toMatchObject({id: '7', settings: 'b'})
    expect(merged.comparison.changes.map(({field}) => field)).toEqual(['settings'])
  })

  test('says how many records hold what the contract does not allow, with the first of them', async () => {
    const given = [1, 2].map((id) => ({id, name: 'new'}))
    const odd = (id: number) => full(id, {billingAddress: long})

    expect(await noticesOf([{id: 1, name: 'new'}], odd(1))).toEqual([
      expect.stringMatching(
        /^billingAddress of record 1 does not match the contract \(.+\); it is sent back unchanged$/,
      ),
    ])
    expect(await noticesOf(given, odd(1), odd(2))).toEqual([
      expect.stringMatching(/^billingAddress of 2 records, such as 1, does not match the contract \(.+\); it is/),
    ])
    expect(await noticesOf([{id: 1, billingAddress: 'new'}], odd(1))).toEqual([])
  })

  test('says nothing of the service when none of its records was found', async () => {
    expect(await noticesOf([{id: 9, name: 'new'}])).toEqual([])
  })

  test('says of a required field that the service did not return it, and no more', async () => {
    const {name: _, ...nameless} = full(1)

    expect(await noticesOf([{id: 1, maxChargePrice: 6}], nameless)).toEqual([
      'name of record 1 does not match the contract (the service did not return it); it is sent back unchanged',
    ])
  })
})
