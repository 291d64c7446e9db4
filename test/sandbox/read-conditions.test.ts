import {expect, test} from 'vitest'
import {filterKeysOf, filterOf, readIds, readOperation} from '../../src/contract/index.js'
import {conditionOf} from '../../src/sandbox/handlers/read-conditions.js'

test('every list of values that a read honours has a condition on its table', () => {
  const asked = readIds.flatMap((id) =>
    filterKeysOf(readOperation(id))
      .filter((key) => ['integers', 'texts'].includes(filterOf(key).kind))
      .map((key) => conditionOf(id, key)),
  )

  expect(asked.filter((sql) => !sql.includes('?'))).toEqual([])
  expect(() => conditionOf('accounts.list', 'sessionEventIds')).toThrow('no column')
})
