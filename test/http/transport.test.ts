import {createServer as createTlsServer} from 'node:https'
import {type AddressInfo, connect, createServer, type Server} from 'node:net'

import {describe, expect, test} from 'vitest'
import {lateSignal} from '../../src/client/send-write.js'
import {systemClock} from '../../src/core/clock.js'
import {certificate, certificateKey} from '../support/certificate.js'
import {createTestClient, failureOf, meetVendor, readAll, secrets} from '../support/client.js'
import {answering} from '../support/faults.js'
import {paged, readRequests, reply, type Seen, startVendor} from '../support/vendor.js'

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

test('a certificate of nobody is unsafe; nothing is sent', async () => {
  let requests = 0
  const server = createTlsServer({cert: certificate, key: certificateKey}, () => {
    requests++
  })
  const port = await listening(server)
  const {client} = createTestClient(`https://localhost:${port}`)

  const read = await failureOf(readAll(client, 'machines.list'))
  const write = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(read).toMatchObject({exit: 'unsafe', code: 'TLS'})
  expect(write).toMatchObject({fate: 'unsent', failure: {exit: 'unsafe', code: 'TLS'}})
  expect(requests).toBe(0)
  expect(client.requestsUsed).toBe(2)
  server.close()
})

test('no TLS at the other end is unsafe', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const port = await listening(server)
  const {client} = createTestClient(`https://localhost:${port}`)

  expect(await failureOf(readAll(client, 'machines.list'))).toMatchObject({exit: 'unsafe', code: 'TLS'})
  server.close()
})

test('a switched-off certificate check is unsafe off loopback, before anything is sent', async () => {
  const {client} = createTestClient('https://api.vendor.test', {environment: {NODE_TLS_REJECT_UNAUTHORIZED: '0'}})

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'unsafe', code: 'TLS_CHECK_OFF'})
})

test.each([301, 302, 303, 307, 308])('a redirect %i is never followed; the target sees no request', async (status) => {
  await using target = await startVendor(answering(200, '[]', paged(1, 2000, 0)))
  await using vendor = await startVendor(answering(status, '', {location: `${target.url}/v2.1/machines`}))

  for (const readMethod of ['GET', 'POST'] as const) {
    const {client} = createTestClient(vendor.url, {settings: {readMethod}})
    expect(await failureOf(readAll(client, 'machines.list'))).toMatchObject({exit: 'unsafe', code: 'REDIRECT'})
    await client.write('sites.update', {records: [{id: 1}]})
    expect(await failureOf(client.login())).toMatchObject({exit: 'unsafe'})
    client.close()
  }

  expect(vendor.seen).toHaveLength(6)
  expect(target.connections()).toBe(0)
})

test('asks the proxy for a tunnel and shows it neither key nor token', async () => {
  const seen: Seen[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    readRequests(socket, (one) => {
      seen.push(one)
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const port = await listening(server)
  const environment = {HTTPS_PROXY: `http://user:word@127.0.0.1:${port}`}
  const {client, notices} = createTestClient('https://api.vendor.test', {environment})

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})
  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(answer).toMatchObject({fate: 'unsent', failure: {exit: 'unavailable'}})
  expect(failure).toMatchObject({exit: 'unavailable', code: 'UNREACHABLE', message: expect.stringContaining('proxy')})
  expect(seen[0]).toMatchObject({method: 'CONNECT', path: 'api.vendor.test:443'})
  expect(JSON.stringify(seen)).not.toContain(secrets.apiKey)
  expect(notices.filter((text) => text.startsWith('Requests'))).toEqual([
    `Requests go through the proxy 127.0.0.1:${port}.`,
  ])
  expect(notices.join()).not.toContain('word')
  server.close()
})

test('checks the certificate at the far end of a tunnel as well', async () => {
  const seen: string[] = []
  const far = createTlsServer({cert: certificate, key: certificateKey}, (request) => seen.push(request.url ?? ''))
  const farPort = await listening(far)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      const tunnel = connect(farPort, '127.0.0.1')
      tunnel.on('error', () => {})
      socket.pipe(tunnel).pipe(socket)
    })
  })
  const port = await listening(server)
  const environment = {HTTPS_PROXY: `http://127.0.0.1:${port}`}
  const {client} = createTestClient('https://api.vendor.test', {environment})

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'unsent', failure: {exit: 'unsafe', code: 'TLS'}})
  expect(seen).toEqual([])
  client.close()
  server.close()
  far.close()
})

