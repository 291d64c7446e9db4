import {expect, test} from 'vitest'
import {idsOf, openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2026-03-01T10:00:00Z')
const {sandbox, caller, limited} = await openSandbox({batches: 400, machines: 30, clock})

test.each([
  ['/selections', {requestFilter: {machineIdentifiers: ['PRS100000'], selectionIds: [20001, 20031]}}, [20001]],
  ['/selections', {requestFilter: {organizationIds: [102], selectionIds: [20001, 20031]}}, [20031]],
  ['/selections', {requestFilter: {siteIds: [1002], selectionIds: [20001, 20031]}}, [20031]],
  ['/selections', {requestFilter: {accountIds: [201], selectionIds: [20001, 20031]}}, [20001]],
  ['/templates', {requestFilter: {organizationIds: [101]}}, [411, 412]],
  ['/template-selections', {routeFilter: {templateIds: [411]}}, []],
  ['/products', {requestFilter: {organizationIds: [103], productIds: [800, 811, 999]}}, [800, 811]],
  ['/roles', {requestFilter: {organizationIds: [102]}}, [64, 65, 66]],
  ['/roles', {requestFilter: {organizationsId: [102]}}, [64, 65, 66]],
  ['/roles', {requestFilter: {organizationIds: [102], organizationsId: [102]}}, [64, 65, 66]],
  ['/roles', {requestFilter: {organizationIds: [102], organizationsId: [101]}}, []],
  [
    '/role-rights',
    {requestFilter: {organizationIds: [101]}, routeFilter: {roleIdentifiers: ['62']}},
    [6005, 6006, 6007, 6008],
  ],
  ['/role-rights', {routeFilter: {roleIdentifiers: ['61', '62'], rightIds: [2]}}, [6002, 6006]],
  ['/role-rights', {routeFilter: {roleRightIds: [6003]}}, [6003]],
  ['/machines/settings', {requestFilter: {machineIdentifiers: ['5004']}}, [3004, 3005, 3006]],
])('%s %j', async (path, filters, ids) => {
  for (const method of ['GET', 'POST']) {
    const reply = await caller.ask(method, path, filters)
    expect([reply.status, idsOf(reply)]).toEqual([200, ids])
  }
})

test.each([
  [
    '/sessions/management',
    {requestFilter: {organizationIds: [101, 103]}},
    'UNAUTHORIZED_DATA_ACCESS',
    [103],
    'organizationIds',
  ],
  [
    '/sessions/management/events',
    {requestFilter: {machineIdentifiers: ['5003']}},
    'UNAUTHORIZED_DATA_ACCESS',
    ['5003'],
    'machineIdentifiers',
  ],
  ['/sessions/management', {routeFilter: {sessionIds: [8003]}}, 'UNAUTHORIZED_DATA_ACCESS', [8003], 'sessionIds'],
  ['/roles', {requestFilter: {organizationsId: [103]}}, 'DATA_ACCESS', [103], 'organizationIds'],
  ['/selections', {requestFilter: {selectionIds: [20061]}}, 'DATA_ACCESS', [20061], 'selectionIds'],
  ['/role-rights', {routeFilter: {roleRightIds: [6033]}}, 'DATA_ACCESS', [6033], 'roleRightIds'],
  ['/inventory', {requestFilter: {organizationIds: [103]}}, 'DATA_ACCESS', [103], 'organizationIds'],
])('a limited caller is refused %s %j', async (path, filters, code, pointers, pointerName) => {
  sandbox.store.change('UPDATE session SET organization_id = 103 WHERE id = 8003')

  const reply = await limited.ask('GET', path, filters)

  expect(reply).toMatchObject({status: 403, json: [{code, pointers, pointerName}]})
})
