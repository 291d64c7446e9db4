import {expect, test} from 'vitest'
import {idsOf, openSandbox} from './ask.js'
import {createManualClock} from './manual-clock.js'

const clock = createManualClock('2026-03-01T10:00:00Z')
const {sandbox, caller, limited} = await openSandbox({batches: 400, machines: 30, clock})

type Row = {[name: string]: unknown; id: unknown}
const rows = (json: unknown) => json as Row[]

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

test.each(['/inventory', '/reports/inventory-adjustments'])('%s compares dates in UTC, both included', async (path) => {
  const all = rows((await caller.ask('GET', path, {}, {size: '100'})).json)
  const [from, to] = [all[10]?.['adjustmentOccurredAt'], all[20]?.['adjustmentOccurredAt']]

  const reply = await caller.ask('GET', path, {requestFilter: {StartDate: from, EndDate: to}})

  const inside = all.filter(
    (one) => String(one['adjustmentOccurredAt']) >= String(from) && String(one['adjustmentOccurredAt']) <= String(to),
  )
  expect(inside.length).toBeGreaterThanOrEqual(11)
  expect(idsOf(reply)).toEqual(inside.map(({id}) => id))
})

test('inventory serves at most 100 records a page and 31 days a request', async () => {
  const dates = {StartDate: '2025-01-01T00:00:00', EndDate: '2026-03-01T10:00:00'}

  const reply = await caller.ask('GET', '/inventory', {requestFilter: dates}, {size: '2000'})

  expect(reply.headers['size']).toBe('100')
  expect(reply.headers['search-range-end-date']).toBe('2025-02-01T00:00:00')
})

test('inventory is found by machine, site, account and its own id', async () => {
  const [one] = rows((await caller.ask('GET', '/inventory', {})).json)
  const siteId = Number(one?.['siteId'])
  const {accountId} = sandbox.store.find('site', siteId) ?? {}
  for (const filters of [
    {requestFilter: {machineIdentifiers: [one?.['machineId']]}},
    {requestFilter: {siteIds: [siteId]}},
    {requestFilter: {accountIds: [accountId]}},
    {routeFilter: {transactionIdentifiers: [one?.id]}},
  ]) {
    const reply = await caller.ask('GET', '/inventory', filters)
    expect(idsOf(reply)[0]).toBe(one?.id)
  }
})

test('metadata names its transaction, and its line items are those of the batch', async () => {
  const [first] = rows((await caller.ask('GET', '/transactions/metadata', {})).json)
  const id = first?.['transactionId']

  const batch = await caller.ask('GET', '/reports/transactions', {
    requestFilter: {StartDate: '2025-11-01', EndDate: '2025-11-15'},
    routeFilter: {transactionIdentifiers: [id]},
  })
  const own = await caller.ask('GET', '/transactions/metadata', {routeFilter: {transactionIdentifiers: [id]}})

  expect(first).not.toHaveProperty('id')
  expect(own.json).toEqual([first])
  type Item = {
    id: number
    lineItemId: number
    occurredAtUtc: string
    occurredAtLocal: string
    occurredAtLocalTime: string
  }
  const items = (batch.json as {lineItems: Item[]}[])[0]?.lineItems ?? []
  expect(items.length).toBeGreaterThan(0)
  expect(
    ((first?.['lineItems'] ?? []) as Item[]).map((item) => [item.lineItemId, item.occurredAtUtc, item.occurredAtLocal]),
  ).toEqual(items.map((item) => [item.id, item.occurredAtUtc, item.occurredAtLocalTime]))
})

test('metadata serves a year', async () => {
  const reply = await caller.ask('GET', '/transactions/metadata', {requestFilter: {EndDate: '2026-03-01T10:00:00'}})

  expect(reply.headers['search-range-start-date']).toBe('2025-03-01T10:00:00')
})

test('sessions and their events are found by date, machine, session and event', async () => {
  const dates = {StartDate: '2026-02-20T00:00:00', EndDate: '2026-02-25T00:00:00'}
  const sessions = rows((await caller.ask('GET', '/sessions/management', {requestFilter: dates})).json)
  const [, withMachine] = [sessions[0], sessions.find(({machineId}) => machineId !== null)]
  const events = await caller.ask('GET', '/sessions/management/events', {
    requestFilter: dates,
    routeFilter: {sessionIds: [withMachine?.id]},
  })
  const [event] = rows(events.json)

  expect(sessions.length).toBeGreaterThan(10)
  expect(event).toMatchObject({sessionId: withMachine?.id, loggedAt: withMachine?.['startedAtUtc']})
  const byEvent = await caller.ask('GET', '/sessions/management', {
    requestFilter: dates,
    routeFilter: {sessionEventIds: [event?.id]},
  })
  expect(byEvent.json).toEqual([withMachine])
  const byMachine = await caller.ask('GET', '/sessions/management', {
    requestFilter: {...dates, machineIdentifiers: [String(withMachine?.['machineId'])]},
  })
  expect(byMachine.json).toContainEqual(withMachine)
})

test('sessions are served from v2.1 on', async () => {
  const {headers} = caller
  const reply = await fetch(`${sandbox.url}/v2/sessions/management`, {method: 'POST', headers, body: '{}'})

  expect(reply.status).toBe(403)
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

test.each([
  ['/selections', 'machineId'],
  ['/inventory', 'machineId'],
  ['/machines/settings', 'machineId'],
])('without a filter, a limited caller reads %s of its organizations only', async (path, name) => {
  const machines = new Set(idsOf(await limited.ask('GET', '/machines', {}, {size: '2000'})).map(String))

  const reply = await limited.ask('GET', path, {}, {size: '2000'})

  expect(rows(reply.json).length).toBeGreaterThan(0)
  expect(rows(reply.json).every((row) => machines.has(String(row[name])))).toBe(true)
})

test('rights at machines are one object without pages', async () => {
  const reply = await caller.ask(
    'GET',
    '/roles/role-rights-at-machine',
    {requestFilter: {machineIdentifiers: ['5001', 'PRS100001']}},
    {size: '1'},
  )

  expect(reply.json).toEqual({5001: [1, 2, 3], 5002: [1, 2, 3]})
  expect(reply.headers).not.toHaveProperty('total-pages')
})

test('rights at machines are narrowed by role, and may be none', async () => {
  const ask = (roleIdentifiers: string[]) =>
    caller.ask('POST', '/roles/role-rights-at-machine', {
      requestFilter: {machineIdentifiers: ['5001']},
      routeFilter: {roleIdentifiers},
    })

  expect((await ask(['62'])).json).toEqual({5001: [3]})
  expect(await ask(['999'])).toMatchObject({status: 200, json: {}})
})
