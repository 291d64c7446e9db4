import {expect, test} from 'vitest'

import {createTestClient, failureOf, meetVendor, readAll, secrets} from '../support/client.js'
import {paged, reply, startVendor} from '../support/vendor.js'

test('reads each page with one GET that carries body, length, key and token', async () => {
  await using vendor = await startVendor((socket, {headers}) => {
    const page = Number(headers['page'])
    socket.write(reply(200, `[{"id":${page},"siteId":7,"price":10.10}]`, paged(page, 1, 3)))
  })
  const {client} = createTestClient(`${vendor.url}/base//`)

  const records = await readAll(client, 'machines.list', {siteIds: [7]})

  expect(JSON.stringify(records.map(({price}) => price))).toBe('[10.10,10.10,10.10]')
  expect(vendor.seen.map(({method, path, headers}) => [method, path, headers['page'], headers['size']])).toEqual([
    ['GET', '/base/v2.1/machines', '1', '2000'],
    ['GET', '/base/v2.1/machines', '2', '1'],
    ['GET', '/base/v2.1/machines', '3', '1'],
  ])
  const [first] = vendor.seen
  expect(first?.body).toBe('{"requestFilter":{"siteIds":[7]},"routeFilter":{},"body":[]}')
  expect(first?.headers).toMatchObject({
    'x-api-key': secrets.apiKey,
    'access-token': secrets.token,
    'content-type': 'application/json',
    'content-length': '60',
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': expect.stringMatching(/^vendorctl\/\d+\.\d+\.\d+/),
  })
  expect(first?.headers).not.toHaveProperty('transfer-encoding')
  expect(vendor.connections()).toBe(1)
  expect(client.requestsUsed).toBe(3)
})

test('sends no token to the key test and returns its words, bare or as JSON; a bad key is denied', async () => {
  const bodies = ['Access token was valid\r\n', '"Access token was valid"', '{"message":"Forbidden"}']
  const {vendor, client} = await meetVendor(
    (socket, _seen, number) => socket.write(reply(number < 3 ? 200 : 403, bodies[number - 1] ?? '')),
    {settings: {stage: 'v1'}},
  )

  expect(await client.testKey()).toBe('Access token was valid')
  expect(await client.testKey()).toBe('Access token was valid')
  expect(await failureOf(client.testKey())).toMatchObject({exit: 'denied', code: 'FORBIDDEN'})

  expect(vendor.seen[0]).toMatchObject({method: 'POST', path: '/v1/token-test', body: ''})
  expect(vendor.seen[0]?.headers).toMatchObject({'x-api-key': secrets.apiKey, 'content-length': '0'})
  expect(vendor.seen[0]?.headers).not.toHaveProperty('access-token')
})

test('a change by a number tells the new values of exactly the records that were named', async () => {
  const answers = ['[{"id":2,"count":5.50},{"ID":"1"}]', '[{"id":2,"count":5},{"id":3,"count":9}]']
  const {client} = await meetVendor((socket, _seen, number) => socket.write(reply(200, answers[number - 1] ?? '')))
  const adjust = () =>
    client.write('selections.adjust', {
      records: [
        {selectionId: 1, delta: 2},
        {selectionId: 2, delta: 1},
      ],
    })

  const [applied, doubted] = [await adjust(), await adjust()]

  expect(JSON.stringify(applied)).toContain('"now":[null,5.50]')
  expect(doubted).toEqual({
    fate: 'inDoubt',
    why: 'answered with other records than were named: none has the id 1',
    refusals: [],
  })
})

test('writes use a connection of their own', async () => {
  const {vendor, client} = await meetVendor((socket) => socket.write(reply(200, '[5]')))

  await client.write('sites.create', {records: [{name: 'A'}]})
  const answer = await client.write('sites.create', {records: [{name: 'B'}]})

  expect(answer).toEqual({fate: 'applied', ids: [5], records: []})
  expect(vendor.connections()).toBe(2)
  expect(vendor.seen[1]).toMatchObject({
    method: 'PUT',
    path: '/v2.1/sites',
    body: '{"requestFilter":{},"routeFilter":{},"body":[{"name":"B"}]}',
  })
})
