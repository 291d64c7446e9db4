import nock from 'nock'
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest'

import type {FilterValues, WriteAnswer} from '../../src/client/types.js'
import type {WriteId} from '../../src/contract/index.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'
import {createTestClient} from '../support/client.js'

/** Written by hand from the specification: what is sent and what comes back, byte for byte. */
type Pair = {
  id: WriteId
  verb: 'PUT' | 'PATCH' | 'POST'
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
]

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
    client.close()
  })
}
