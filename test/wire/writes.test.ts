import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import type {FilterValues, RefusalEntry, WriteAnswer} from '../../src/client/types.js'
import {type WriteId, writeIds} from '../../src/contract/index.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'
import {createTestClient} from '../support/client.js'

/** Written by hand from the specification: what is sent and what comes back, byte for byte. */
type Pair = {
  id: WriteId
  route: `${'PUT' | 'PATCH' | 'POST' | 'DELETE'} /v2.1/${string}`
  records?: string
  filters?: FilterValues
  /** The standard request around the records unless given. */
  sent?: string
  /** 204 without an answer unless given. */
  status?: number
  answer?: string
  fate?: WriteAnswer
}

const site =
  '{"accountId":17,"orgId":4,"name":"Ferry \\"Quay\\"","isActive":true,"maxChargePrice":500,"maximumMeterSalesJumpAllowed":9007199254740993,"commissionTerms":"Net10","chargeKeyId":null}'

const selection =
  '{"machineId":11,"selectionNumber":"6","productId":-1,"price":1.50,"invoicePrice":0,"restockTo":8,"depth":10,"count":3,"freeCount":0,"commission":0.10}'

const refused = (status: number, refusal: RefusalEntry): WriteAnswer => ({fate: 'refused', status, refusals: [refusal]})

