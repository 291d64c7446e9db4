import {expect, test} from 'vitest'
import {operationIds} from '../../src/contract/index.js'
import {toAnswerSchema, toRequestSchema} from '../../src/derive/operation-schema.js'
import {toSchemaDocument} from '../../src/derive/schema-document.js'
import {compile} from '../support/ajv.js'

test('a read takes its filters where the service looks for them', () => {
  const check = compile(toRequestSchema('alerts.list') ?? {})

  expect(check({requestFilter: {siteIds: [1], StartDate: '2024-07-01'}, routeFilter: {alertIds: [2]}})).toBe(true)
  expect(check({requestFilter: {}, routeFilter: {}, body: []})).toBe(true)
  expect(check({})).toBe(true)
  expect(check({requestFilter: {siteIds: 1}})).toBe(false)
  expect(check({requestFilter: {StartDate: 'yesterday'}})).toBe(false)
})

test('the body of a write is an array, and may not be left out', () => {
  const check = compile(toRequestSchema('machines.custom-data.create') ?? {})

  expect(check({body: [{machineId: 1, key: 'k', value: null}]})).toBe(true)
  expect(check({body: {machineId: 1, key: 'k'}})).toBe(false)
  expect(check({requestFilter: {}})).toBe(false)
})

test('clearing alerts names them in the route filter', () => {
  const check = compile(toRequestSchema('alerts.clear') ?? {})

  expect(check({routeFilter: {alertIds: [4, 5]}})).toBe(true)
  expect(check({routeFilter: {}})).toBe(false)
  expect(check({body: [{id: 4}]})).toBe(false)
})

test('a login alone is not wrapped', () => {
  const check = compile(toRequestSchema('auth.login') ?? {})

  expect(check({username: 'u', password: 'p'})).toBe(true)
  expect(check({body: [{username: 'u', password: 'p'}]})).toBe(false)
  expect(toRequestSchema('auth.test')).toBeUndefined()
})

test('writes answer ids, records or nothing', () => {
  expect(compile(toAnswerSchema('sites.create') ?? {})([1, 2])).toBe(true)
  expect(compile(toAnswerSchema('sites.create') ?? {})(['1'])).toBe(false)
  expect(toAnswerSchema('sites.update')).toBeUndefined()
  expect(compile(toAnswerSchema('alerts.update') ?? {})([{id: 1, message: 'm'}])).toBe(true)
})

test('every operation has a document of its own', () => {
  const broken = operationIds.filter((id) => {
    const document = toSchemaDocument(id)
    return !document || !compile(document)
  })

  expect(broken).toEqual([])
})

test('the document of a write describes its file', () => {
  const check = compile(toSchemaDocument('alerts.clear') ?? {})

  expect(check([{id: 1}])).toBe(true)
  expect(check([{}])).toBe(false)
  expect(check([{id: 1, message: 'not here'}])).toBe(false)
})

test('without an operation the document holds every record that travels', () => {
  const {$defs} = toSchemaDocument() as {$defs: Record<string, object>}

  expect(Object.keys($defs)).toEqual([
    'Organization',
    'Account',
    'Site',
    'SiteCreate',
    'SiteUpdate',
    'Machine',
    'CustomDataCreate',
    'Alert',
    'AlertCreate',
    'AlertUpdate',
    'AlertCode',
    'Transaction',
  ])
})

test('an unknown operation has no document', () => {
  expect(toSchemaDocument('sites.delete')).toBeUndefined()
  expect(toSchemaDocument('__proto__')).toBeUndefined()
})
