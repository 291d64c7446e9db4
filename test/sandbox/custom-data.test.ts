import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'

const {sandbox, caller} = await openSandbox()

const route = '/machines/custom-data'

test.each([
  [{machineId: 5003}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{key: 'k'}, 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [{machineId: '5003', key: 'k'}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{machineId: 5003, key: 'k', value: 5}, 400, 'DESERIALIZATION_ERROR', 'index', 1],
  [{machineId: 5003, key: 'k'.repeat(51)}, 400, 'GENERIC_ERROR', 'index', 1],
  [{machineId: 5003, key: 'k', value: 'v'.repeat(501)}, 400, 'GENERIC_ERROR', 'index', 1],
  [{machineId: 0, key: 'k'}, 400, 'GENERIC_ERROR', 'index', 1],
  [{machineId: 999_999, key: 'k'}, 404, 'MISSING_RECORD', 'machineId', 999_999],
  [{machineId: 5010, key: 'k'}, 404, 'MISSING_RECORD', 'machineId', 5010],
])('refuses %j and creates nothing', async (element, status, code, pointerName, pointer) => {
  const reply = await caller.ask('PUT', route, {body: [{machineId: 5001, key: 'fine'}, element]})

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(sandbox.store.count('custom_data')).toBe(0)
})
