import {expect, test} from 'vitest'
import {type NameFlags, toNames} from '../../../src/runs/check/name-lookup.js'
import {failureOf} from '../../support/client.js'

const failure = (operation: Parameters<typeof toNames>[0], flags: NameFlags) =>
  failureOf(Promise.resolve().then(() => toNames(operation, flags)))

test.each([
  ['sites.update', {match: ['nmae']}, 'INVALID_MATCH', 'did you mean name?'],
  ['sites.update', {match: ['name,Name']}, 'INVALID_MATCH', 'names name twice'],
  ['sites.update', {match: ['id']}, 'INVALID_MATCH', 'id names a record'],
  ['sites.update', {match: ['contact']}, 'INVALID_MATCH', '"contact" is not a field of a site'],
  ['alerts.update', {match: ['contact']}, 'INVALID_MATCH', '"contact" is not a field of an alert'],
  ['sites.create', {match: ['name']}, 'INVALID_MATCH', 'sites create makes new sites'],
  ['machines.custom-data.create', {lookup: ['machineId']}, 'INVALID_LOOKUP', 'not IDFIELD=FIELD'],
  ['machines.custom-data.create', {lookup: ['siteId=name']}, 'INVALID_LOOKUP', 'There: machineId.'],
  ['machines.custom-data.create', {lookup: ['machineId=pros']}, 'INVALID_LOOKUP', 'did you mean prose?'],
  ['machines.custom-data.create', {lookup: ['machineId=id']}, 'INVALID_LOOKUP', 'has the id'],
  ['machines.custom-data.create', {lookup: ['machineId=prose', 'machine id=name']}, 'INVALID_LOOKUP', 'twice'],
  ['alerts.update', {lookup: ['machineId=prose']}, 'INVALID_LOOKUP', 'There: none.'],
] as const)('%s %o is %s', async (operation, flags, code, text) => {
  const {exit, code: found, message} = await failure(operation, flags)

  expect([exit, found]).toEqual(['usage', code])
  expect(message).toContain(text)
})

test('a column that names a record is sent where the write has its field, and else only compared', () => {
  const pathsOf = (operation: Parameters<typeof toNames>[0], match: string) =>
    toNames(operation, {match})?.match.map(({path}) => path)

  expect(pathsOf('sites.update', 'name')).toEqual([['name']])
  expect(pathsOf('alerts.clear', 'machineId,code')).toEqual([['?machineId'], ['?code']])
})

test('nothing asked for is nothing to resolve', () => {
  expect(toNames('sites.update', {})).toBeUndefined()
})

test('a looked up column has the name of its field, unless the record has such a field itself', () => {
  const columnsOf = (operation: Parameters<typeof toNames>[0], flags: NameFlags) =>
    toNames(operation, flags)?.lookups.map(({field, column}) => [field, column.name])

  expect(columnsOf('machines.custom-data.create', {lookup: 'Machine ID=Prose'})).toEqual([['machineId', 'prose']])
  expect(columnsOf('sites.update', {lookup: ['accountId=name']})).toEqual([['accountId', 'account.name']])
  expect(columnsOf('alerts.create', {lookup: ['siteId=name', 'accountId=name', 'machineId=prose']})).toEqual([
    ['accountId', 'account.name'],
    ['siteId', 'site.name'],
    ['machineId', 'prose'],
  ])
  expect(columnsOf('alerts.update', {match: 'machineId,code', lookup: 'machineId=prose'})).toEqual([
    ['machineId', 'prose'],
  ])
})
