import {expect} from 'vitest'
import {createClient, numberText, printJson, toNumber} from '../../src/index.js'
import {failureOf} from '../support/client.js'
import {paged, reply, startVendor} from '../support/vendor.js'
import {gather, test} from './fixture.js'

const site = {
  accountId: 201,
  orgId: 101,
  name: 'New Wharf',
  isActive: true,
  maxChargePrice: 500,
  maximumMeterSalesJumpAllowed: 1000,
  commissionTerms: 'Net30',
} as const

test('logs in once and reads all pages, filtered, every digit kept', async ({sandbox, open}) => {
  const client = open()

  const machines = await gather(client.readPages('machines.list', {filters: {siteIds: [1001, 1002]}, pageSize: 1}))

  expect(machines.length).toBe(2)
  expect(new Set(machines.map(({siteId}) => siteId))).toEqual(new Set([1001, 1002]))
  expect(machines.map(({taxPercentage}) => numberText(taxPercentage ?? 0))).toEqual(['0.00', '0.00'])
  expect(printJson({tax: machines[0]?.taxPercentage ?? null})).toBe('{"tax":0.00}')
  expect(sandbox.requests()['auth.login']).toEqual({200: 1})
})

test('asks for credentials when the first request needs them', async ({sandbox, open}) => {
  let asked = 0
  const credentials = () => {
    asked++
    return sandbox
  }
  const client = open({credentials})
  expect(asked).toBe(0)

  await client.login()
  await gather(client.readPages('accounts.list'))

  expect(asked).toBe(1)
})

test('takes a token from outside and gives the new one back', async ({sandbox, open}) => {
  const kept: (string | undefined)[] = []
  const client = open({
    tokens: {read: async () => undefined, write: async (token) => void kept.push(token?.accessToken)},
  })

  const {accessToken} = await client.login()

  expect(kept).toEqual([accessToken])
  expect(sandbox.requests()['auth.login']).toEqual({200: 1})
})

test('writes a set, shows the exact body before it leaves, and tells the fate', async ({sandbox, open}) => {
  const bodies: string[] = []
  const count = sandbox.store.read('site').length

  const answer = await open().write(
    'sites.create',
    {records: [{...site, commissionPercentage: toNumber('5')}]},
    {beforeSend: (body) => bodies.push(body)},
  )

  expect(answer).toMatchObject({fate: 'applied', ids: [expect.any(Number)]})
  expect(sandbox.store.read('site').length).toBe(count + 1)
  expect(bodies).toEqual([printJson({requestFilter: {}, routeFilter: {}, body: [{...site, commissionPercentage: 5}]})])
})

test('what beforeSend throws keeps the write from being sent', async ({sandbox, open}) => {
  const count = sandbox.store.read('site').length
  const beforeSend = () => {
    throw new Error('the disk is full')
  }

  const answer = await open().write('sites.create', {records: [site]}, {beforeSend})

  expect(answer).toMatchObject({fate: 'unsent', failure: {message: 'the disk is full'}})
  expect(sandbox.store.read('site').length).toBe(count)
})

test('an update changes the fields that are given and leaves the others', async ({sandbox, open}) => {
  const client = open()
  const before = sandbox.store.read('site').find(({id}) => id === 1001)

  const answer = await client.update('sites.update', [{id: 1001, maxChargePrice: 700}])
  const none = await failureOf(client.update('sites.update', [{id: 999_999, maxChargePrice: 700}]))

  expect(answer).toMatchObject({fate: 'applied'})
  expect(sandbox.store.read('site').find(({id}) => id === 1001)).toEqual({...before, maxChargePrice: 700})
  expect(none).toMatchObject({exit: 'usage', message: expect.stringContaining('there is no record 999999')})
  expect(sandbox.requests()['sites.update']).toEqual({204: 1})
})

test('a refused set names its record, one without an answer is in doubt, not sent again', async ({sandbox, open}) => {
  const client = open()
  await client.write('sites.create', {records: [site]})

  const refused = await client.write('sites.create', {records: [{...site, name: 'Other'}, site]})
  sandbox.faults.set(['reset-after-commit@sites.create#1'])
  const doubted = await client.write('sites.create', {records: [{...site, name: 'Third'}]})

  expect([refused, doubted]).toMatchObject([
    {fate: 'refused', status: 400, refusals: [{code: 'NAME_UNIQUENESS', pointers: [1]}]},
    {fate: 'inDoubt', refusals: []},
  ])
  expect(sandbox.requests()['sites.create']).toEqual({200: 1, 400: 1, none: 1})
})

