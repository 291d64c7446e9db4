import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import type {FilterValues} from '../../src/client/types.js'
import {type ReadId, readIds} from '../../src/contract/index.js'
import {printJson} from '../../src/values/json.js'
import {createTestClient, readAll} from '../support/client.js'

/** Written by hand from the specification: what is sent and what comes back, byte for byte. */
type Pair = {
  id: ReadId
  filters: FilterValues
  path: string
  /** Of the page that is asked for; 2000 unless given. */
  size?: number
  sent: string
  answer: string
  /** The records, where the answer has another form. */
  records?: string
}

const pairs: Pair[] = [
  {
    id: 'organizations.list',
    filters: {organizationIds: [4, 9007199254740991]},
    path: '/v2.1/organizations',
    sent: '{"requestFilter":{"organizationIds":[4,9007199254740991]},"routeFilter":{},"body":[]}',
    answer: '[{"id":4,"name":"Nordlicht Vending","timeZone":null,"isEnabled":true}]',
  },
  {
    id: 'accounts.list',
    filters: {organizationIds: [4], accountIds: [17]},
    path: '/v2.1/accounts',
    sent: '{"requestFilter":{"organizationIds":[4],"accountIds":[17]},"routeFilter":{},"body":[]}',
    answer: '[{"id":17,"organizationId":4,"name":"Harbour, \\"North\\"","externalId":"0017","isEnabled":true}]',
  },
  {
    id: 'sites.list',
    filters: {siteIds: [3], includeDeleted: true},
    path: '/v2.1/sites',
    sent: '{"requestFilter":{"siteIds":[3],"includeDeleted":true},"routeFilter":{},"body":[]}',
    answer: '[{"id":3,"accountId":17,"orgId":4,"name":"Ferry Quay","contact":{"firstName":null},"maxChargePrice":500}]',
  },
  {
    id: 'machines.list',
    filters: {machineIdentifiers: ['11', 'VK100000012']},
    path: '/v2.1/machines',
    sent: '{"requestFilter":{"machineIdentifiers":["11","VK100000012"]},"routeFilter":{},"body":[]}',
    answer: '[{"id":11,"prose":"VK100000011","taxPercentage":8.250},{"id":12,"prose":"VK100000012","taxPercentage":0}]',
  },
  {
    id: 'alerts.list',
    filters: {StartDate: '2024-07-01', EndDate: '2024-07-30T23:59:59', alertIds: [5], alertCodes: ['NS']},
    path: '/v2.1/alerts',
    sent: '{"requestFilter":{"StartDate":"2024-07-01","EndDate":"2024-07-30T23:59:59"},"routeFilter":{"alertIds":[5],"alertCodes":["NS"]},"body":[]}',
    answer: '[{"id":5,"code":"NS","message":"No sales","raisedAt":"2024-07-12T08:00:00","isCleared":false}]',
  },
  {
    id: 'alerts.codes',
    filters: {},
    path: '/v2.1/alerts/codes',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[]}',
    answer: '[{"id":1,"code":"NS","description":"No sales","onlyOneExists":true,"uiClearOnly":false}]',
  },
  {
    id: 'reports.transactions',
    filters: {siteIds: [3], StartDate: '2024-07-01', EndDate: '2024-07-31', transactionIdentifiers: ['B1467']},
    path: '/v2.1/reports/transactions',
    sent: '{"requestFilter":{"siteIds":[3],"StartDate":"2024-07-01","EndDate":"2024-07-31"},"routeFilter":{"transactionIdentifiers":["B1467"]},"body":[]}',
    answer:
      '[{"id":"B1467","recordedAtUtc":"2024-07-30T18:07:05.477","siteId":3,"totalPrice":10.10,"lineItems":[{"id":9007199254740993,"unitPrice":1.50}],"paymentInformation":{"type":"A "}}]',
  },
  {
    id: 'selections.list',
    filters: {machineIdentifiers: ['11'], selectionIds: [5], includeDeleted: true},
    path: '/v2.1/selections',
    sent: '{"requestFilter":{"machineIdentifiers":["11"],"selectionIds":[5],"includeDeleted":true},"routeFilter":{},"body":[]}',
    answer:
      '[{"id":5,"machineId":11,"selectionNumber":6,"price":1.50,"count":3},{"id":5,"machineId":11,"selectionNumber":"A6","price":0.10}]',
    records:
      '[{"id":5,"machineId":11,"selectionNumber":"6","price":1.50,"count":3},{"id":5,"machineId":11,"selectionNumber":"A6","price":0.10}]',
  },
  {
    id: 'templates.list',
    filters: {organizationIds: [2]},
    path: '/v2.1/templates',
    sent: '{"requestFilter":{"organizationIds":[2]},"routeFilter":{},"body":[]}',
    answer: '[{"id":412,"name":"Snacks","colour":"red"}]',
  },
  {
    id: 'templates.selections',
    filters: {templateIds: [412, 413]},
    path: '/v2.1/template-selections',
    sent: '{"requestFilter":{},"routeFilter":{"templateIds":[412,413]},"body":[]}',
    answer: '[{"id":1,"templateId":412,"selectionNumber":"A1","price":1.50,"par":8,"customData1":null}]',
  },
  {
    id: 'reports.inventory',
    filters: {siteIds: [3], machineIdentifiers: ['11'], StartDate: '2024-07-01', transactionIdentifiers: ['B1467']},
    path: '/v2.1/inventory',
    size: 100,
    sent: '{"requestFilter":{"siteIds":[3],"machineIdentifiers":["11"],"StartDate":"2024-07-01"},"routeFilter":{"transactionIdentifiers":["B1467"]},"body":[]}',
    answer:
      '[{"id":"B1625","adjustmentOccurredAt":"2024-07-30T18:07:05.477","siteId":3,"machineId":"11","selection":"6","productId":"801","userId":0,"adjustmentSize":-1,"newStockLevel":7}]',
  },
  {
    id: 'reports.metadata',
    filters: {organizationIds: [2], EndDate: '2024-07-31', transactionIdentifiers: ['B1467']},
    path: '/v2.1/transactions/metadata',
    size: 100,
    sent: '{"requestFilter":{"organizationIds":[2],"EndDate":"2024-07-31"},"routeFilter":{"transactionIdentifiers":["B1467"]},"body":[]}',
    answer:
      '[{"transactionId":"B1467","recordedAtUtc":"2024-07-30T18:07:05.477","tags":["a"],"files":[],"lineItems":[{"lineItemId":9007199254740993,"tags":[]}]}]',
  },
  {
    id: 'machines.settings.list',
    filters: {machineIdentifiers: ['11']},
    path: '/v2.1/machines/settings',
    size: 50,
    sent: '{"requestFilter":{"machineIdentifiers":["11"]},"routeFilter":{},"body":[]}',
    answer: '[{"id":71,"machineId":11,"settings":"volume=3","isActive":true,"isCurrent":false,"type":"Config"}]',
  },
  {
    id: 'products.list',
    filters: {organizationIds: [2], productIds: [801]},
    path: '/v2.1/products',
    sent: '{"requestFilter":{"organizationIds":[2],"productIds":[801]},"routeFilter":{},"body":[]}',
    answer: '[{"id":801,"name":"Cola","upc":"0049000000443"}]',
  },
  {
    id: 'sessions.list',
    filters: {organizationIds: [2], StartDate: '2024-07-01', EndDate: '2024-07-31', sessionIds: [9]},
    path: '/v2.1/sessions/management',
    size: 50,
    sent: '{"requestFilter":{"organizationIds":[2],"StartDate":"2024-07-01","EndDate":"2024-07-31"},"routeFilter":{"sessionIds":[9]},"body":[]}',
    answer:
      '[{"id":9,"organizationId":2,"startedAtUtc":"2024-07-02T08:00:00","loginId":"ana","loginWasSuccessfull":true,"source":"Web"}]',
    records:
      '[{"id":9,"organizationId":2,"startedAtUtc":"2024-07-02T08:00:00","login":"ana","loginWasSuccessful":true,"source":"Web"}]',
  },
  {
    id: 'sessions.events',
    filters: {machineIdentifiers: ['PRS100001'], sessionIds: [9], sessionEventIds: [31]},
    path: '/v2.1/sessions/management/events',
    size: 50,
    sent: '{"requestFilter":{"machineIdentifiers":["PRS100001"]},"routeFilter":{"sessionIds":[9],"sessionEventIds":[31]},"body":[]}',
    answer:
      '[{"id":31,"sessionIdId":9,"eventType":"PageView","loggedAt":"2024-07-02T08:00:01","additionalData":"/home"}]',
    records: '[{"id":31,"sessionId":9,"eventType":"PageView","loggedAt":"2024-07-02T08:00:01","data":"/home"}]',
  },
  {
    id: 'roles.list',
    filters: {organizationIds: [2, 4]},
    path: '/v2.1/roles',
    size: 50,
    sent: '{"requestFilter":{"organizationIds":[2,4],"organizationsId":[2,4]},"routeFilter":{},"body":[]}',
    answer: '[{"organizationId":2,"id":1,"name":"Driver","description":"Fills machines"}]',
  },
  {
    id: 'roles.rights',
    filters: {machineIdentifiers: ['11', '12'], roleIdentifiers: ['1']},
    path: '/v2.1/roles/role-rights-at-machine',
    sent: '{"requestFilter":{"machineIdentifiers":["11","12"]},"routeFilter":{"roleIdentifiers":["1"]},"body":[]}',
    answer: '{"11":[3,7],"12":[]}',
    records: '[{"machineId":11,"rightId":3},{"machineId":11,"rightId":7}]',
  },
  {
    id: 'role-rights.list',
    filters: {organizationIds: [2], roleRightIds: [70], roleIdentifiers: ['1'], rightIds: [7]},
    path: '/v2.1/role-rights',
    size: 50,
    sent: '{"requestFilter":{"organizationIds":[2]},"routeFilter":{"roleRightIds":[70],"roleIdentifiers":["1"],"rightIds":[7]},"body":[]}',
    answer: '[{"id":70,"roleId":1,"rightId":7,"canView":true,"canEdit":false,"canExecute":false}]',
  },
]

