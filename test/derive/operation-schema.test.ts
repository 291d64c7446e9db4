import {expect, test} from 'vitest'
import {operationIds} from '../../src/contract/index.js'
import {toOpenApi} from '../../src/derive/open-api.js'
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

test('a write by several filters needs each of them, in its part', () => {
  const apply = compile(toRequestSchema('templates.apply') ?? {})
  const provision = compile(toRequestSchema('machines.provision') ?? {})

  expect(apply({requestFilter: {machineIdentifiers: ['11', '12']}, routeFilter: {templateIds: [412]}})).toBe(true)
  expect(apply({requestFilter: {machineIdentifiers: ['11']}, routeFilter: {templateIds: [412, 413]}})).toBe(false)
  expect(apply({requestFilter: {machineIdentifiers: []}, routeFilter: {templateIds: [412]}})).toBe(false)
  expect(apply({requestFilter: {machineIdentifiers: ['11']}})).toBe(false)
  expect(apply({routeFilter: {templateIds: [412]}})).toBe(false)
  expect(provision({requestFilter: {organizationIds: [2], machineIdentifiers: ['PRS100001']}})).toBe(true)
  expect(provision({requestFilter: {organizationIds: [2], machineIdentifiers: ['PRS1', 'PRS2']}})).toBe(false)
  expect(provision({requestFilter: {machineIdentifiers: ['PRS100001']}})).toBe(false)
})

test('the body of a deletion holds ids and nothing else', () => {
  const check = compile(toRequestSchema('selections.delete') ?? {})

  expect(check({body: [{id: 5}, {id: 6}]})).toBe(true)
  expect(check({body: [5]})).toBe(false)
  expect(check({body: [{id: 5, price: 1}]})).toBe(false)
  expect(check({})).toBe(false)
})

test('prices are above 0, products above 0 or -1, differences not 0', () => {
  const price = {id: 5, machineId: 1, selectionNumber: 'A1', invoicePrice: 0, restockTo: 8, depth: 9, freeCount: 0}
  const check = compile(toRequestSchema('selections.update') ?? {})
  const sent = (more: object) => check({body: [{...price, commission: 0, price: 1.5, ...more}]})
  const adjust = compile(toRequestSchema('selections.adjust') ?? {})

  expect([sent({}), sent({price: 0.01}), sent({productId: -1}), sent({productId: null})]).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect([sent({price: 0}), sent({price: -1}), sent({productId: 0}), sent({productId: -2})]).toEqual(
    Array(4).fill(false),
  )
  expect([sent({selectionNumber: 6}), sent({selectionNumber: true})]).toEqual([true, false])
  expect(adjust({body: [{selectionId: 5, delta: -2}]})).toBe(true)
  expect(adjust({body: [{selectionId: 5, delta: 0}]})).toBe(false)
})

test('a filter with two keys is known by both', () => {
  const {properties} = toRequestSchema('roles.list') as {properties: {requestFilter: {properties: object}}}

  expect(Object.keys(properties.requestFilter.properties)).toEqual(['organizationIds', 'organizationsId'])
})

test('rights at machines are an object of lists', () => {
  const check = compile(toAnswerSchema('roles.rights') ?? {})

  expect(check({7: [3, 4], 12: []})).toBe(true)
  expect(check([{machineId: 7, rightId: 3}])).toBe(false)
  expect(check({7: 3})).toBe(false)
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

test('without an operation the document holds every record that travels, as the one for other programs does', () => {
  const {$defs} = toSchemaDocument() as {$defs: object}
  const {components} = toOpenApi('0.0.0') as {components: {schemas: object}}

  expect([...Object.keys($defs), 'ErrorList', 'GatewayMessage']).toEqual(Object.keys(components.schemas))
})

test('an unknown operation has no document', () => {
  expect(toSchemaDocument('sites.undelete')).toBeUndefined()
  expect(toSchemaDocument('__proto__')).toBeUndefined()
})
