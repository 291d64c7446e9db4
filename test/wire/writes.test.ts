import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import type {FilterValues, WriteAnswer} from '../../src/client/types.js'
import {type WriteId, writeIds} from '../../src/contract/index.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'
import {createTestClient} from '../support/client.js'

/** Written by hand from the specification: what is sent and what comes back, byte for byte. */
type Pair = {
  id: WriteId
  verb: 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  path: string
  records?: string
  filters?: FilterValues
  sent: string
  status: number
  answer: string
  fate: WriteAnswer
}

const site =
  '{"accountId":17,"orgId":4,"name":"Ferry \\"Quay\\"","isActive":true,"maxChargePrice":500,"maximumMeterSalesJumpAllowed":9007199254740993,"commissionTerms":"Net10","chargeKeyId":null}'

const selection =
  '{"machineId":11,"selectionNumber":"6","productId":-1,"price":1.50,"invoicePrice":0,"restockTo":8,"depth":10,"count":3,"freeCount":0,"commission":0.10}'

const pairs: Pair[] = [
  {
    id: 'sites.create',
    verb: 'PUT',
    path: '/v2.1/sites',
    records: `[${site}]`,
    sent: `{"requestFilter":{},"routeFilter":{},"body":[${site}]}`,
    status: 200,
    answer: '[301]',
    fate: {fate: 'applied', ids: [301], records: []},
  },
  {
    id: 'sites.create',
    verb: 'PUT',
    path: '/v2.1/sites',
    records: `[${site},${site}]`,
    sent: `{"requestFilter":{},"routeFilter":{},"body":[${site},${site}]}`,
    status: 400,
    answer: '[{"code":"NAME_UNIQUENESS","message":"Name is taken.","pointers":[1],"pointerName":"index"}]',
    fate: {
      fate: 'refused',
      status: 400,
      refusals: [{code: 'NAME_UNIQUENESS', message: 'Name is taken.', pointers: [1], pointerName: 'index'}],
    },
  },
  {
    id: 'sites.update',
    verb: 'PATCH',
    path: '/v2.1/sites',
    records: '[{"id":3,"name":"Old Yard"}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":3,"name":"Old Yard"}]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'machines.custom-data.create',
    verb: 'PUT',
    path: '/v2.1/machines/custom-data',
    records: '[{"machineId":11,"key":"floor","value":"2"},{"machineId":12,"key":"floor","value":null}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"machineId":11,"key":"floor","value":"2"},{"machineId":12,"key":"floor","value":null}]}',
    status: 200,
    answer: '[71,72]',
    fate: {fate: 'applied', ids: [71, 72], records: []},
  },
  {
    id: 'alerts.create',
    verb: 'PUT',
    path: '/v2.1/alerts',
    records: '[{"machineId":11,"code":"NS","message":"No sales"}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"machineId":11,"code":"NS","message":"No sales"}]}',
    status: 400,
    answer: '[{"code":"ALERT_EXISTS","message":"Only one.","pointers":["11"],"pointerName":"machineId"}]',
    fate: {
      fate: 'refused',
      status: 400,
      refusals: [{code: 'ALERT_EXISTS', message: 'Only one.', pointers: ['11'], pointerName: 'machineId'}],
    },
  },
  {
    id: 'alerts.update',
    verb: 'PATCH',
    path: '/v2.1/alerts',
    records: '[{"id":5,"isCleared":true}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":5,"isCleared":true}]}',
    status: 200,
    answer: '[{"id":5,"code":"NS","message":"No sales","isCleared":true}]',
    fate: {fate: 'applied', ids: [], records: [{id: 5, code: 'NS', message: 'No sales', isCleared: true}]},
  },
  {
    id: 'alerts.clear',
    verb: 'POST',
    path: '/v2.1/alerts/clear',
    filters: {alertIds: [5, 6]},
    sent: '{"requestFilter":{},"routeFilter":{"alertIds":[5,6]},"body":[]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'selections.create',
    verb: 'PUT',
    path: '/v2.1/selections',
    records: `[${selection}]`,
    sent: `{"requestFilter":{},"routeFilter":{},"body":[${selection}]}`,
    status: 200,
    answer: '[9001]',
    fate: {fate: 'applied', ids: [9001], records: []},
  },
  {
    id: 'selections.update',
    verb: 'PATCH',
    path: '/v2.1/selections',
    records: '[{"id":5,"price":1.50,"count":3}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":5,"price":1.50,"count":3}]}',
    status: 422,
    answer:
      '[{"code":"SELECTION_VALIDATION","message":"alertLevel is above restockAt.","pointers":[5],"pointerName":"id"}]',
    fate: {
      fate: 'refused',
      status: 422,
      refusals: [
        {code: 'SELECTION_VALIDATION', message: 'alertLevel is above restockAt.', pointers: [5], pointerName: 'id'},
      ],
    },
  },
  {
    id: 'selections.delete',
    verb: 'DELETE',
    path: '/v2.1/selections',
    records: '[{"id":5},{"id":9007199254740993}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":5},{"id":9007199254740993}]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'selections.delete',
    verb: 'DELETE',
    path: '/v2.1/selections',
    records: '[{"id":5}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":5}]}',
    status: 404,
    answer: '[{"code":"MISSING_RECORD","message":"Gone.","pointers":[5],"pointerName":"id"}]',
    fate: {
      fate: 'refused',
      status: 404,
      refusals: [{code: 'MISSING_RECORD', message: 'Gone.', pointers: [5], pointerName: 'id'}],
    },
  },
  {
    id: 'selections.adjust',
    verb: 'POST',
    path: '/v2.1/selections/apply-delta',
    records: '[{"selectionId":5,"delta":-2}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"selectionId":5,"delta":-2}]}',
    status: 200,
    answer: '[{"id":5,"machineId":11,"selectionNumber":"6","count":1}]',
    fate: {fate: 'applied', ids: [], records: [{id: 5, machineId: 11, selectionNumber: '6', count: 1}], now: [1]},
  },
  {
    id: 'templates.apply',
    verb: 'POST',
    path: '/v2.1/templates/apply',
    filters: {machineIdentifiers: ['11', '12'], templateIds: [412]},
    sent: '{"requestFilter":{"machineIdentifiers":["11","12"]},"routeFilter":{"templateIds":[412]},"body":[]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'machines.update',
    verb: 'PATCH',
    path: '/v2.1/machines',
    records: '[{"id":11,"siteId":3,"taxPercentage":8.250}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":11,"siteId":3,"taxPercentage":8.250}]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'machines.update',
    verb: 'PATCH',
    path: '/v2.1/machines',
    records: '[{"id":11,"siteId":3}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":11,"siteId":3}]}',
    status: 200,
    answer: '[{"id":11,"siteId":3,"prose":"PRS100011"}]',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'machines.provision',
    verb: 'POST',
    path: '/v2.1/machines/provision',
    filters: {organizationIds: [2], machineIdentifiers: ['PRS100001']},
    sent: '{"requestFilter":{"organizationIds":[2],"machineIdentifiers":["PRS100001"]},"routeFilter":{},"body":[]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
  },
  {
    id: 'machines.settings.set',
    verb: 'PUT',
    path: '/v2.1/settings',
    records: '[{"id":71,"machineId":11,"type":"Config","settings":"a=1\\nb=\\"2\\"","isActive":true}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":71,"machineId":11,"type":"Config","settings":"a=1\\nb=\\"2\\"","isActive":true}]}',
    status: 200,
    answer: '[{"id":72,"machineId":11,"type":"Config","isCurrent":true}]',
    fate: {fate: 'applied', ids: [], records: [{id: 72, machineId: 11, type: 'Config', isCurrent: true}]},
  },
  {
    id: 'role-rights.create',
    verb: 'PUT',
    path: '/v2.1/role-rights',
    records: '[{"roleId":1,"rightId":7,"canView":true,"canEdit":false,"canExecute":false}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"roleId":1,"rightId":7,"canView":true,"canEdit":false,"canExecute":false}]}',
    status: 200,
    answer: '[70]',
    fate: {fate: 'applied', ids: [70], records: []},
  },
  {
    id: 'role-rights.update',
    verb: 'PATCH',
    path: '/v2.1/role-rights',
    records: '[{"id":70,"roleId":1,"rightId":7,"canView":true,"canEdit":true,"canExecute":false}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":70,"roleId":1,"rightId":7,"canView":true,"canEdit":true,"canExecute":false}]}',
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
    verb: 'DELETE',
    path: '/v2.1/sites',
    records: '[{"id":3}]',
    sent: '{"requestFilter":{},"routeFilter":{},"body":[{"id":3}]}',
    status: 204,
    answer: '',
    fate: {fate: 'applied', ids: [], records: []},
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

for (const {id, verb, path, records, filters, sent, status, answer, fate} of pairs) {
  test(`${verb} ${path} answered ${status}`, async () => {
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
