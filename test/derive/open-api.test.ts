import {Validator} from '@seriousme/openapi-schema-validator'
import {expect, test} from 'vitest'
import {toOpenApi} from '../../src/derive/open-api.js'
import {startSandbox} from '../../src/sandbox/server.js'
import {logIn} from '../sandbox/ask.js'
import {compileWithin} from '../support/ajv.js'
import {expectGolden} from '../support/golden.js'

type Answer = {description: string; headers?: object; 'x-vendorctl-refusals'?: string[]}
type Route = {requestBody?: object; security?: object[]; parameters?: object[]; responses: Record<string, Answer>}
type Document = {paths: Record<string, Record<string, Route & {[name: string]: unknown}>>}

const read = () => toOpenApi('0.0.0') as unknown as Document

test('is the agreed document', () => {
  expectGolden('open-api.json', `${JSON.stringify(toOpenApi('0.0.0'), undefined, 2)}\n`)
})

test('passes an independent validator', async () => {
  const result = await new Validator().validate(toOpenApi('1.2.3') as Record<string, unknown>)

  expect(result).toEqual({valid: true})
})

test('the validator would notice a broken document', async () => {
  const broken = {...toOpenApi('1.2.3'), paths: {sites: {get: 'nothing'}}}

  const {valid} = await new Validator().validate(broken as Record<string, unknown>)

  expect(valid).toBe(false)
})

test('every reference leads to something', () => {
  const document = toOpenApi('0.0.0')
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)

  const lost = references.filter((path) => path.split('/').reduce<unknown>(step, document) === undefined)

  expect(references.length).toBeGreaterThan(50)
  expect(lost).toEqual([])
})

test('every component is referred to', () => {
  const document = toOpenApi('0.0.0') as {components: Record<string, object>}
  const text = JSON.stringify(document)
  const {securitySchemes: _, ...components} = document.components
  const names = Object.entries(components).flatMap(([kind, rows]) => Object.keys(rows).map((name) => `${kind}/${name}`))

  const unused = names.filter((name) => !text.includes(`"#/components/${name}"`))

  expect(unused).toEqual([])
})

function routeAt(path: string, verb: string): Route & {[name: string]: unknown} {
  const route = read().paths[path]?.[verb]
  if (!route) throw new Error(`no ${verb} ${path}`)
  return route
}

function step(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[name]
}

test('whatever the sandbox answers is in the document', async () => {
  const sandbox = await startSandbox({batches: 20, limits: false})
  const {ask} = await logIn(sandbox)
  const questions: [verb: string, path: string, content?: unknown, headers?: Record<string, string>][] = [
    ...[
      '/organizations',
      '/accounts',
      '/sites',
      '/machines',
      '/alerts',
      '/alerts/codes',
      '/reports/transactions',
    ].flatMap((path): [string, string, unknown?, Record<string, string>?][] => [
      ['GET', path, {}, {size: '2000'}],
      ['GET', path, {}, {page: '0'}],
      ['GET', path, '{'],
      ['GET', path, {}, {'access-token': 'wrong'}],
      ['GET', path, {}, {'x-api-key': 'wrong'}],
    ]),
    ['GET', '/sites', {requestFilter: {siteIds: 'x'}}],
    ['GET', '/alerts', {requestFilter: {StartDate: 'x', EndDate: 'y'}}],
    ...[
      'PUT /sites',
      'PATCH /sites',
      'PUT /machines/custom-data',
      'PUT /alerts',
      'PATCH /alerts',
      'POST /alerts/clear',
    ].flatMap((route): [string, string, unknown?, Record<string, string>?][] => {
      const [verb = '', path = ''] = route.split(' ')
      const named = {routeFilter: {alertIds: [9]}, body: [{id: 9, machineId: 9, key: 'k', code: 'CJ', message: 'm'}]}
      return [
        [verb, path, {}],
        [verb, path, {}, {'content-type': 'text/plain'}],
        [verb, path, named],
        [verb, path, {routeFilter: {alertIds: ['x']}, body: [{id: 1.5}, null]}],
        [verb, path, ' '.repeat(10_485_761)],
      ]
    }),
    ['PUT', '/alerts', {body: [{machineId: 5001, code: 'CJ', message: 'm'}]}],
    ['PATCH', '/alerts', {body: [{id: 70_001}]}],
    ['POST', '/alerts/clear', {routeFilter: {alertIds: [70_001]}}],
    ['POST', '/authenticate', {username: 'x', password: 'y'}],
    ['POST', '/authenticate', {}],
    ['POST', '/token-test'],
  ]

  const document = toOpenApi('0.0.0')
  const checks = new Map<string, (value: unknown) => boolean>()
  const check = (schema: string[], value: unknown) => {
    const key = schema.join(' ')
    const compiled = checks.get(key) ?? compileWithin(document, schema)
    checks.set(key, compiled)
    return compiled(value)
  }
  const wrong: unknown[] = []
  for (const [verb, path, content, headers] of questions) {
    const {status, json, text} = await ask(verb, path, content, headers)
    const responses = ['paths', path, verb.toLowerCase(), 'responses']
    const isNamed = routeAt(path, verb.toLowerCase()).responses[status] !== undefined
    const schema = [...responses, String(status), 'content', 'application/json', 'schema']
    const isRight = isNamed && (status === 204 || check(schema, json))
    if (!isRight) wrong.push([verb, path, status, text.slice(0, 200)])
  }
  await sandbox.close()

  expect(wrong).toEqual([])
})
