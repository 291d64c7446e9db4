import {describe, expect, test} from 'vitest'
import {createFilterCheck} from '../../../src/client/filter-check.js'
import type {Client, Page} from '../../../src/client/types.js'
import {readOperation} from '../../../src/contract/index.js'
import {createCodeCache, describeUnknownCodes} from '../../../src/reports/read/alert-codes.js'
import {watchIds} from '../../../src/reports/read/missing-ids.js'
import {readOnlyOne} from '../../../src/runs/reconcile/judge-likeness.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'
import {makeFolder} from '../../support/folder.js'

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

test('codes that were listed for a key are not asked for again for 30 days, and by no other key', async () => {
  const folder = makeFolder()
  const cacheOf = (keyFingerprint: string) => createCodeCache({baseUrl: '', stage: '', keyFingerprint}, folder)
  const warn = (code: string, days: number, key = 'one') =>
    describeUnknownCodes(clientOf({code: 'NS'}), {alertCodes: [code]}, cacheOf(key), days * 86_400_000)
  const listed = () => [0, 29.9, 30, -1].map((days) => cacheOf('one').read(days * 86_400_000))

  expect(listed()).toEqual([[], [], [], []])
  expect(await warn('NS', 0)).toEqual([])
  expect(await warn('ns', 0)).toEqual(['the service lists no alert code ns; did you mean NS?'])
  expect([listed(), cacheOf('other').read(0)]).toEqual([[['NS'], ['NS'], [], []], []])
  const asked = {readPages: () => expect.unreachable('asked again')}
  expect(await describeUnknownCodes(asked, {alertCodes: ['NS']}, cacheOf('one'), 0)).toEqual([])
})