const pairs: Pair[] = [
  {
    id: 'sites.create',
    route: 'PUT /v2.1/sites',
    records: `[${site}]`,
    status: 200,
    answer: '[301]',
    fate: {fate: 'applied', ids: [301], records: []},
  },
  {
    id: 'sites.create',
    route: 'PUT /v2.1/sites',
    records: `[${site},${site}]`,
    status: 400,
    answer: '[{"code":"NAME_UNIQUENESS","message":"Name is taken.","pointers":[1],"pointerName":"index"}]',
    fate: refused(400, {code: 'NAME_UNIQUENESS', message: 'Name is taken.', pointers: [1], pointerName: 'index'}),
  },
  {
    id: 'sites.update',
    route: 'PATCH /v2.1/sites',
    records: '[{"id":3,"name":"Old Yard"}]',
  },
  {
    id: 'machines.custom-data.create',
    route: 'PUT /v2.1/machines/custom-data',
    records: '[{"machineId":11,"key":"floor","value":"2"},{"machineId":12,"key":"floor","value":null}]',
    status: 200,
    answer: '[71,72]',
    fate: {fate: 'applied', ids: [71, 72], records: []},
  },
  {
    id: 'alerts.create',
    route: 'PUT /v2.1/alerts',
    records: '[{"machineId":11,"code":"NS","message":"No sales"}]',
    status: 400,
    answer: '[{"code":"ALERT_EXISTS","message":"Only one.","pointers":["11"],"pointerName":"machineId"}]',
    fate: refused(400, {code: 'ALERT_EXISTS', message: 'Only one.', pointers: ['11'], pointerName: 'machineId'}),
  },
  {
    id: 'alerts.update',
    route: 'PATCH /v2.1/alerts',
    records: '[{"id":5,"isCleared":true}]',
    status: 200,
    answer: '[{"id":5,"code":"NS","message":"No sales","isCleared":true}]',
    fate: {fate: 'applied', ids: [], records: [{id: 5, code: 'NS', message: 'No sales', isCleared: true}]},
  },
  {
    id: 'alerts.clear',
    route: 'POST /v2.1/alerts/clear',
    filters: {alertIds: [5, 6]},
    sent: '{"requestFilter":{},"routeFilter":{"alertIds":[5,6]},"body":[]}',
  },
  {
    id: 'selections.create',
    route: 'PUT /v2.1/selections',
    records: `[${selection}]`,
    status: 200,
    answer: '[9001]',
    fate: {fate: 'applied', ids: [9001], records: []},
  },
  {
    id: 'selections.update',
    route: 'PATCH /v2.1/selections',
    records: '[{"id":5,"price":1.50,"count":3}]',
    status: 422,
    answer:
      '[{"code":"SELECTION_VALIDATION","message":"alertLevel is above restockAt.","pointers":[5],"pointerName":"id"}]',
    fate: refused(422, {
      code: 'SELECTION_VALIDATION',
      message: 'alertLevel is above restockAt.',
      pointers: [5],
      pointerName: 'id',
    }),
  },
  {
    id: 'selections.delete',
    route: 'DELETE /v2.1/selections',
    records: '[{"id":5},{"id":9007199254740993}]',
  },
  {
    id: 'selections.delete',
    route: 'DELETE /v2.1/selections',
    records: '[{"id":5}]',
    status: 404,
    answer: '[{"code":"MISSING_RECORD","message":"Gone.","pointers":[5],"pointerName":"id"}]',
    fate: refused(404, {code: 'MISSING_RECORD', message: 'Gone.', pointers: [5], pointerName: 'id'}),
  },
  {
    id: 'selections.adjust',
    route: 'POST /v2.1/selections/apply-delta',
    records: '[{"selectionId":5,"delta":-2}]',
    status: 200,
    answer: '[{"id":5,"machineId":11,"selectionNumber":"6","count":1}]',
    fate: {fate: 'applied', ids: [], records: [{id: 5, machineId: 11, selectionNumber: '6', count: 1}], now: [1]},
  },
  {
    id: 'templates.apply',
    route: 'POST /v2.1/templates/apply',
    filters: {machineIdentifiers: ['11', '12'], templateIds: [412]},
    sent: '{"requestFilter":{"machineIdentifiers":["11","12"]},"routeFilter":{"templateIds":[412]},"body":[]}',
  },
  {
    id: 'machines.update',
    route: 'PATCH /v2.1/machines',
    records: '[{"id":11,"siteId":3,"taxPercentage":8.250}]',
  },
  {
    id: 'machines.update',
    route: 'PATCH /v2.1/machines',
    records: '[{"id":11,"siteId":3}]',
    status: 200,
    answer: '[{"id":11,"siteId":3,"prose":"PRS100011"}]',
  },
  {
    id: 'machines.provision',
    route: 'POST /v2.1/machines/provision',
    filters: {organizationIds: [2], machineIdentifiers: ['PRS100001']},
    sent: '{"requestFilter":{"organizationIds":[2],"machineIdentifiers":["PRS100001"]},"routeFilter":{},"body":[]}',
  },
  {
    id: 'machines.settings.set',
    route: 'PUT /v2.1/settings',
    records: '[{"id":71,"machineId":11,"type":"Config","settings":"a=1\\nb=\\"2\\"","isActive":true}]',
    status: 200,
    answer: '[{"id":72,"machineId":11,"type":"Config","isCurrent":true}]',
    fate: {fate: 'applied', ids: [], records: [{id: 72, machineId: 11, type: 'Config', isCurrent: true}]},
  },
  {
    id: 'role-rights.create',
    route: 'PUT /v2.1/role-rights',
    records: '[{"roleId":1,"rightId":7,"canView":true,"canEdit":false,"canExecute":false}]',
    status: 200,
    answer: '[70]',
    fate: {fate: 'applied', ids: [70], records: []},
  },
  {
    id: 'role-rights.update',
    route: 'PATCH /v2.1/role-rights',
    records: '[{"id":70,"roleId":1,"rightId":7,"canView":true,"canEdit":true,"canExecute":false}]',
    status: 200,
    answer: '[{"id":70,"roleId":1,"rightId":7,"canView":true,"canEdit":true,"canExecute":false}]',
    fate: {
      fate: 'applied',
      ids: [],
      records: [{id: 70, roleId: 1, rightId: 7, canView: true, canEdit: true, canExecute: false}],
    },
  },
  {
    id: 'sites.delete',
    route: 'DELETE /v2.1/sites',
    records: '[{"id":3}]',
  },
]

test('every write has its literal request', () => {
  expect([...new Set(pairs.map(({id}) => id))].sort()).toEqual([...writeIds].sort())
})

beforeAll(() => nock.disableNetConnect())
afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

for (const {id, route, records, filters, ...pair} of pairs) {
  const {status = 204, answer = '', fate = {fate: 'applied', ids: [], records: []}} = pair
  const {sent = `{"requestFilter":{},"routeFilter":{},"body":${records}}`} = pair
  test(`${route} answered ${status}`, async () => {
    const [verb = '', path = ''] = route.split(' ')
    const reqheaders = {
      'x-api-key': 'KEY-canary-51f0',
      'access-token': 'TOKEN-canary-77de',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(sent)),
    }
    const scope = nock('https://vendor.test', {reqheaders, badheaders: ['page', 'size']})
      .intercept(path, verb, sent)
      .reply(status, answer)
    const {client} = createTestClient('https://vendor.test')

    const given = {...(records && {records: parseJson(records) as JsonRecord[]}), ...(filters && {filters})}
    expect(await client.write(id, given)).toEqual(fate)

    scope.done()
  })
}
