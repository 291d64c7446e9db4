import {inspect} from 'node:util'

import {expect, test} from 'vitest'

import type {ExitName} from '../../src/contract/index.js'
import {createTestClient, failureOf, meetVendor, readAll, secrets} from '../support/client.js'
import {answering, faults} from '../support/faults.js'
import {type Behaviour, errorList, paged, reply, startVendor} from '../support/vendor.js'

/** What a read that meets the fault again and again ends in, and after how many requests. */
type Row = [name: string, fault: Behaviour, exit: ExitName, requests: number]

const html = '<!doctype html><html><body>504</body></html>'
const gateway = '{"message":"Endpoint request timed out"}'

const rows: Row[] = [
  ['reset after the request', faults.resetBefore, 'unavailable', 5],
  ['closed without an answer', faults.closeBefore, 'unavailable', 5],
  ['cut body, content-length', faults.cutByLength, 'unavailable', 5],
  ['cut body, chunked', faults.cutInChunks, 'unavailable', 5],
  ['cut body, no length', faults.cutWithoutLength, 'unavailable', 5],
  ['cut body, gzip', faults.cutInGzip, 'unavailable', 5],
  ['no HTTP', faults.notHttp, 'unavailable', 2],
  ['headers above 16 KB', faults.headerOverflow, 'unavailable', 1],
  ['gzip bomb', faults.gzipBomb, 'unavailable', 1],
  ['body above 64 MB', faults.tooLarge, 'unavailable', 5],
  ['brotli', faults.brotli, 'unavailable', 1],
  ['zstd', faults.zstd, 'unavailable', 1],
  ['200 HTML', faults.htmlPage, 'unavailable', 2],
  ['200 error list', faults.errorListAt200, 'unavailable', 1],
  ['200 gateway message', faults.messageAt200, 'unavailable', 1],
  ['200 empty', faults.emptyAt200, 'unavailable', 2],
  ['200 empty, said to be gzip', answering(200, '', {'content-encoding': 'gzip'}), 'unavailable', 2],
  ['200 rubbish', faults.rubbishAt200, 'unavailable', 1],
  ['201 with records', answering(201, '[{"id":1}]', paged(1, 50, 1)), 'unavailable', 2],
  ['202 with records', answering(202, '[{"id":1}]', paged(1, 50, 1)), 'unavailable', 2],
  ['206 with records', answering(206, '[{"id":1}]', paged(1, 50, 1)), 'unavailable', 2],
  ['204', answering(204, ''), 'unavailable', 2],
  ['200 list of numbers', answering(200, '[1,2]'), 'unavailable', 1],
  ['200 more than a list', answering(200, '[{"id":1}] x'), 'unavailable', 1],
  ['200 invalid UTF-8', (socket) => socket.write(reply(200, Buffer.from([0x5b, 0xff, 0x5d]))), 'unavailable', 1],
  ['200 nested too deeply', answering(200, `${'['.repeat(10_000)}${']'.repeat(10_000)}`), 'unavailable', 1],
  ['400', answering(400, errorList('GENERIC_ERROR')), 'refused', 1],
  ['400 unknown code', answering(400, errorList('SOMETHING_NEW')), 'refused', 1],
  ['400 error that is no list', answering(400, '{"code":"ODD","message":"m"}'), 'refused', 1],
  ['400 date range', answering(400, errorList('INVALID_DATE_RANGE')), 'refused', 1],
  ['403 no access', answering(403, errorList('NO_API_ACCESS')), 'denied', 1],
  ['403 foreign data', answering(403, errorList('DATA_ACCESS')), 'denied', 1],
  ['403 bad key', answering(403, '{"message":"Forbidden"}'), 'denied', 1],
  ['403 wrong path', answering(403, '{"message":"Missing Authentication Token"}'), 'denied', 1],
  ['403 HTML of an edge', answering(403, html), 'unavailable', 1],
  ['404', answering(404, errorList('MISSING_RECORD', [3])), 'refused', 1],
  ['404 HTML', answering(404, html), 'unavailable', 1],
  ['408', answering(408, ''), 'unavailable', 5],
  ['413 at every page size', answering(413, '{"message":"Request size limit exceeded"}'), 'refused', 5],
  ['413 with an error list', answering(413, errorList('GENERIC_ERROR')), 'refused', 5],
  ['421 with code', answering(421, errorList('MISSING_REQUIRED_DATA')), 'refused', 1],
  ['421 HTML', answering(421, html), 'unavailable', 2],
  ['422', answering(422, errorList('SITE_VALIDATION')), 'refused', 1],
  ['429', answering(429, '{"message":"Too Many Requests"}'), 'limited', 6],
  ['429 quota', answering(429, '{"message":"Limit Exceeded"}'), 'limited', 1],
  ['403 quota', answering(403, '{"message":"Limit Exceeded"}'), 'limited', 1],
  ['503 throttled', answering(503, '{"message":"Rate exceeded"}'), 'limited', 6],
  ['500 access', answering(500, errorList('ACCESS_ERROR')), 'unavailable', 3],
  ['500 unknown', answering(500, errorList('UNKNOWN_ERROR')), 'unavailable', 3],
  ['502 message', answering(502, gateway), 'unavailable', 5],
  ['503 empty', answering(503, ''), 'unavailable', 5],
  ['504 HTML', answering(504, html), 'unavailable', 5],
  ['301', answering(301, '', {location: 'https://evil.test/'}), 'unsafe', 1],
  ['302', answering(302, '', {location: '/v2.1/machines?again'}), 'unsafe', 1],
  ['307', answering(307, '', {location: 'https://evil.test/'}), 'unsafe', 1],
  ['308', answering(308, '', {location: 'https://evil.test/'}), 'unsafe', 1],
  ['page 2 for page 1', answering(200, '[{"id":1}]', paged(2, 50, 2)), 'unavailable', 1],
  ['size 0', answering(200, '[]', {size: '0'}), 'unavailable', 1],
  ['size -1', answering(200, '[]', {size: '-1'}), 'unavailable', 1],
  ['total-pages NaN', answering(200, '[]', {'total-pages': 'NaN'}), 'unavailable', 1],
  ['total-pages 1e12', answering(200, '[]', {'total-pages': '1000000000000'}), 'unavailable', 1],
  ['total-pages 2e0', answering(200, '[]', {'total-pages': '2e0'}), 'unavailable', 1],
  ['total-pages 1000000001', answering(200, '[]', {'total-pages': '1000000001'}), 'unavailable', 1],
  ['total-pages -1', answering(200, '[]', {'total-pages': '-1'}), 'unavailable', 1],
  ['0 pages with a record', answering(200, '[{"id":1}]', paged(1, 50, 0)), 'unavailable', 1],
  ['more records than the page holds', answering(200, '[{"id":1},{"id":2}]', paged(1, 1, 2)), 'unavailable', 1],
]

