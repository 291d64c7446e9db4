import {describe, expect, test} from 'vitest'

import type {WriteAnswer} from '../../src/client/types.js'
import {createTestClient, failureOf, meetVendor, readAll} from '../support/client.js'
import {answering, faults} from '../support/faults.js'
import {type Behaviour, errorList, startVendor} from '../support/vendor.js'

type Row = [name: string, fault: Behaviour, fate: WriteAnswer['fate'], status?: number]

const html = '<!doctype html><html><body>oops</body></html>'
const elsewhere = {location: 'https://evil.test/'}

/** Met by a write that is sent exactly once, whatever the fault. What other statuses mean stands in fate.test.ts. */
const rows: Row[] = [
  ['reset after the request', faults.resetBefore, 'inDoubt'],
  ['closed without an answer', faults.closeBefore, 'inDoubt'],
  ['cut body, content-length', faults.cutByLength, 'inDoubt', 200],
  ['cut body, chunked', faults.cutInChunks, 'inDoubt', 200],
  ['cut body, no length', faults.cutWithoutLength, 'inDoubt', 200],
  ['cut body, gzip', faults.cutInGzip, 'inDoubt', 200],
  ['no HTTP', faults.notHttp, 'inDoubt'],
  ['headers above 16 KB', faults.headerOverflow, 'inDoubt'],
  ['brotli', faults.brotli, 'inDoubt', 200],
  ['200 HTML', faults.htmlPage, 'inDoubt', 200],
  ['200 error list', faults.errorListAt200, 'inDoubt', 200],
  ['200 gateway message', faults.messageAt200, 'inDoubt', 200],
  ['200 rubbish', faults.rubbishAt200, 'inDoubt', 200],
  ['200 empty list', answering(200, '[]'), 'inDoubt'],
  ['202 accepted', faults.accepted, 'inDoubt', 202],
  ['400', answering(400, errorList('GENERIC_ERROR')), 'refused', 400],
  ['400 result count', answering(400, errorList('UNEXPECTED_RESULT_COUNT')), 'inDoubt', 400],
  ['403 bad key', answering(403, '{"message":"Forbidden"}'), 'refused', 403],
  ['408', answering(408, ''), 'inDoubt', 408],
  ['413', answering(413, '{"message":"Request size limit exceeded"}'), 'refused', 413],
  ['500 unknown', answering(500, errorList('UNKNOWN_ERROR')), 'inDoubt', 500],
  ['503', answering(503, '', {'retry-after': '1'}), 'inDoubt', 503],
  ['504 HTML', answering(504, html), 'inDoubt', 504],
  ['301', answering(301, '', elsewhere), 'refused', 301],
  ['303', answering(303, '', elsewhere), 'inDoubt', 303],
]

const writes = {
  'sites.create': {records: [{name: 'A'}, {name: 'B'}]},
  'alerts.update': {records: [{id: 1}, {id: 2}]},
  'selections.delete': {records: [{id: 1}, {id: 2}]},
  'selections.adjust': {records: [{selectionId: 1, delta: 2}]},
  'alerts.clear': {filters: {alertIds: [1, 2]}},
} as const

const ids = Object.keys(writes) as (keyof typeof writes)[]

for (const [name, fault, fate, status] of rows) {
  test.each(ids)(`%s meets: ${name}`, async (id) => {
    const {vendor, client} = await meetVendor(fault)

    const answer = await client.write(id, structuredClone(writes[id]) as object)

    expect(answer).toMatchObject({fate, ...(status !== undefined && {status})})
    expect(vendor.seen).toHaveLength(1)
    expect(client.requestsUsed).toBe(1)
  })
}

test.each([
  ['gzipBomb', 'the answer unpacks to more than 200 times its size'],
  ['tooLarge', 'the answer is larger than 64 MB'],
  ['cutInGzip', 'the compressed answer is damaged or cut short'],
] as const)('an answer that is too large or damaged is not read to its end: %s, %s', async (name, why) => {
  const {vendor, client} = await meetVendor(faults[name])

  expect(await client.write('sites.create', {records: [{name: 'A'}]})).toMatchObject({
    fate: 'inDoubt',
    status: 200,
    why,
  })
  expect([vendor.seen.length, client.requestsUsed]).toEqual([1, 1])
})

test.each(['stalledHeaders', 'dripping'] as const)('write meets: %s, ended by the time limit', async (name) => {
  const {vendor, client} = await meetVendor(faults[name], {settings: {timeoutSeconds: 1}})

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'inDoubt', why: expect.stringContaining('in time')})
  expect(vendor.seen).toHaveLength(1)
})

test('a closed port proves that nothing was sent', async () => {
  const vendor = await startVendor(() => {})
  await vendor.close()
  const {client} = createTestClient(vendor.url)

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'unsent', failure: {exit: 'unavailable', code: 'UNREACHABLE'}})
  expect(client.requestsUsed).toBe(1)
})

