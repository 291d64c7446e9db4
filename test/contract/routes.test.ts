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
  'GET /machines v2 | machines list | organizationIds accountIds siteIds machineIdentifiers includeDeleted',
  'PUT /machines/custom-data v2 | machines custom-data create | ',
  'GET /alerts v2 | alerts list | organizationIds siteIds machineIdentifiers StartDate EndDate alertIds alertCodes',
  'PUT /alerts v2 | alerts create | ',
  'PATCH /alerts v2 | alerts update | ',
  'POST /alerts/clear v2 | alerts clear | alertIds',
  'GET /alerts/codes v2 | alerts codes | ',
  'GET /reports/transactions v2 | reports transactions | organizationIds accountIds siteIds machineIdentifiers StartDate EndDate transactionIdentifiers',
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
]

const rows = allOperations

test('the operations are the routes of the contract', () => {
  expect(rows.map(describe)).toEqual(routes)
})

test('the report is also at its published path', () => {
  expect(operations['reports.transactions'].alsoAt).toEqual(['/transactions'])
})

test('the filters are those of the contract, with the flags of the surface', () => {
  const all: [string, {kind: string; place: string; flag: string; alias?: string}][] = Object.entries(filters)

  expect(
    all.map(([key, {kind, place, flag, alias}]) => `${key} ${kind} ${place} --${flag}${alias ? ` --${alias}` : ''}`),
  ).toEqual(keys)
})

test('ranges: 31 days of transactions, 90 of alerts by the time they were raised, no other dates', () => {
  const ranges = rows.flatMap((row) => (row.kind === 'read' && row.range ? [[row.path, row.range]] : []))

  expect(ranges).toEqual([
    ['/alerts', {maximumDays: 90, on: 'raisedAt'}],
    ['/reports/transactions', {maximumDays: 31, on: 'recordedAtUtc'}],
  ])
})

test('writes answer as the contract says', () => {
  const answers = rows.flatMap((row) => (row.kind === 'write' ? [`${row.command}: ${row.answer}`] : []))

  expect(answers).toEqual([
    'sites create: ids',
    'sites update: nothing',
    'machines custom-data create: ids',
    'alerts create: ids',
    'alerts update: records',
    'alerts clear: nothing',
  ])
})

test('only an update of sites sets to null what is left out', () => {
  expect(
    rows.filter((row) => row.kind === 'write' && row.merge === 'full-replace').map(({command}) => command),
  ).toEqual(['sites update'])
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

test('the headers', () => {
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