for (const [name, fault, exit, requests] of rows) {
  test(`read meets: ${name}`, async () => {
    const {vendor, client} = await meetVendor(fault)

    const failure = await failureOf(readAll(client, 'machines.list'))

    expect({exit: failure.exit, requests: vendor.seen.length}).toEqual({exit, requests})
    expect(client.requestsUsed).toBe(requests)
    expectNoSecrets(failure)
    expect(failure.hints.length).toBeGreaterThan(0)
  })
}

test.each(['stalledHeaders', 'dripping'] as const)('read meets: %s, ended by the time limit', async (name) => {
  const {vendor, client} = await meetVendor(faults[name], {settings: {timeoutSeconds: 1}})

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'unavailable', code: 'TIMEOUT'})
  expect(vendor.seen).toHaveLength(3)
  expectNoSecrets(failure)
})

test('read goes on after a fault that passes', async () => {
  const {vendor, client, notices} = await meetVendor((socket, seen, number) => {
    if (number < 3) faults.resetBefore(socket)
    else answering(200, '[{"id":9}]', paged(1, 2000, 1))(socket, seen, number)
  })

  expect(await readAll(client, 'machines.list')).toEqual([{id: 9}])

  expect(vendor.seen).toHaveLength(3)
  expect(notices).toHaveLength(2)
})

test('an unreachable service: nothing listens', async () => {
  const vendor = await startVendor(() => {})
  await vendor.close()
  const {client} = createTestClient(vendor.url)

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'unavailable', code: 'UNREACHABLE'})
  expect(client.requestsUsed).toBe(5)
})

test('an unreachable service: no such name', async () => {
  const {client} = createTestClient('https://no-such-host.invalid')

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'unavailable', code: 'UNREACHABLE'})
})

test('says which of the two gateway messages it met', async () => {
  const messages = ['{"message":"Forbidden"}', '{"message":"Missing Authentication Token"}']
  const {client} = await meetVendor((socket, _seen, number) => {
    socket.write(reply(403, messages[number - 1] ?? ''))
  })

  expect((await failureOf(readAll(client, 'sites.list'))).message).toContain('the API key was refused')
  expect((await failureOf(readAll(client, 'sites.list'))).message).toContain('no such path or stage')
})

test('shows the words of the service safely', async () => {
  const body = JSON.stringify([{code: 'GENERIC_ERROR', message: `\u001b[31mred\u202e\u0007${'x'.repeat(600)}`}])
  const {client} = await meetVendor(answering(400, body))

  const {message} = await failureOf(readAll(client, 'sites.list'))

  expect(message).toContain('\\u001b[31mred\\u202e\\u0007xxx')
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(message.length).toBeLessThan(700)
})

test.each(['x', '\u202e'])('a code of %j without end has at most 100 characters', async (letter) => {
  const {client} = await meetVendor(answering(400, JSON.stringify([{code: letter.repeat(5_000), message: ''}])))

  const {code} = await failureOf(readAll(client, 'sites.list'))

  expect(code).toHaveLength(100)
})

test('names every refusal of the list', async () => {
  const body = JSON.stringify([
    {code: 'DESERIALIZATION_ERROR', message: 'bad', pointers: ['siteIds'], pointerName: 'field'},
    {code: 'DATE_PARSING', message: 'no date', pointers: [], pointerName: null},
  ])
  const {client} = await meetVendor(answering(400, body))

  const failure = await failureOf(readAll(client, 'alerts.list'))

  expect(failure.entries).toMatchObject([
    {
      code: 'DESERIALIZATION_ERROR',
      message: 'bad [field: siteIds]',
      exit: 5,
      pointers: ['siteIds'],
      pointerName: 'field',
    },
    {code: 'DATE_PARSING', message: 'no date', exit: 5},
  ])
})

test('one budget ends the tries of a whole outage', async () => {
  const {vendor, client} = await meetVendor(answering(503, ''))

  for (let round = 0; round < 6; round++) await failureOf(readAll(client, 'machines.list'))

  expect(vendor.seen).toHaveLength(6 + 10)
})

test('takes JSON of another type, with a byte order mark', async () => {
  const body = '\ufeff [{"id":1}]\r\n'
  const {client} = await meetVendor(answering(200, body, {'content-type': 'text/plain', ...paged(1, 2000, 1)}))

  expect(await readAll(client, 'machines.list')).toEqual([{id: 1}])
})

function expectNoSecrets(failure: Error): void {
  const everything = `${inspect(failure, {depth: 20, showHidden: true})}${JSON.stringify(failure)}${failure.stack}`
  for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret)
}
