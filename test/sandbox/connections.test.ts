import {type IncomingMessage, request} from 'node:http'
import {connect} from 'node:net'
import {afterAll, expect, test} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {logIn} from './ask.js'

const sandbox = await startSandbox({world: 'empty', limits: false, patience: {idleMilliseconds: 600}})
const strict = await startSandbox({
  world: 'empty',
  limits: false,
  patience: {headersMilliseconds: 300, requestMilliseconds: 600},
})

afterAll(() => Promise.all([sandbox.close(), strict.close()]))

/** All that comes back for these bytes until the sandbox closes the connection; this side never does. */
function exchange(bytes: string | Buffer, {port}: Sandbox = sandbox, more?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({host: '127.0.0.1', port, allowHalfOpen: true})
    const dripping = more === undefined ? undefined : setInterval(() => socket.write(more), 50)
    const end = () => {
      clearInterval(dripping)
      socket.destroy()
      resolve(received)
    }
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    socket.on('end', end).on('close', end)
    socket.on('error', (error) => (received === '' ? reject(error) : end()))
    socket.write(bytes)
  })
}

const head = (lines: string) => `${lines}\r\nhost: 127.0.0.1\r\n`

test.each([
  ['nothing', '', undefined],
  ['half a line', 'GET /v2.1', undefined],
  ['headers that never end', head('GET /v2.1/machines HTTP/1.1'), 'x: y\r\n'],
  ['a body that never ends', `${head('PUT /v2.1/nothing HTTP/1.1')}content-length: 90000\r\n\r\n`, ' '],
])('closes a connection that sends %s', async (_name, bytes, more) => {
  const received = await exchange(bytes, strict, more)

  expect(received).toMatch(/^HTTP\/1\.1 408 .*connection: close.*\{"message":"Request Timeout"\}$/s)
})

test('closes a connection between two requests', async () => {
  const received = await exchange(`${head('GET /nothing HTTP/1.1')}\r\n`)

  expect(received).toContain('Missing Authentication Token')
})

test.each([
  ['garbage', 'garbage\r\n\r\n', 400, 'GENERIC_ERROR'],
  ['two lengths', `${head('PUT /v2.1/sites HTTP/1.1')}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400, 'not HTTP'],
  ['a long header', `${head('GET / HTTP/1.1')}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431, '{"message":'],
  [
    'a path that decodes to nothing',
    `${head('GET /%zz HTTP/1.1')}connection: close\r\n\r\n`,
    403,
    'Missing Authentication Token',
  ],
  ['two hosts', `${head('GET /v2.1/machines HTTP/1.1')}host: evil.test\r\nconnection: close\r\n\r\n`, 403, 'Forbidden'],
])('answers %s in its own form', async (_name, bytes, status, words) => {
  const received = await exchange(bytes)

  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(received).toContain(words)
  expect(received).toContain('application/json')
})

test('lets a caller send all of a body that is too large, so that it reads why', async () => {
  const body = Buffer.alloc(12_000_000, ' ')
  const lines = `${head('PUT /v2.1/sites HTTP/1.1')}x-api-key: ${sandbox.apiKey}\r\nconnection: close\r\n`

  const received = await exchange(Buffer.concat([Buffer.from(`${lines}content-length: ${body.length}\r\n\r\n`), body]))

  expect(received).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Request Too Long"\}$/s)
})

test('waits for a caller that is busy with something else before it reads an answer', async () => {
  const patient = await startSandbox({limits: false, machines: 0, batches: 0, patience: {idleMilliseconds: 50}})
  patient.add('organization', {id: 1, name: 'x'.repeat(24_000_000), timeZone: null, isEnabled: true})
  const {headers} = await logIn(patient)
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${patient.url}/v2.1/organizations`
    request(url, {headers, agent: false}, resolve).on('error', reject).end()
  })

  await systemClock.sleep(400)
  let length = 0
  for await (const bytes of incoming) length += (bytes as Buffer).length

  expect(length).toBe(Number(incoming.headers['content-length']))
  await patient.close()
})