test('a slow service is cut off by the signal, and its reason is what is thrown', async () => {
  const controller = new AbortController()
  const reason = new Error('Ctrl-C')
  const {vendor, client} = await meetVendor(() => controller.abort(reason), {signal: controller.signal})

  await expect(readAll(client, 'machines.list')).rejects.toBe(reason)

  expect(vendor.seen).toHaveLength(1)
})

test('the signal ends a wait between tries', async () => {
  const controller = new AbortController()
  const reason = new Error('Ctrl-C')
  await using vendor = await startVendor((socket, seen, number) => {
    answering(503, '')(socket, seen, number)
  })
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => {
      controller.abort(reason)
      throw new Error('ended')
    },
  }
  const {client} = createTestClient(vendor.url, {signal: controller.signal, clock})

  await expect(readAll(client, 'machines.list')).rejects.toBe(reason)

  expect(vendor.seen).toHaveLength(1)
})

test('a signal before the write leaves it unsent', async () => {
  await using vendor = await startVendor(answering(200, '[1]'))
  const reason = new Error('Ctrl-C')
  const {client} = createTestClient(vendor.url, {signal: AbortSignal.abort(reason)})

  expect(await client.write('sites.create', {records: [{}]})).toEqual({fate: 'unsent', failure: reason})

  expect(vendor.seen).toHaveLength(0)
})

test('a write in flight goes on after the signal, and is answered', async () => {
  const controller = new AbortController()
  await using vendor = await startVendor((socket, seen, number) => {
    controller.abort(new Error('Ctrl-C'))
    setTimeout(() => answering(200, '[1]')(socket, seen, number), 30)
  })
  const clock = {now: () => 0, monotonic: () => 0, sleep: () => new Promise<void>(() => {})}
  const {client} = createTestClient(vendor.url, {signal: controller.signal, clock})

  expect(await client.write('sites.create', {records: [{}]})).toMatchObject({fate: 'applied', ids: [1]})
})

test('a write in flight is given ten seconds after the signal, then it is in doubt', async () => {
  const controller = new AbortController()
  const waits: number[] = []
  await using vendor = await startVendor(() => controller.abort(new Error('Ctrl-C')))
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds)
    },
  }
  const {client} = createTestClient(vendor.url, {signal: controller.signal, clock})

  expect(await client.write('sites.create', {records: [{}]})).toMatchObject({
    fate: 'inDoubt',
    why: expect.stringContaining('stopped'),
  })

  expect(waits).toEqual([10_000])
  expect(vendor.seen).toHaveLength(1)
})

test('a signal before its ten seconds leaves none', () => {
  const reason = new Error('Ctrl-C')

  expect(lateSignal(AbortSignal.abort(reason), systemClock).signal.reason).toBe(reason)
})

describe('an answer that is no final one', () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const answers = [
    ['a switch of protocols', `HTTP/1.1 101 Switching Protocols\r\n${upgrade}`],
    ['a switch with an answer after it', `HTTP/1.1 101 Switching Protocols\r\n${upgrade}${reply(200, '[]')}`],
    ['a status that does not exist', 'HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n[]'],
    ['a hint and then nothing', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ] as const

  test.each(answers)('%s breaks a read, and leaves a write in doubt', async (_, answer) => {
    const {client} = await meetVendor((socket) => socket.end(answer))

    const read = await failureOf(readAll(client, 'machines.list'))
    const raw = await failureOf(client.call({method: 'POST', path: '/machines'}))
    const write = await client.write('sites.create', {records: [{name: 'A'}]})

    expect(read).toMatchObject({exit: 'unavailable', retry: 'safe'})
    expect(raw).toMatchObject({exit: 'inDoubt', changed: 'unknown'})
    expect(write).toMatchObject({fate: 'inDoubt'})
  })
})
