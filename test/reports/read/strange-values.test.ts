import {describe, expect, test} from 'vitest'
import {createFilterCheck} from '../../../src/client/filter-check.js'
import type {Client, Page} from '../../../src/client/types.js'
import {readOperation} from '../../../src/contract/index.js'
import {describeUnknownCodes} from '../../../src/reports/read/alert-codes.js'
import {watchIds} from '../../../src/reports/read/missing-ids.js'
import {readOnlyOne} from '../../../src/runs/reconcile/judge-likeness.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'

/** Valid JSON of which `String` makes no text. */
const values = ['1e400', '[9007199254740993]', '{"toString":1}']

function clientOf(record: JsonRecord): Pick<Client, 'readPages'> {
  return {
    async *readPages() {
      yield {records: [record].values()} as unknown as Page
    },
  }
}

describe.each(values)('where the service sends %s', (text) => {
  const value = parseJson(text)

  test('a filter is not honoured', () => {
    const check = createFilterCheck(readOperation('machines.list'), {siteIds: [7]})

    expect(check({siteId: value})).toEqual({filter: 'siteIds', field: 'siteId', value: text})
  })

  test('it is no id that was asked for', async () => {
    const ids = watchIds('sites.list', {siteIds: [7]})
    ids.look({id: value})

    expect(await ids.find(clientOf({}), {sawAll: true, others: 'none'})).toHaveLength(1)
  })

  test('it is no alert code that was asked for', async () => {
    const kept = {read: () => [], write: () => undefined}

    expect(await describeUnknownCodes(clientOf({code: value}), {alertCodes: ['NS']}, kept, 0)).toHaveLength(1)
  })

  test('it is no alert code of which only one is kept', async () => {
    const isOnlyOne = await readOnlyOne(clientOf({code: value, onlyOneExists: true}), 'alerts.create')

    expect(isOnlyOne({code: 'NS'})).toBe(false)
  })
})
