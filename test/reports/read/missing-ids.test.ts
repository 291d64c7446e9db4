import {describe, expect, test} from 'vitest'
import type {FilterValues, Page, ReadRequest} from '../../../src/client/types.js'
import type {ReadId} from '../../../src/contract/index.js'
import {CliFailure} from '../../../src/core/errors.js'
import {describeUnproven, refuseMissing, watchIds} from '../../../src/reports/read/missing-ids.js'
import {type JsonRecord, parseJson} from '../../../src/values/json.js'

const records = (text: string) => parseJson(text) as JsonRecord[]

/** Answers each read of a kind with these records; a kind without any cannot be read. */
function clientOf(lists: Partial<Record<ReadId, JsonRecord[]>>) {
  const asked: [ReadId, FilterValues][] = []
  async function* readPages(id: ReadId, {filters}: ReadRequest) {
    asked.push([id, filters])
    const list = lists[id]
    if (!list) throw new CliFailure('down', {code: 'ANSWER_CUT'})
    yield {records: list} as unknown as Page
  }
  return {readPages, asked}
}

const none = clientOf({})
const sites = (...siteIds: string[]): FilterValues => ({siteIds})

describe('ids of the records that are read', () => {
  test('are missing where a complete read did not show them, numbers and texts alike', async () => {
    const ids = watchIds('sites.list', sites('7', '8', '9'))
    for (const record of records('[{"id":7},{"id":"8"},{"id":70}]')) ids.look(record)

    const found = await ids.find(none, {sawAll: true, others: 'none'})

    expect(found).toEqual(['--site: 1 site not found: 9; --include-deleted also shows deleted ones'])
  })

  test('are found by a name in any case', async () => {
    const ids = watchIds('machines.list', {machineIdentifiers: ['ab12 ', 'CD']})
    for (const record of records('[{"id":1,"prose":"AB12"}]')) ids.look(record)

    expect(await ids.find(none, {sawAll: true, others: 'none'})).toEqual([expect.stringMatching(/ not found: CD; /)])
  })

  test('may lie outside the other filters', async () => {
    const ids = watchIds('sites.list', {...sites('9'), organizationIds: [1], includeDeleted: true})

    const found = await ids.find(none, {sawAll: true, others: 'none'})

    expect(found).toEqual(['--site: 1 site not found with the other filters: 9'])
  })

  test('may lie outside the range that was read', async () => {
    const ids = watchIds('reports.transactions', {transactionIdentifiers: ['B1'], StartDate: '', EndDate: ''})

    const found = await ids.find(none, {sawAll: true, others: 'look'})

    expect(found).toEqual(['--transaction: 1 transaction not found in the range that was read: B1'])
  })

  test('are not missing where the read was not complete', async () => {
    expect(await watchIds('sites.list', sites('9')).find(none, {sawAll: false, others: 'none'})).toEqual([])
  })

  test('are counted, and the first twenty are named', async () => {
    const many = Array.from({length: 21}, (_, index) => String(100 + index))
    const [named] = await watchIds('sites.list', sites(...many.slice(1))).find(none, {sawAll: true, others: 'none'})
    const [cut] = await watchIds('sites.list', sites(...many)).find(none, {sawAll: true, others: 'none'})

    expect(named).toMatch(/20 sites not found: 101, .* 120;/)
    expect(cut).toMatch(/21 sites not found: 100, .* 119 and 1 more;/)
  })
})

describe('ids of other records', () => {
  test('are looked up among those, deleted ones too, each once', async () => {
    const client = clientOf({'sites.list': records('[{"id":7}]')})
    const ids = watchIds('machines.list', sites('7', '9'))

    const found = await ids.find(client, {sawAll: true, others: 'look'})

    expect(found).toEqual(['--site: 1 site not found: 9'])
    expect(client.asked).toEqual([['sites.list', {siteIds: ['7', '9'], includeDeleted: true}]])
  })

  test('are said to be missing only where they could be read', async () => {
    const ids = watchIds('machines.list', sites('9'))

    expect(await ids.find(none, {sawAll: true, others: 'look'})).toEqual([])
    await expect(ids.find(none, {sawAll: true, others: 'must'})).rejects.toMatchObject({code: 'IDS_UNKNOWN'})
  })

  test('cannot be proven where they are of a list with dates', async () => {
    const ids = watchIds('sessions.events', {sessionIds: ['9']})

    expect(await ids.find(none, {sawAll: true, others: 'look'})).toEqual([])
    await expect(ids.find(none, {sawAll: true, others: 'must'})).rejects.toMatchObject({code: 'IDS_UNKNOWN'})
  })

  test('that do not exist are refused before a long read begins', async () => {
    const client = clientOf({'sites.list': records('[{"id":7}]')})

    await refuseMissing('reports.transactions', sites('7'), client)

    await expect(refuseMissing('reports.transactions', sites('7', '9'), client)).rejects.toMatchObject({
      ...{code: 'MISSING_ID', exit: 'incomplete'},
      entries: [{message: '--site: 1 site not found: 9'}],
    })
  })
})

test.each([
  ['sites.list', sites('9'), undefined],
  ['machines.list', {siteIds: '9'}, undefined],
  ['sessions.events', {sessionIds: ['9']}, undefined],
  ['machines.list', {...sites('9'), organizationIds: [1]}, '--organization and --site'],
] as const)('an empty read of %s with %j leaves open whether there are %s', (id, filters, flags) => {
  const text = flags && `Nothing was found. Add --fail-on-missing to check that all ids of ${flags} exist.`

  expect(describeUnproven(id, filters as FilterValues)).toBe(text)
})
