import {expect, test} from 'vitest'
import {operationIds} from '../../src/contract/index.js'
import {toOpenApi} from '../../src/derive/open-api.js'
import {toRequestSchema} from '../../src/derive/operation-schema.js'
import {toSchemaDocument} from '../../src/derive/schema-document.js'
import {compile} from '../support/ajv.js'

test('a login alone is not wrapped', () => {
  const check = compile(toRequestSchema('auth.login') ?? {})

  expect(check({username: 'u', password: 'p'})).toBe(true)
  expect(check({body: [{username: 'u', password: 'p'}]})).toBe(false)
  expect(toRequestSchema('auth.test')).toBeUndefined()
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
