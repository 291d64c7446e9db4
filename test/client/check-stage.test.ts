import {expect, test} from 'vitest'

import {checkStage} from '../../src/client/request.js'
import {createTestClient, failureOf, readAll} from '../support/client.js'

test('stage v1 has no bulk requests', async () => {
  expect(() => checkStage('v2', {command: 'sites list', since: 'v2'})).not.toThrow()
  const {client} = createTestClient('https://api.vendor.test', {settings: {stage: 'v1'}})

  expect(await failureOf(readAll(client, 'sites.list'))).toMatchObject({exit: 'usage', code: 'STAGE_WITHOUT_BULK'})
  expect(await failureOf(client.write('sites.create', {records: []}))).toMatchObject({exit: 'usage'})
  expect(client.requestsUsed).toBe(0)
})

test('stage v2 has no sessions', async () => {
  const {client} = createTestClient('https://api.vendor.test', {settings: {stage: 'v2'}})
  const failure = {exit: 'usage', code: 'STAGE_WITHOUT_SESSIONS'}

  expect(await failureOf(readAll(client, 'sessions.list'))).toMatchObject(failure)
  expect(await failureOf(readAll(client, 'sessions.events'))).toMatchObject(failure)
  expect(() => checkStage('rc', {command: 'sessions list', since: 'v2.1'})).not.toThrow()
  expect(client.requestsUsed).toBe(0)
})
