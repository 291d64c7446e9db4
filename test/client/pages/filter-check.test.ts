import fc from 'fast-check'
import {expect, test} from 'vitest'

import {createFilterCheck, fieldsOfFilters, valueAt} from '../../../src/client/filter-check.js'
import type {FilterValues} from '../../../src/client/types.js'
import {type ReadId, readOperation} from '../../../src/contract/index.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {createTestClient, failureOf, meetVendor, readAll} from '../../support/client.js'
import {paged, reply, startVendor} from '../../support/vendor.js'

const big = parseJson('9007199254740993') as never

type Row = [id: ReadId, filters: FilterValues, record: JsonRecord, violated: string | undefined]

const rows: Row[] = [
  ['machines.list', {siteIds: [7]}, {id: 1, siteId: 7}, undefined],
  ['machines.list', {siteIds: [7]}, {id: 1, siteId: 8}, 'siteIds'],
  ['machines.list', {siteIds: [7]}, {id: 1, siteId: null}, undefined],
  ['machines.list', {siteIds: [7]}, {id: 1}, undefined],
  ['machines.list', {siteIds: [big]}, {siteId: big}, undefined],
  ['machines.list', {siteIds: [9007199254740992]}, {siteId: big}, 'siteIds'],
  ['machines.list', {organizationIds: [1], siteIds: [7]}, {organizationId: 2, siteId: 7}, 'organizationIds'],
  ['machines.list', {accountIds: [1]}, {accountId: 2}, undefined],
  ['machines.list', {machineIdentifiers: ['12']}, {id: 12, prose: 'VK1'}, undefined],
  ['machines.list', {machineIdentifiers: ['VK1']}, {id: 12, prose: 'VK1'}, undefined],
  ['machines.list', {machineIdentifiers: ['vk1 ']}, {id: 12, prose: 'VK1'}, undefined],
  ['machines.list', {machineIdentifiers: ['VK2']}, {id: 12, prose: 'VK1'}, 'machineIdentifiers'],
  ['machines.list', {includeDeleted: true}, {id: 12}, undefined],
  ['sites.list', {organizationIds: [4]}, {id: 1, orgId: 5}, 'organizationIds'],
  ['alerts.list', {alertIds: [4, 5]}, {id: 5}, undefined],
  ['alerts.list', {alertIds: [4, 5]}, {id: 6}, 'alertIds'],
  ['alerts.list', {alertCodes: ['NS']}, {code: 'DOOR'}, 'alertCodes'],
  ['alerts.list', {machineIdentifiers: ['VK9']}, {machineId: 4, machineProse: 'VK9'}, undefined],
  ['alerts.list', {StartDate: '2024-07-10'}, {raisedAt: '2024-07-08T22:00:00'}, undefined],
  ['alerts.list', {StartDate: '2024-07-10'}, {raisedAt: '2024-07-08T21:59:59'}, 'StartDate'],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: '2024-07-12T01:59:59.9'}, undefined],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: '2024-07-12T02:00:01'}, 'EndDate'],
  ['alerts.list', {EndDate: '2024-07-10T12:00:00'}, {raisedAt: '2024-07-11T14:00:01'}, 'EndDate'],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: 'soon'}, undefined],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: ' 2024-08-10T00:00:00'}, undefined],
  ['alerts.list', {EndDate: '2023-02-27T22:00:00'}, {raisedAt: '2023-02-29T00:00:01'}, 'EndDate'],
  ['reports.transactions', {transactionIdentifiers: ['B1']}, {id: 'B1'}, undefined],
  ['reports.transactions', {transactionIdentifiers: ['B1']}, {id: 'B2'}, 'transactionIdentifiers'],
  ['reports.transactions', {machineIdentifiers: ['12']}, {machineId: 12}, undefined],
  ['machines.list', {siteIds: []}, {id: 1, siteId: 8}, undefined],
  ['machines.list', {siteIds: null}, {id: 1, siteId: 8}, undefined],
  ['machines.list', {siteIds: 7}, {siteId: 7}, undefined],
  ['machines.list', {siteIds: 7}, {siteId: 8}, 'siteIds'],
  ['machines.list', {siteIds: [7]}, {SITEID: 8}, 'siteIds'],
  ['machines.list', {siteIds: [7]}, {siteId: ' 7 '}, undefined],
  ['machines.list', {organizationIds: [1], siteIds: [7]}, {organizationId: 1, siteId: 8}, 'siteIds'],
  ['machines.list', {machineIdentifiers: ['VK1']}, {id: null, prose: 'VK2'}, 'machineIdentifiers'],
  ['machines.list', {machineIdentifiers: ['VK1']}, {}, undefined],
  ['alerts.list', {StartDate: 'soon'}, {raisedAt: '2024-07-10'}, undefined],
  ['alerts.list', {StartDate: '2024-07-10'}, {raisedAt: '2024-07-09'}, undefined],
  ['alerts.list', {StartDate: '2024-07-10'}, {raisedAt: '2024-07-07'}, 'StartDate'],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: '2024-07-12'}, undefined],
  ['alerts.list', {EndDate: '2024-07-10'}, {raisedAt: '2024-07-13'}, 'EndDate'],
  ['alerts.list', {StartDate: '2024-07-10T00:00:00'}, {raisedAt: '2024-07-09T00:00:00+02:00'}, undefined],
  ['alerts.list', {StartDate: '2024-07-10T00:00:00'}, {raisedAt: '2024-07-08T23:59:59+02:00'}, 'StartDate'],
  ['alerts.list', {StartDate: '2024-07-10T00:00:00'}, {raisedAt: '2024-07-08T23:59:59+0200'}, 'StartDate'],
  ['alerts.list', {StartDate: '2024-07-10T00:00:00Z'}, {raisedAt: '2024-07-08T21:59:59z'}, 'StartDate'],
  ['alerts.list', {StartDate: '9999-12-31'}, {raisedAt: '2024-07-08T21:59:59'}, 'StartDate'],
]