test('every read has its literal request', () => {
  expect(pairs.map(({id}) => id).sort()).toEqual([...readIds].sort())
})

const headers = (length: number, size: number) => ({
  'x-api-key': 'KEY-canary-51f0',
  'access-token': 'TOKEN-canary-77de',
  page: '1',
  size: String(size),
  'content-type': 'application/json',
  'content-length': String(length),
})
const paging = (size: number) => ({
  'content-type': 'application/json',
  page: '1',
  size: String(size),
  'total-pages': '1',
})

beforeAll(() => nock.disableNetConnect())
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

for (const {id, filters, path, size = 2000, sent, answer, records = answer} of pairs) {
  test(`GET ${path}`, async () => {
    const reqheaders = headers(Buffer.byteLength(sent), size)
    const scope = nock('https://vendor.test', {reqheaders}).get(path).reply(200, answer, paging(size))
    const {client} = createTestClient('https://vendor.test')

    expect(printJson(await readAll(client, id, filters))).toBe(records)

    scope.done()
  })

  test(`POST ${path} when the profile reads by POST`, async () => {
    const reqheaders = headers(Buffer.byteLength(sent), size)
    const scope = nock('https://vendor.test', {reqheaders}).post(path, sent).reply(200, answer, paging(size))
    const {client} = createTestClient('https://vendor.test', {settings: {readMethod: 'POST'}})

    expect(printJson(await readAll(client, id, filters))).toBe(records)

    scope.done()
  })
}
