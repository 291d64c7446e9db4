import {expect, test} from 'vitest'
import type {ReadId} from '../../../src/contract/index.js'
import {printJson} from '../../../src/values/json.js'
import {createTestClient, failureOf, meetVendor, readAll} from '../../support/client.js'
import {answering} from '../../support/faults.js'
import {paged, reply, startVendor} from '../../support/vendor.js'

/** What a read makes of a body. */
async function read(id: ReadId, body: string, headers: Record<string, string> = {}) {
  const {vendor, client} = await meetVendor(answering(200, body, headers))
  try {
    return {rows: printJson(await readAll(client, id)), requests: vendor.seen.length}
  } finally {
    client.close()
  }
}

const failureAt = (id: ReadId, body: string, headers = {}) => failureOf(read(id, body, headers))

test('an object of lists becomes one row for each value, digits kept', async () => {
  const body = '{"7":[3,9007199254740993],"12":[],"9007199254740993":[4]}'

  expect(await read('roles.rights', body)).toEqual({
    rows: '[{"machineId":7,"rightId":3},{"machineId":7,"rightId":9007199254740993},{"machineId":9007199254740993,"rightId":4}]',
    requests: 1,
  })
  expect((await read('roles.rights', '{"PRS100001":["7"]}')).rows).toBe('[{"machineId":"PRS100001","rightId":"7"}]')
  expect((await read('roles.rights', '\ufeff{}')).rows).toBe('[]')
})

test('such an answer is one page, however many rows it makes, unless it promises more', async () => {
  const rights = Array.from({length: 5_000}, (_, index) => index + 1)
  const body = JSON.stringify({7: rights})

  expect((await read('roles.rights', body)).requests).toBe(1)
  expect((await read('roles.rights', JSON.stringify({7: rights.slice(0, 2_000)}))).requests).toBe(1)
  expect((await read('roles.rights', body, paged(1, 50, 1))).requests).toBe(1)
})

test.each([
  ['with the size of its pages', (page: number) => paged(page, 50, 3)],
  ['without', (page: number) => ({page: String(page), 'total-pages': '3'})],
])('such an answer that comes in pages is read to its end, %s', async (_what, headersOf) => {
  const bodies = [
    `{"7":${JSON.stringify(Array.from({length: 80}, (_, at) => at))},"8":[1]}`,
    '{"8":[2],"9":[]}',
    '{"10":[3]}',
  ]
  await using vendor = await startVendor((socket, _, number) =>
    socket.write(reply(200, bodies[number - 1] ?? '', headersOf(number))),
  )
  const {client} = createTestClient(vendor.url)

  const rows = await readAll(client, 'roles.rights')

  expect(rows).toHaveLength(83)
  expect(vendor.seen).toHaveLength(3)
})

test.each([
  ['null', 'a body that is no object, where one with a list for each id is expected'],
  ['[]', 'a body that is no object, where one with a list for each id is expected'],
  ['[{"machineId":7}]', 'a body that is no object'],
  ['{"7":3}', 'an object whose member "7" is no list of ids'],
  ['{"7":null}', 'an object whose member "7" is no list of ids'],
  ['{"7":[{"id":1}]}', 'an object whose member "7" is no list of ids'],
  ['{"7":[null]}', 'an object whose member "7" is no list of ids'],
  ['{"7":[1],}', 'a body that is not JSON'],
  ['{"message":"Forbidden"}', '"Forbidden"'],
  ['<html></html>', 'an HTML page'],
])('%s is not taken for rights', async (body, message) => {
  expect(await failureAt('roles.rights', body)).toMatchObject({
    code: 'ANSWER_SENSELESS',
    message: expect.stringContaining(message),
  })
})

test('an object that is cut short is asked for again', async () => {
  await using vendor = await startVendor((socket, _, number) =>
    socket.write(reply(200, number === 1 ? '{"7":[1,2' : '{"7":[1,2]}')),
  )
  const {client} = createTestClient(vendor.url)

  expect(await readAll(client, 'roles.rights')).toHaveLength(2)
  expect(vendor.seen).toHaveLength(2)
})

test('fields that services also send under another name stand under the name of the contract', async () => {
  const session = '[{"id":5,"loginId":"ana","loginWasSuccessfull":true,"price":10.10}, {"ID":6,"LOGINID":"bo"}]'

  expect((await read('sessions.list', session)).rows).toBe(
    '[{"id":5,"login":"ana","loginWasSuccessful":true,"price":10.10},{"ID":6,"login":"bo"}]',
  )
  expect((await read('sessions.events', '[{"id":1,"sessionIdId":5,"additionalData":"x"}]')).rows).toBe(
    '[{"id":1,"sessionId":5,"data":"x"}]',
  )
})

test('a text that services also send as a number is a text, digit for digit', async () => {
  const selections = '[{"id":5,"selectionNumber":6,"price":1.50},{"id":6,"SELECTIONNUMBER": 60.50}]'

  expect((await read('selections.list', selections)).rows).toBe(
    '[{"id":5,"selectionNumber":"6","price":1.50},{"id":6,"SELECTIONNUMBER":"60.50"}]',
  )
  expect((await read('reports.inventory', '[{"id":"B1","selection":6,"productId":9007199254740993}]')).rows).toBe(
    '[{"id":"B1","selection":"6","productId":"9007199254740993"}]',
  )
  expect((await read('selections.list', '[{"id":5,"selectionNumber":null,"productId":7}]')).rows).toBe(
    '[{"id":5,"selectionNumber":null,"productId":7}]',
  )
})

test('a record with both names keeps both, and one of the usual names is left as it came', async () => {
  expect((await read('sessions.list', '[{"id":5,"login":"ana","loginId":8}]')).rows).toBe(
    '[{"id":5,"login":"ana","loginId":8}]',
  )
  expect((await read('sessions.list', '[{"id":5,"login":"\\"loginId\\": 3"}]')).rows).toBe(
    '[{"id":5,"login":"\\"loginId\\": 3"}]',
  )
})

test('a record that is not JSON is named by its place, other names or not', async () => {
  const failure = await failureAt('sessions.list', '[{"id":5,"loginId":"a"},{"id":6,"loginId":}]')

  expect(failure.message).toContain('record 2 of page 1 is not a JSON object')
})

test('an asked session is recognised by the other name of its id', async () => {
  const {client} = await meetVendor(answering(200, '[{"id":1,"sessionIdId":5},{"id":2,"sessionIdId":6}]'))

  const failure = await failureOf(readAll(client, 'sessions.events', {sessionIds: [5]}))

  expect(failure).toMatchObject({code: 'FILTER_NOT_HONOURED', message: expect.stringContaining('sessionId 6')})
})
