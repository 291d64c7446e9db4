import {expect, test} from 'vitest'
import {toContractDocument} from '../../../src/cli/info/contract-document.js'
import {operationIds} from '../../../src/contract/index.js'
import {dialects} from '../../../src/derive/mirror/column-types.js'
import {expectGolden} from '../../support/golden.js'

const context = {
  version: '1.0.0',
  commands: {root: '/', known: async () => ({}), check: async () => undefined},
}

test.each(dialects)('the tables for %s are the agreed ones', async (dialect) => {
  const {text} = await toContractDocument(undefined, {format: 'sql', dialect}, context)

  expectGolden(`mirror/${dialect}.sql`, text)
})

test('tables are printed together, and a dialect is of nothing else', async () => {
  const one = toContractDocument('sites.list', {format: 'sql'}, context)
  const other = toContractDocument(undefined, {format: 'openapi', dialect: 'sqlite'}, context)

  await expect(one).rejects.toMatchObject({code: 'FLAG_WITHOUT_EFFECT', exit: 'usage'})
  await expect(other).rejects.toMatchObject({code: 'FLAG_WITHOUT_EFFECT', exit: 'usage'})
})

test('the overview names every operation', async () => {
  const {text} = await toContractDocument(undefined, {format: 'table'}, context)

  for (const id of operationIds) expect(text).toContain(id)
})

test.each([
  [undefined, 'openapi', 'openapi'],
  [undefined, 'json-schema', '$schema'],
  ['sites.create', 'json-schema', '$schema'],
  ['envelope', 'table', '$schema'],
] as const)('%s as %s is one JSON document', async (name, format, key) => {
  const {text, data} = await toContractDocument(name, {format}, context)

  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(data)))
  expect(Object.keys(JSON.parse(text))).toContain(key)
})

test.each([
  ['sites.create', 'csv-template', /^accountId,orgId,name/],
  ['sites.create', 'json-template', /^\[/],
  ['sites create', 'table', /PUT \/sites/],
] as const)('%s as %s is a text', async (name, format, pattern) => {
  expect((await toContractDocument(name, {format}, context)).text).toMatch(pattern)
})

test.each([
  ['sites.creat', 'table', 'Did you mean sites.create?'],
  ['machines.list', 'csv-template', 'sites.create'],
  [undefined, 'csv-template', 'sites.create'],
] as const)('%s as %s is refused', async (name, format, says) => {
  await expect(toContractDocument(name, {format}, context)).rejects.toMatchObject({
    exit: 'usage',
    hints: expect.arrayContaining([expect.stringContaining(says)]),
  })
})