test.each(rows)('%s %j with %j', (id, filters, record, violated) => {
  expect(createFilterCheck(readOperation(id), filters)(record)?.filter).toBe(violated)
})

test('a violation names the first field that the record carries, and its value as it came', () => {
  const check = createFilterCheck(readOperation('machines.list'), {machineIdentifiers: ['VK1']})

  expect(check({id: big, prose: 'VK2'})).toEqual({
    filter: 'machineIdentifiers',
    field: expect.stringMatching(/^(id|prose)$/),
    value: expect.stringMatching(/^(9007199254740993|VK2)$/),
  })
  expect(check({prose: 'VK2'})).toEqual({filter: 'machineIdentifiers', field: 'prose', value: 'VK2'})
})

test('ids of machines count for identifiers of machines, and for no other filter', () => {
  const operation = readOperation('reports.transactions')

  expect(createFilterCheck(operation, {machineIdentifiers: ['VK1']}, ['31'])({machineId: 31})).toBeUndefined()
  expect(createFilterCheck(operation, {transactionIdentifiers: ['B1']}, ['31'])({id: '31'})).toMatchObject({
    filter: 'transactionIdentifiers',
  })
})

test('the fields that show filters come once, after the one that names the record', () => {
  const fields = fieldsOfFilters(readOperation('machines.list'), {machineIdentifiers: ['1'], siteIds: [2]})

  expect(fields[0]).toBe('id')
  expect(fields).toContain('siteId')
  expect(new Set(fields).size).toBe(fields.length)
  expect(fieldsOfFilters(readOperation('machines.list'), {includeDeleted: true})).toEqual([])
})

test('a field within a field is found whatever the case of the names', () => {
  expect(valueAt({A: {b: {C: 3}}}, 'a.B.c')).toBe(3)
  expect(valueAt({a: 1}, 'a.b')).toBeUndefined()
  expect(valueAt({a: null}, 'a.b')).toBeUndefined()
})

