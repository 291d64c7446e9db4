import {expect, test} from 'vitest'
import {toContractDocument} from '../../../src/cli/info/contract-document.js'
import {dialects} from '../../../src/derive/mirror/types.js'
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
