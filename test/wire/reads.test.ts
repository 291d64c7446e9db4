import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import type {FilterValues} from '../../src/client/types.js'
import type {ReadId} from '../../src/contract/index.js'
import {printJson} from '../../src/values/json.js'
import {createTestClient, readAll} from '../support/client.js'

/** Written by hand from the specification: what is sent and what comes back, byte for byte. */
type Pair = {id: ReadId; filters: FilterValues; path: string; sent: string; answer: string}

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
]

const headers = (length: number) => ({
  'x-api-key': 'KEY-canary-51f0',
  'access-token': 'TOKEN-canary-77de',
  page: '1',
  size: '2000',
  'content-type': 'application/json',
  'content-length': String(length),
})
const paging = {'content-type': 'application/json', page: '1', size: '2000', 'total-pages': '1'}

beforeAll(() => nock.disableNetConnect())
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

for (const {id, filters, path, sent, answer} of pairs) {
  test(`GET ${path}`, async () => {
    const reqheaders = headers(Buffer.byteLength(sent))
    const scope = nock('https://vendor.test', {reqheaders}).get(path).reply(200, answer, paging)
    const {client} = createTestClient('https://vendor.test')

    expect(printJson(await readAll(client, id, filters))).toBe(answer)

    scope.done()
    client.close()
  })

  test(`POST ${path} when the profile reads by POST`, async () => {
    const reqheaders = headers(Buffer.byteLength(sent))
    const scope = nock('https://vendor.test', {reqheaders}).post(path, sent).reply(200, answer, paging)
    const {client} = createTestClient('https://vendor.test', {settings: {readMethod: 'POST'}})

    expect(printJson(await readAll(client, id, filters))).toBe(answer)

    scope.done()
    client.close()
  })
}
