import {expect, test} from 'vitest'

import {createTestClient, secrets} from '../support/client.js'
import {json, startVendor} from '../support/vendor.js'

test('reads pages with a GET body and its length, key and token, once each', async () => {
  await using_(async (seen) => {
    expect(seen[0]).toMatchObject({method: 'GET', url: '/base/v2.1/machines'})
    expect(seen[0]?.headers).toMatchObject({
      'x-api-key': secrets.apiKey,
      'access-token': secrets.token,
      page: '1',
      size: '2000',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(seen[0]?.body ?? '')),
    })
    expect(seen[0]?.headers['user-agent']).toMatch(/^vendorctl\/\d/)
    expect(seen[0]?.headers['transfer-encoding']).toBeUndefined()
    expect(seen[0]?.body).toBe('{"requestFilter":{"siteIds":[7]},"routeFilter":{},"body":[]}')
  })
})

async function using_(check: (seen: Awaited<ReturnType<typeof startVendor>>['seen']) => Promise<void>) {
  const vendor = await startVendor(({headers}, response) => {
    const page = Number(headers['page'])
    json(response, `[{"id":${page},"siteId":7,"n":10.10}]`, {page: String(page), size: '1', 'total-pages': '3'})
  })
  const {client} = createTestClient(`${vendor.url}/base//`)
  const ids: unknown[] = []
  for await (const page of client.readPages('machines.list', {filters: {siteIds: [7]}})) {
    for (const record of page.records) ids.push(record)
  }
  expect(JSON.stringify(ids)).toBe('[{"id":1,"siteId":7,"n":10.10},{"id":2,"siteId":7,"n":10.10},{"id":3,"siteId":7,"n":10.10}]')
  expect(client.requestsUsed).toBe(3)
  await check(vendor.seen)
  client.close()
  await vendor.close()
}
