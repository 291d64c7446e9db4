import {expect, test} from 'vitest'
import {
  allOperations,
  defaultStage,
  filters,
  headers,
  limits,
  type Operation,
  operations,
  stages,
} from '../../src/contract/index.js'

/** Written by hand from the contract, not from the tables: method, path, stage, command, honoured filters. */
const routes = [
  'GET /organizations v2 | organizations list | organizationIds',
  'GET /accounts v2 | accounts list | organizationIds accountIds',
  'GET /sites v2 | sites list | organizationIds accountIds siteIds includeDeleted',
  'PUT /sites v2 | sites create | ',
  'PATCH /sites v2 | sites update | ',
  'DELETE /sites v2 | sites delete | ',
  'GET /machines v2 | machines list | organizationIds accountIds siteIds machineIdentifiers includeDeleted',
  'PATCH /machines v2 | machines update | ',
  'POST /machines/provision v2 | machines provision | organizationIds machineIdentifiers',
  'GET /machines/settings v2 | machines settings list | machineIdentifiers',
  'PUT /settings v2 | machines settings set | ',
  'PUT /machines/custom-data v2 | machines custom-data create | ',
  'GET /alerts v2 | alerts list | organizationIds siteIds machineIdentifiers StartDate EndDate alertIds alertCodes',
  'PUT /alerts v2 | alerts create | ',
  'PATCH /alerts v2 | alerts update | ',
  'POST /alerts/clear v2 | alerts clear | alertIds',
  'GET /alerts/codes v2 | alerts codes | ',
  'GET /reports/transactions v2 | reports transactions | organizationIds accountIds siteIds machineIdentifiers StartDate EndDate transactionIdentifiers',
  'GET /transactions/metadata v2 | reports metadata | organizationIds accountIds siteIds machineIdentifiers StartDate EndDate transactionIdentifiers',
  'GET /inventory v2 | reports inventory | organizationIds accountIds siteIds machineIdentifiers StartDate EndDate transactionIdentifiers',
  'GET /products v2 | products list | organizationIds productIds',
  'GET /selections v2 | selections list | organizationIds accountIds siteIds machineIdentifiers selectionIds includeDeleted',
  'PUT /selections v2 | selections create | ',
  'PATCH /selections v2 | selections update | ',
  'DELETE /selections v2 | selections delete | ',
  'POST /selections/apply-delta v2 | selections adjust | ',
  'GET /templates v2 | templates list | organizationIds',
  'GET /template-selections v2 | templates selections | templateIds',
  'POST /templates/apply v2 | templates apply | machineIdentifiers templateIds',
  'GET /sessions/management v2.1 | sessions list | organizationIds machineIdentifiers StartDate EndDate sessionIds sessionEventIds',
  'GET /sessions/management/events v2.1 | sessions events | organizationIds machineIdentifiers StartDate EndDate sessionIds sessionEventIds',
  'GET /roles v2 | roles list | organizationIds roleIdentifiers',
  'GET /roles/role-rights-at-machine v2 | roles rights | machineIdentifiers roleIdentifiers',
  'GET /role-rights v2 | role-rights list | organizationIds roleRightIds roleIdentifiers rightIds',
  'PUT /role-rights v2 | role-rights create | ',
  'PATCH /role-rights v2 | role-rights update | ',
  'POST /authenticate v1 | auth login | ',
  'POST /token-test v1 | auth test | ',
]

/** Likewise: key, type, place, flag. */
const keys = [
  'organizationIds integers requestFilter --organization --org',
  'accountIds integers requestFilter --account',
  'siteIds integers requestFilter --site',
  'selectionIds integers requestFilter --selection',
  'productIds integers requestFilter --product',
  'machineIdentifiers texts requestFilter --machine',
  'StartDate dateTime requestFilter --start',
  'EndDate dateTime requestFilter --end',
  'includeDeleted flag requestFilter --include-deleted',
  'alertIds integers routeFilter --alert',
  'alertCodes texts routeFilter --code',
  'transactionIdentifiers texts routeFilter --transaction',
  'templateIds integers routeFilter --template',
  'sessionIds integers routeFilter --session',
  'sessionEventIds integers routeFilter --session-event',
  'roleIdentifiers texts routeFilter --role',
  'roleRightIds integers routeFilter --role-right',
  'rightIds integers routeFilter --right',
]

const rows = allOperations

test('the operations are the routes of the contract', () => {
  expect(rows.map(describe)).toEqual(routes)
})

test('the reports are also at their other paths', () => {
  expect(operations['reports.transactions'].alsoAt).toEqual(['/transactions'])
  expect(operations['reports.inventory'].alsoAt).toEqual(['/reports/inventory-adjustments'])
})

test('what third-party clients alone show, or nothing, is marked as not confirmed', () => {
  const marked = rows.flatMap((row) =>
    row.kind !== 'session' && row.unconfirmed ? [`${row.command}: ${row.unconfirmed.join(', ')}`] : [],
  )

  expect(marked).toEqual([
    'organizations list: its path',
    'sites delete: its body',
    'machines update: that a field left out becomes null',
    'machines settings list: its path',
    'alerts codes: its path',
    'products list: its path, its fields',
    'selections list: its path',
    'selections create: its path',
    'selections update: that a field left out becomes null',
    'selections delete: its path',
    'templates list: its path, its fields',
    'templates selections: its path',
    'sessions events: that the dates are compared with loggedAt',
    'roles rights: whether the answer has pages',
  ])
})

