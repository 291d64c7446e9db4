import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'

const {sandbox, caller} = await openSandbox()

const route = '/machines/custom-data'

test('creates custom data and answers ids in the order of the request', async () => {
  const set = [
    {machineId: 5002, key: 'colour', value: 'red, "matt"'},
    {machineId: 5001, key: 'colour'},
  ]

  const reply = await caller.ask('PUT', route, {body: set})

  expect(reply).toMatchObject({status: 200, json: [1, 2]})
  expect(sandbox.store.read('custom_data')).toEqual([
    {id: 1, ...set[0]},
    {id: 2, ...set[1], value: null},
  ])
})

test('keeps one record per machine and key, in the store and within a set', async () => {
  await caller.ask('PUT', route, {body: [{machineId: 5001, key: 'old', value: 'kept'}]})
  const set = [
    {machineId: 5001, key: 'new'},
    {machineId: 5001, key: 'old', value: 'lost'},
    {machineId: 5002, key: 'old'},
    {machineId: 5001, key: 'new'},
  ]

  const reply = await caller.ask('PUT', route, {body: set})

  expect(reply).toMatchObject({
    status: 400,
    json: [{code: 'CUSTOM_DATA_EXISTS', pointers: [1, 3], pointerName: 'index'}],
  })
  expect(sandbox.store.read('custom_data')).toEqual([{id: 1, machineId: 5001, key: 'old', value: 'kept'}])
})

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