test('a log that fails changes nothing of what is said', async () => {
  await using vendor = await startVendor(answering(200, '[1]'))
  const onRequest = () => {
    throw new Error('disk full')
  }
  const {client} = createTestClient(vendor.url, {onRequest})

  expect(await client.write('sites.create', {records: [{name: 'A'}]})).toMatchObject({fate: 'applied', ids: [1]})
})

test('keeps pointers and messages of a refusal as they came', async () => {
  const message = 'Name \u001b[31mtaken\u001b[0m'
  const list = [
    {code: 'NAME_UNIQUENESS', message, pointers: [0, 'Grain Mill'], pointerName: 'name'},
    {code: 'X', message: 'n', pointers: []},
  ]
  const body = JSON.stringify(list).replace('[0,', '[9007199254740993,')
  const {client} = await meetVendor(answering(400, body))

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toEqual({
    fate: 'refused',
    status: 400,
    refusals: [
      {code: 'NAME_UNIQUENESS', message, pointers: ['9007199254740993', 'Grain Mill'], pointerName: 'name'},
      {code: 'X', message: 'n', pointers: []},
    ],
  })
})

test('a short secret does not blot out the words of a refusal', async () => {
  const {client} = await meetVendor(answering(400, errorList('GENERIC_ERROR', [12])), {
    token: '12',
    credentials: async () => ({apiKey: 'E'}),
  })

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({refusals: [{code: 'GENERIC_ERROR', pointers: [12]}]})
})

test('sends the same bytes again after a throttle, at most five times', async () => {
  const {vendor, client, waits} = await meetVendor((socket, seen, number) => {
    if (number <= 5) answering(429, '{"message":"Too Many Requests"}', {'retry-after': '2'})(socket, seen, number)
    else answering(200, '[1]')(socket, seen, number)
  })

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer.fate).toBe('applied')
  expect(waits).toEqual([2000, 2000, 2000, 2000, 2000])
  expect(new Set(vendor.seen.map(({body}) => body)).size).toBe(1)
})

test('stops a write that stays throttled', async () => {
  const {vendor, client} = await meetVendor(answering(429, ''))

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'unsent', failure: {exit: 'limited', code: 'THROTTLED'}})
  expect(vendor.seen).toHaveLength(6)
})

test.each([
  ['quota', '{"message":"Limit Exceeded"}', {}, 'QUOTA'],
  ['a wait of a day', '', {'retry-after': '86400'}, 'WAIT_TOO_LONG'],
])('stops a write at once at %s', async (_name, body, headers, code) => {
  const {vendor, client} = await meetVendor(answering(429, body, headers))

  const answer = await client.write('sites.create', {records: [{name: 'A'}]})

  expect(answer).toMatchObject({fate: 'unsent', failure: {exit: 'limited', code}})
  expect(vendor.seen).toHaveLength(1)
})

describe('a refusal without end', () => {
  test('of 60,000 pointers is cut, and says so', async () => {
    const pointers = Array.from({length: 60_000}, (_, index) => index)
    const {client} = await meetVendor(answering(400, errorList('GENERIC_ERROR', pointers, 'index')))

    const answer = await client.write('sites.create', {records: [{name: 'A'}]})
    const read = await failureOf(readAll(client, 'machines.list'))

    expect(answer).toMatchObject({fate: 'refused', status: 400})
    const [refusal] = answer.fate === 'refused' ? answer.refusals : []
    expect(refusal?.pointers).toHaveLength(50_000)
    expect(refusal?.message).toBe('about GENERIC_ERROR (10,000 further pointers left out)')
    expect(read.message.length).toBeLessThan(1_000)
  })

  test('of 12,000 errors is cut, and says so', async () => {
    const list = JSON.stringify(Array.from({length: 12_000}, () => ({code: 'GENERIC_ERROR', message: 'no'})))
    const {client} = await meetVendor(answering(400, list))

    const answer = await client.write('sites.create', {records: [{name: 'A'}]})

    const refusals = answer.fate === 'refused' ? answer.refusals : []
    expect(refusals).toHaveLength(10_000)
    expect(refusals.at(-1)?.message).toBe('no (2,000 further errors left out)')
  })

  test('that is larger than 8 MB leaves a write in doubt, and a read failed', async () => {
    let written = 0
    const {client} = await meetVendor((socket) => {
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')])
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length
      }
      socket.write('HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n')
      socket.on('drain', more)
      more()
    })

    const answer = await client.write('sites.create', {records: [{name: 'A'}]})
    const read = await failureOf(readAll(client, 'machines.list', {}, 50))

    expect(answer).toMatchObject({fate: 'inDoubt', status: 400, why: 'the answer is larger than 8 MB'})
    expect(read).toMatchObject({exit: 'unavailable', code: 'BODY_TOO_LARGE'})
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })
})