test('report pages hold 100 records at most, those of people and settings 50, all others 2000', () => {
  const sizes = rows.flatMap((row) => (row.kind === 'read' ? [[row.command, row.maximumPageSize] as const] : []))

  expect(sizes.filter(([, size]) => size !== 2_000)).toEqual([
    ['machines settings list', 50],
    ['reports metadata', 100],
    ['reports inventory', 100],
    ['sessions list', 50],
    ['sessions events', 50],
    ['roles list', 50],
    ['role-rights list', 50],
  ])
})

test('one filter is sent under two keys, and one answer is an object', () => {
  const twice = rows.flatMap((row) =>
    row.kind === 'read' ? Object.entries(row.filters).filter(([, {alsoSentAs}]) => alsoSentAs) : [],
  )

  expect(twice).toEqual([['organizationIds', {matches: ['organizationId'], alsoSentAs: 'organizationsId'}]])
  expect(rows.flatMap((row) => (row.kind === 'read' && row.answer ? [[row.path, row.answer]] : []))).toEqual([
    ['/roles/role-rights-at-machine', {name: 'machineId', value: 'rightId'}],
  ])
})

test('the filters are those of the contract, with the flags of the surface', () => {
  const all: [string, {kind: string; place: string; flag: string; alias?: string}][] = Object.entries(filters)

  expect(
    all.map(([key, {kind, place, flag, alias}]) => `${key} ${kind} ${place} --${flag}${alias ? ` --${alias}` : ''}`),
  ).toEqual(keys)
})

test('ranges: a year of metadata, 90 days of alerts by the time they were raised, 31 of all else that has dates', () => {
  const ranges = rows.flatMap((row) => (row.kind === 'read' && row.range ? [[row.path, row.range]] : []))

  expect(ranges).toEqual([
    ['/alerts', {maximumDays: 90, on: 'raisedAt'}],
    ['/reports/transactions', {maximumDays: 31, on: 'recordedAtUtc'}],
    ['/transactions/metadata', {maximumDays: 365, on: 'recordedAtUtc'}],
    ['/inventory', {maximumDays: 31, on: 'adjustmentOccurredAt', clock: 'utc'}],
    ['/sessions/management', {maximumDays: 31, on: 'startedAtUtc', clock: 'utc'}],
    ['/sessions/management/events', {maximumDays: 31, on: 'loggedAt', clock: 'utc'}],
  ])
})

test('writes answer as the contract says', () => {
  const answers = rows.flatMap((row) => (row.kind === 'write' ? [`${row.command}: ${row.answer}`] : []))

  expect(answers).toEqual([
    'sites create: ids',
    'sites update: nothing',
    'sites delete: nothing',
    'machines update: nothing',
    'machines provision: nothing',
    'machines settings set: records',
    'machines custom-data create: ids',
    'alerts create: ids',
    'alerts update: records',
    'alerts clear: nothing',
    'selections create: ids',
    'selections update: records',
    'selections delete: nothing',
    'selections adjust: records',
    'templates apply: nothing',
    'role-rights create: ids',
    'role-rights update: records',
  ])
})

test('an update sets to null what is left out, one of alerts aside', () => {
  expect(
    rows.filter((row) => row.kind === 'write' && row.merge === 'full-replace').map(({command}) => command),
  ).toEqual(['sites update', 'machines update', 'machines settings set', 'selections update', 'role-rights update'])
})

test('the limits of a new key', () => {
  expect(limits).toMatchObject({
    requestsPerSecond: 20,
    burst: 100,
    requestsPerDay: 5_000,
    defaultPageSize: 50,
    maximumPageSize: 2_000,
    maximumBodyBytes: 10 * 1024 * 1024,
    tokenLifeHours: 72,
    defaultSetSize: 500,
  })
})

test('the stages and what each can do', () => {
  const able = Object.entries(stages).map(([name, {bulk, sessions}]) => [name, bulk, sessions])

  expect(able).toEqual([
    ['rc', true, true],
    ['v1', false, false],
    ['v2', true, false],
    ['v2.1', true, true],
  ])
  expect(defaultStage).toBe('v2.1')
})

test('headers have the names that the contract gives them', () => {
  expect(Object.values(headers).map(({name, of}) => `${of} ${name}`)).toEqual([
    'request x-api-key',
    'request access-token',
    'request page',
    'request size',
    'answer page',
    'answer size',
    'answer total-pages',
    'answer search-range-start-date',
    'answer search-range-end-date',
  ])
})

function describe(row: Operation): string {
  const honoured = row.kind === 'session' ? [] : Object.keys(row.filters)
  return `${row.verb} ${row.path} ${row.since} | ${row.command} | ${honoured.join(' ')}`
}