test('reads the report over more days than one request may ask for, every batch once', async ({sandbox, open}) => {
  const pages = open().readReport({start: '-130d', pageSize: 50})

  let last: {done: number; isMore: boolean; drifted: number} | undefined
  const ids: string[] = []
  for await (const {records, ...page} of pages) {
    ids.push(...records.map(({id}) => id ?? ''))
    last = page
  }

  expect(last).toMatchObject({done: 1, isMore: false, drifted: 0})
  expect([ids.length, new Set(ids).size]).toEqual([400, 400])
  expect(sandbox.requests()['reports.transactions']?.[200]).toBeGreaterThan(8)
})

test('dates that are clamped are a failure, unless that is allowed', async () => {
  await using vendor = await startVendor((socket) => {
    socket.write(reply(200, '[]', {...paged(1, 50, 1), 'search-range-end-date': '2024-06-30T00:00:00'}))
  })
  const tokens = {read: async () => ({accessToken: 'token'}), write: async () => undefined}
  const client = createClient({baseUrl: vendor.url, credentials: {apiKey: 'key'}, tokens, environment: {}})
  const filters = {EndDate: '2024-12-31'}

  const failure = await failureOf(gather(client.readPages('alerts.list', {filters})))
  const {value} = await client.readPages('alerts.list', {filters, allowClamp: true}).next()

  expect(failure).toMatchObject({code: 'RANGE_CLAMPED', exit: 'incomplete'})
  expect(failure.hints.join()).toContain('allowClamp')
  expect(value).toMatchObject({served: {end: expect.any(String)}})
})

test('a record that moved to the next page comes once and is counted', async () => {
  const pages = ['[{"id":1},{"id":2}]', '[{"id":2},{"id":3}]']
  await using vendor = await startVendor((socket, {headers}) => {
    const page = Number(headers['page'])
    socket.write(reply(200, pages[page - 1] ?? '', paged(page, 2, 2)))
  })
  const tokens = {read: async () => ({accessToken: 'token'}), write: async () => undefined}
  const client = createClient({baseUrl: vendor.url, credentials: {apiKey: 'key'}, tokens, environment: {}})

  const read: [unknown[], number][] = []
  for await (const {records, drifted} of client.readPages('accounts.list', {pageSize: 2}))
    read.push([records.map(({id}) => id), drifted])

  expect(read).toEqual([
    [[1, 2], 0],
    [[3], 1],
  ])
})

test('reads and changes what the published documentation shows, typed', async ({sandbox, open}) => {
  const client = open()
  const [first, second] = await gather(client.readPages('selections.list', {filters: {machineIdentifiers: ['5001']}}))
  const before: number = Number(numberText(first?.count ?? 0))

  const rights = await gather(client.readPages('roles.rights', {filters: {machineIdentifiers: [5001]}}))
  const adjusted = await client.write('selections.adjust', {
    records: [{selectionId: first?.id ?? 0, delta: before > 0 ? -1 : 1}],
  })
  const deleted = await client.write('selections.delete', {records: [{id: second?.id ?? 0}]})
  const applied = await client.write('templates.apply', {filters: {machineIdentifiers: ['5001'], templateIds: [412]}})

  expect(rights.length).toBeGreaterThan(0)
  expect(new Set(rights.map(({machineId}) => machineId))).toEqual(new Set([5001]))
  expect(adjusted).toMatchObject({fate: 'applied', records: [{id: first?.id, count: before > 0 ? before - 1 : 1}]})
  expect(deleted).toMatchObject({fate: 'applied'})
  expect(applied).toMatchObject({fate: 'applied'})
  expect(sandbox.requests()).toMatchObject({'selections.delete': {204: 1}, 'templates.apply': {204: 1}})
})

test('sessions are read over any range, window by window, each once', async ({sandbox, open}) => {
  const client = open()

  const sessions = await gather(client.readPages('sessions.list', {filters: {StartDate: '-100d'}}))

  expect(sessions.length).toBeGreaterThan(0)
  expect(new Set(sessions.map(({id}) => String(id))).size).toBe(sessions.length)
  expect(sandbox.requests()['sessions.list']?.[200]).toBeGreaterThan(3)
})