test('times far from an edge and times near it are judged alike, days that do not exist too', () => {
  const bound = Date.parse('2024-03-10T12:00:00Z')
  const slack = 26 * 3_600_000
  const text = fc
    .tuple(fc.integer({min: -10 * 86_400, max: 10 * 86_400}), fc.constantFrom('', '.5', '.123456'))
    .map(([seconds, fraction]) => new Date(bound + seconds * 1_000).toISOString().slice(0, 19) + fraction)
  const odd = fc.constantFrom(
    '2024-02-31T00:00:00',
    '2024-03-08T24:00:00',
    '2024-13-01T00:00:00',
    '2024-03-11T14:00:00',
  )

  fc.assert(
    fc.property(fc.oneof(text, odd), fc.constantFrom('StartDate' as const, 'EndDate' as const), (raisedAt, key) => {
      const check = createFilterCheck(readOperation('alerts.list'), {[key]: '2024-03-10T12:00:00'})
      const time = Date.parse(`${raisedAt}Z`)
      const isWrong = key === 'StartDate' ? time < bound - slack : time > bound + slack

      expect(check({raisedAt}) !== undefined).toBe(isWrong)
    }),
    {numRuns: 1_000},
  )
})

test('a service that loses the filter is caught at the first wrong record', async () => {
  const {client} = await meetVendor((socket) => {
    socket.write(reply(200, '[{"id":1,"siteId":7},{"id":2,"siteId":8}]', paged(1, 2000, 1)))
  })

  const failure = await failureOf(readAll(client, 'machines.list', {siteIds: [7]}))

  expect(failure).toMatchObject({exit: 'incomplete', code: 'FILTER_NOT_HONOURED'})
  expect(failure.message).toContain('the filter siteIds was not honoured: record 2 has siteId 8')
  expect(failure.hints.join()).toContain('readMethod=POST')
})

test('takes what comes when it is told not to check', async () => {
  const {client} = await meetVendor((socket) => socket.write(reply(200, '[{"id":2,"siteId":8}]', paged(1, 1, 1))))

  const pages = client.readPages('machines.list', {filters: {siteIds: [7]}, skipFilterCheck: true})

  expect([...((await pages.next()).value?.records ?? [])]).toEqual([{id: 2, siteId: 8}])
})

/** Transactions of two machines on each of two pages, and a list of machines. */
function startReport(machines: string) {
  return startVendor((socket, {path, headers}) => {
    const body = path.endsWith('/machines') ? machines : '[{"id":"B1","machineId":12},{"id":"B2","machineId":31}]'
    socket.write(reply(200, body, paged(Number(headers['page']), 2, path.endsWith('/machines') ? 1 : 2)))
  })
}

test('asks once which machines the serials name, and only then', async () => {
  await using vendor = await startReport('[{"id":31,"prose":"VK31"}]')
  const {client} = createTestClient(vendor.url)

  const records = await readAll(client, 'reports.transactions', {machineIdentifiers: ['12', 'VK31']})

  expect(records).toHaveLength(4)
  expect(vendor.seen.map(({path}) => path)).toEqual([
    '/v2.1/reports/transactions',
    '/v2.1/machines',
    '/v2.1/reports/transactions',
  ])
  expect(vendor.seen[1]?.body).toContain('"machineIdentifiers":["12","VK31"]')
})

test.each(['[{"id":12,"prose":"VK12"}]', '[{"id":12,"prose":"VK12"},{"id":99,"prose":"VK99"}]'])(
  'transactions of a machine that no serial names are a lost filter: %s',
  async (machines) => {
    await using vendor = await startReport(machines)
    const {client} = createTestClient(vendor.url)

    const failure = await failureOf(readAll(client, 'reports.transactions', {machineIdentifiers: ['12', 'VK12']}))

    expect(failure).toMatchObject({code: 'FILTER_NOT_HONOURED', message: expect.stringContaining('machineId 31')})
    expect(vendor.seen).toHaveLength(2)
  },
)

test('asks nothing more when every machine was asked for by its id', async () => {
  await using vendor = await startReport('[]')
  const {client} = createTestClient(vendor.url)

  await readAll(client, 'reports.transactions', {machineIdentifiers: ['12', '31']})

  expect(vendor.seen).toHaveLength(2)
})
