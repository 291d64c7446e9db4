import {expect, test} from 'vitest'
import {operationIds} from '../../src/contract/index.js'
import {findOperationId, findReference, toOperationRows} from '../../src/derive/reference.js'

test('the overview has a line for every operation', () => {
  const rows = toOperationRows()

  expect(rows.map(({id}) => id)).toEqual(operationIds)
  expect(rows.find(({id}) => id === 'accounts.list')).toEqual({
    id: 'accounts.list',
    method: 'GET',
    path: '/accounts',
    command: 'accounts list',
    stage: 'v2',
    filters: '--organization --account',
    about: 'List accounts.',
  })
})

test('a read shows its fields with those of its lists, its range and its largest page', () => {
  const reference = findReference('reports.transactions')

  expect(reference).toMatchObject({
    kind: 'read',
    alsoAt: ['/transactions'],
    maximumDays: 31,
    maximumPageSize: 2_000,
    answers: 'records',
  })
  expect(reference?.fields.map(({name}) => name)).toEqual(
    expect.arrayContaining(['id', 'lineItems', 'lineItems.unitPrice', 'paymentInformation.creditInformation.gateway']),
  )
})

test('a write shows the fields of its file with their rules', () => {
  const {fields = [], refusals = []} = findReference('sites.create') ?? {}

  expect(fields.find(({name}) => name === 'accountId')).toEqual({
    name: 'accountId',
    type: 'integer',
    required: true,
    nullable: false,
    bounds: 'at least 1',
    about: 'Account the site belongs to.',
  })
  expect(fields.find(({name}) => name === 'timeZone')).toMatchObject({nullable: true, bounds: 'at most 50 characters'})
  expect(fields.map(({name}) => name)).not.toContain('isEnabled')
  expect(refusals).toContainEqual(expect.objectContaining({code: 'GLOBAL_CHARGE_KEY', status: 422}))
})

test('filters show their flag, their key and where they travel', () => {
  expect(findReference('alerts.list')?.filterRows).toContainEqual({
    flag: '--alert',
    key: 'alertIds',
    place: 'routeFilter',
    type: 'integers',
    about: 'Only these alerts.',
  })
})

test('a time is called UTC only where it is', () => {
  const typeOf = (id: string, field: string) => findReference(id)?.fields.find(({name}) => name === field)?.type

  expect(findReference('reports.transactions')?.filterRows.find(({flag}) => flag === '--start')).toMatchObject({
    type: 'date, or date and time, local to the machine',
  })
  expect(typeOf('reports.transactions', 'lineItems.occurredAtLocalTime')).not.toContain('UTC')
  expect(typeOf('alerts.list', 'raisedAt')).not.toContain('UTC')
  expect(typeOf('alerts.create', 'raisedAt')).toContain('UTC')
})

test('a login shows what it sends', () => {
  expect(findReference('auth.login')?.fields.map(({name}) => name)).toEqual(['username', 'password'])
  expect(findReference('auth.test')?.fields).toEqual([])
})

test('an operation is found by its id or its command', () => {
  expect(findOperationId('machines custom-data create')).toBe('machines.custom-data.create')
  expect(findOperationId(' Sites.Update ')).toBe('sites.update')
  expect(findOperationId('sites')).toBeUndefined()
  expect(findReference('constructor')).toBeUndefined()
})
