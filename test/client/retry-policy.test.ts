import {expect, test} from 'vitest'

import {toWait, tryingAgain} from '../../src/client/retry.js'
import {failureOf, meetVendor, readAll} from '../support/client.js'
import {answering} from '../support/faults.js'
import {type Behaviour, paged, reply} from '../support/vendor.js'

test('waits with full jitter, twice as long each time, at most 20 s', () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 50].map((retry) => toWait({}, retry, () => 1))

  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
  expect(toWait({}, 6, () => 0)).toBe(0)
  expect([0, 0.5, 1].map((random) => toWait({isThrottle: true}, 1, () => random))).toEqual([1000, 1500, 2000])
})

test('waits as long as the service asks', () => {
  expect([7000, 60_001].map((wait) => toWait({wait}, 0, () => 1))).toEqual([7000, 60_000])
})

test('a wait that rounds to nothing is not counted in seconds', () => {
  expect([0, 49, 50, 7000].map(tryingAgain)).toEqual([
    'Trying again now.',
    'Trying again now.',
    'Trying again in 0.1 s.',
    'Trying again in 7.0 s.',
  ])
})

test('the waits between the tries of a read', async () => {
  const {client, waits, notices} = await meetVendor(answering(503, ''))

  await failureOf(readAll(client, 'machines.list'))

  expect(waits).toEqual([250, 500, 1000, 2000])
  expect(notices[0]).toContain('Trying again in 0.3 s.')
})

test('a throttled read waits as asked and goes on', async () => {
  const answer: Behaviour = (socket, {headers}, number) => {
    if (number % 2 === 1) socket.write(reply(429, '{"message":"Too Many Requests"}', {'retry-after': '4'}))
    else socket.write(reply(200, '[{"id":1}]', paged(Number(headers['page']), 1, 2)))
  }
  const {client, waits} = await meetVendor(answer)
  const quiet = await meetVendor(answer, {onNotice: undefined})

  expect(await readAll(client, 'machines.list')).toHaveLength(2)
  expect(await readAll(quiet.client, 'machines.list')).toHaveLength(2)
  expect(await quiet.client.write('sites.create', {records: [{name: 'A'}]})).toMatchObject({fate: 'inDoubt'})

  expect(waits).toEqual([4000, 4000])
})

test.each([429, 503])('%i with a wait above a minute stops the read', async (status) => {
  const {vendor, client} = await meetVendor(answering(status, '', {'retry-after': '61'}))

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'limited', code: 'WAIT_TOO_LONG', message: expect.stringContaining('61 s')})
  expect(vendor.seen).toHaveLength(1)
})
