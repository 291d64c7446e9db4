import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'

const {caller} = await openSandbox()

type Setting = {id: number; type: string; isCurrent: boolean; settings: string}
async function settingsOf(machine: string): Promise<Setting[]> {
  const reply = await caller.ask('GET', '/machines/settings', {requestFilter: {machineIdentifiers: [machine]}})
  return reply.json as Setting[]
}
const set = (...body: object[]) => caller.ask('PUT', '/settings', {body})

const retired = {
  id: 3001,
  machineId: 5001,
  settings: 'volume=2\nlanguage=en',
  isActive: true,
  isCurrent: false,
  type: 'Config',
}
const config = {...retired, id: 3002, settings: 'volume=3\nlanguage=en', isCurrent: true}
const network = {
  id: 3003,
  machineId: 5001,
  settings: '{"apn":"m2m.example","dns":"10.10.10.10"}',
  isActive: true,
  isCurrent: true,
  type: 'Network',
}

test('lists records in force and retired ones', async () => {
  expect(await settingsOf('5001')).toEqual([retired, config, network])
})

test('a repeat retires once more, and needs the new id', async () => {
  const [made] = (await set(config)).json as Setting[]

  const again = await set(config)
  const next = await set({...config, id: made?.id})

  expect(again).toMatchObject({status: 404, json: [{code: 'MISSING_RECORD', pointers: [3002], pointerName: 'id'}]})
  expect(next.status).toBe(200)
  expect((await settingsOf('5001')).map(({isCurrent}) => isCurrent)).toEqual([false, false, true, false, true])
})

test('without an id, the record in force of that machine and type is retired', async () => {
  const reply = await set(
    {machineId: 5001, type: 'Config', settings: 'new'},
    {machineId: 5002, type: 'Config', settings: ''.padEnd(3)},
  )

  expect(reply).toMatchObject({
    status: 200,
    json: [{machineId: 5001, isActive: true, isCurrent: true}, {machineId: 5002}],
  })
  expect((await settingsOf('5001')).filter(({type, isCurrent}) => type === 'Config' && isCurrent)).toMatchObject([
    {settings: 'new'},
  ])
  expect(await settingsOf('5002')).toMatchObject([{settings: '   ', isCurrent: true}])
})

test('whether a record is current is not for the caller to say', async () => {
  const reply = await set({...config, isCurrent: false})

  expect(reply).toMatchObject({status: 200, json: [{isCurrent: true}]})
})

test.each([
  [[{...retired}], 404, 'MISSING_RECORD', 'id', 3001],
  [[{...config, id: 9}], 404, 'MISSING_RECORD', 'id', 9],
  [[{...config, machineId: 5002}], 400, 'GENERIC_ERROR', 'id', 3002],
  [[{...config, type: 'Other'}], 400, 'GENERIC_ERROR', 'id', 3002],
  [[config, {machineId: 5001, type: 'Config', settings: 'x'}], 400, 'GENERIC_ERROR', 'index', 2],
  [[{machineId: 9, type: 'Config', settings: 'x'}], 404, 'MISSING_RECORD', 'machineId', 9],
  [[{machineId: 5001, type: 'Config'}], 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [[{machineId: 5001, settings: 'x'}], 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [[{type: 'Config', settings: 'x'}], 421, 'MISSING_REQUIRED_DATA', 'index', 1],
  [[{machineId: 5001, type: 'Config', settings: 5}], 400, 'DESERIALIZATION_ERROR', 'index', 1],
])('refuses %j and retires nothing', async (guilty, status, code, pointerName, pointer) => {
  const reply = await set({...network, settings: 'changed'}, ...guilty)

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(await settingsOf('5001')).toEqual([retired, config, network])
})
