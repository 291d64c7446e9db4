import {expect, test} from 'vitest'
import {openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2026-03-01T23:59:00Z')
const {sandbox, caller, limited} = await openSandbox({machines: 14, clock, provisionsPerDay: 3})

const route = '/machines'
const find = (id: number) => sandbox.store.find('machine', id)

test('replaces a machine: what is left out becomes null, and what is read only stays', async () => {
  const {name: _name, bluetoothId: _bluetooth, ...machine} = find(5002) ?? {}
  const foreign = {
    organizationId: 105,
    prose: 'X',
    callInCode: 'X',
    hasPlanogramChange: 'x',
    createdAt: 'x',
    lastHeartBeat: 1,
  }

  const reply = await caller.ask('PATCH', route, {
    body: [{...machine, ...foreign, mode: 'Service', offerSmsReceipts: 9}],
  })

  expect(reply).toMatchObject({status: 204, text: ''})
  expect(find(5002)).toEqual({...machine, name: null, bluetoothId: null, mode: 'Service', offerSmsReceipts: 9})
})

test('a change of stock after the move is booked at the new site', async () => {
  await caller.ask('PATCH', route, {body: [{...find(5001), assetId: 7, siteId: 1006}]})
  await caller.ask('POST', '/selections/apply-delta', {body: [{selectionId: 20001, delta: -1}]})

  const reply = await caller.ask('GET', '/inventory', {requestFilter: {siteIds: [1006], accountIds: [206]}})

  expect((reply.json as unknown[]).at(-1)).toMatchObject({machineId: '5001', siteId: 1006, userId: 1})
})

test.each([
  [{siteId: 1002}, 400, 'GENERIC_ERROR', 'id', 5001],
  [{siteId: 999_999}, 404, 'MISSING_RECORD', 'siteId', 999_999],
  [{siteId: 1040}, 404, 'MISSING_RECORD', 'siteId', 1040],
  [{siteId: undefined}, 421, 'MISSING_REQUIRED_DATA', 'id', 5001],
  [{siteId: 0}, 400, 'GENERIC_ERROR', 'id', 5001],
  [{mode: 5}, 400, 'DESERIALIZATION_ERROR', 'id', 5001],
  [{creditProcessingFee: '0.10'}, 400, 'DESERIALIZATION_ERROR', 'id', 5001],
  [{name: 'n'.repeat(121)}, 400, 'GENERIC_ERROR', 'id', 5001],
  [{id: 999_999}, 404, 'MISSING_RECORD', 'id', 999_999],
  [{id: 5014}, 404, 'MISSING_RECORD', 'id', 5014],
])('refuses %j and changes nothing', async (change, status, code, pointerName, pointer) => {
  const machine = {...find(5001), assetId: 7}

  const reply = await caller.ask('PATCH', route, {
    body: [
      {...find(5002), mode: 'Other'},
      {...machine, ...change},
    ],
  })

  expect(reply).toMatchObject({status, json: [{code, pointers: [pointer], pointerName}]})
  expect(find(5002)).not.toMatchObject({mode: 'Other'})
})

const provision = (organizationIds: unknown, machineIdentifiers: unknown, who = caller) =>
  who.ask('POST', '/machines/provision', {requestFilter: {organizationIds, machineIdentifiers}})

test('what a provisioned machine has is not seen by those it belonged to', async () => {
  await provision([104], ['PRS100000'])

  for (const [path, other] of [
    ['/selections', '5002'],
    ['/machines/settings', '5007'],
    ['/roles/role-rights-at-machine', '5002'],
  ] as const) {
    const {text} = await limited.ask('GET', path, {}, {size: '2000'})
    expect(text).not.toMatch(/"machineId":5001\b|"5001":/)
    expect(text).toContain(other)
  }
})

test('what a provisioned machine did stays with those it belonged to', async () => {
  sandbox.add('metadata', {transactionId: 'B7', machineId: 5001, recordedAtUtc: '2026-03-01T09:00:00'})
  await caller.ask('POST', '/selections/apply-delta', {body: [{selectionId: 20001, delta: -1}]})

  await provision([104], ['PRS100000'])

  const {json} = await limited.ask('GET', '/inventory', {requestFilter: {siteIds: [1001]}})
  expect((json as unknown[]).at(-1)).toMatchObject({machineId: '5001', siteId: 1001, userId: 1})
  const metadata = await limited.ask('GET', '/transactions/metadata', {routeFilter: {transactionIdentifiers: ['B7']}})
  expect(metadata.json).toHaveLength(1)
})

test.each([
  ['no organization', [], ['PRS100000'], 421, 'MISSING_REQUIRED_DATA'],
  ['no machine', [101], undefined, 421, 'MISSING_REQUIRED_DATA'],
  ['two organizations', [101, 102], ['PRS100000'], 400, 'GENERIC_ERROR'],
  ['two machines', [101], ['PRS100000', 'PRS100001'], 400, 'GENERIC_ERROR'],
  ['an unknown organization', [9], ['PRS100000'], 404, 'MISSING_RECORD'],
  ['an unknown serial', [101], ['PRS999999'], 404, 'MISSING_RECORD'],
  ['the id of a machine', [101], ['5001'], 404, 'MISSING_RECORD'],
  ['a serial as a number', [101], [5001], 400, 'DESERIALIZATION_ERROR'],
])('does not provision with %s', async (_what, organizations, machines, status, code) => {
  const reply = await provision(organizations, machines)

  expect(reply).toMatchObject({status, json: [{code}]})
  expect(find(5001)).toMatchObject({organizationId: 101, siteId: 1001})
})
