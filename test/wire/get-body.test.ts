import {createServer} from 'node:net'

import {expect, test} from 'vitest'

import {createTestClient, meetVendor, readAll} from '../support/client.js'
import {reply} from '../support/vendor.js'

const answer = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json; charset=utf-8',
  'Content-Length: 42',
  'Page: 1',
  'Size: 2000',
  'Total-Pages: 1',
  '',
  '[{"id":12,"siteId":3,"name":"Caf\u00e9 \u{1f36b}"}]',
].join('\r\n')

test('the body of a GET stands on the wire behind its head, whole and once', async () => {
  let sent = ''
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      sent += text
      if (sent.endsWith('"body":[]}')) socket.write(answer)
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as {port: number}).port))
  })
  const {client} = createTestClient(`http://127.0.0.1:${port}`)

  const records = await readAll(client, 'machines.list', {siteIds: [3]})

  const [head = '', body] = sent.split('\r\n\r\n')
  expect(head.split('\r\n')[0]).toBe('GET /v2.1/machines HTTP/1.1')
  expect(head.toLowerCase().split('\r\n').slice(1).sort()).toEqual([
    'accept-encoding: gzip',
    'accept: application/json',
    'access-token: token-canary-77de',
    'connection: keep-alive',
    'content-length: 60',
    'content-type: application/json',
    `host: 127.0.0.1:${port}`,
    'page: 1',
    'size: 2000',
    expect.stringMatching(/^user-agent: vendorctl\/[\d.]+$/),
    'x-api-key: key-canary-51f0',
  ])
  expect(body).toBe('{"requestFilter":{"siteIds":[3]},"routeFilter":{},"body":[]}')
  expect(records).toEqual([{id: 12, siteId: 3, name: 'Café 🍫'}])
  server.close()
})

test('the body of a DELETE stands on the wire behind its head, whole and once', async () => {
  const {vendor, client} = await meetVendor((socket) => socket.write(reply(204, '', {'content-length': '0'})))

  const answer = await client.write('selections.delete', {records: [{id: 5}, {id: 6}]})

  expect(answer).toEqual({fate: 'applied', ids: [], records: []})
  expect(vendor.seen).toHaveLength(1)
  const [{method, path, head, body}] = vendor.seen as [(typeof vendor.seen)[0]]
  expect(`${method} ${path}`).toBe('DELETE /v2.1/selections')
  expect(head.filter((line) => /^(content|transfer)-/i.test(line)).sort()).toEqual([
    'content-length: 64',
    'content-type: application/json',
  ])
  expect(body).toBe('{"requestFilter":{},"routeFilter":{},"body":[{"id":5},{"id":6}]}')
})
