import {expect, test} from 'vitest'
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
    if (!lists[id]) throw new CliFailure('down', {code: 'ANSWER_CUT'})
    yield {records: lists[id]} as unknown as Page
  }
  return {readPages, asked}
}

const none = clientOf({})
const sites = (...siteIds: string[]): FilterValues => ({siteIds})
const numbers = (count: number) => Array.from({length: count}, (_, index) => String(100 + index))
const deleted = '; --include-deleted also shows deleted ones'

test.each<[string, ReadId, FilterValues, string, string]>([
  [
    'numbers and texts alike',
    'sites.list',
    sites('7', '8', '9'),
    '[{"id":7},{"id":"8"}]',
    `1 site not found: 9${deleted}`,
  ],
  [
    'by names in any case',
    'machines.list',
    {machineIdentifiers: ['ab ', 'CD']},
    '[{"id":1,"prose":"AB"}]',
    'found: CD;',
  ],
  ['or outside other filters', 'sites.list', {...sites('9'), organizationIds: [1]}, '[]', 'with the other filters: 9;'],
  ['deleted or not', 'sites.list', {...sites('9'), includeDeleted: true}, '[]', '1 site not found: 9'],
  ['in a range', 'reports.transactions', {transactionIdentifiers: ['B1']}, '[]', 'in the range that was read: B1'],
  ['named one by one', 'sites.list', sites(...numbers(20)), '[]', `118, 119${deleted}`],
  ['and counted beyond twenty', 'sites.list', sites(...numbers(21)), '[]', `21 sites not found: 100, `],
  ['of which twenty are named', 'sites.list', sites(...numbers(21)), '[]', `118, 119 and 1 more${deleted}`],
])('ids that a complete read did not show are missing, %s', async (_, id, filters, seen, text) => {
  const ids = watchIds(id, filters)
  for (const record of records(seen)) ids.look(record)

  const found = await ids.find(none, {sawAll: true, others: 'none'})

  expect(found).toEqual([expect.stringContaining(text)])
  expect(found.join().includes(deleted)).toBe(id !== 'reports.transactions' && filters.includeDeleted !== true)
  expect(await ids.find(none, {sawAll: false, others: 'none'})).toEqual([])
})

test('ids of other records are looked up among those, deleted ones too', async () => {
  const client = clientOf({'sites.list': records('[{"id":7}]')})

  const found = await watchIds('machines.list', sites('7', '9')).find(client, {sawAll: true, others: 'look'})

  expect(found).toEqual(['--site: 1 site not found: 9'])
  expect(client.asked).toEqual([['sites.list', {siteIds: ['7', '9'], includeDeleted: true}]])
})

test.each<[string, ReadId, FilterValues]>([
  ['could not be read', 'machines.list', sites('9')],
  ['are in a list with dates', 'sessions.events', {sessionIds: ['9']}],
])('ids of other records that %s are not told as missing, and refused where they must be', async (_, id, filters) => {
  const ids = watchIds(id, filters)

  expect(await ids.find(none, {sawAll: true, others: 'look'})).toEqual([])
  await expect(ids.find(none, {sawAll: true, others: 'must'})).rejects.toMatchObject({code: 'IDS_UNKNOWN'})
})

test('ids that do not exist are refused before a long read begins', async () => {
  const client = clientOf({'sites.list': records('[{"id":7}]')})

  await refuseMissing('reports.transactions', sites('7'), client)

  await expect(refuseMissing('reports.transactions', sites('7', '9'), client)).rejects.toMatchObject({
    ...{code: 'MISSING_ID', exit: 'incomplete', entries: [{message: '--site: 1 site not found: 9'}]},
  })
})

test.each<[ReadId, FilterValues, string | undefined]>([
  ['sites.list', sites('9'), undefined],
  ['sessions.events', {sessionIds: ['9']}, undefined],
  ['machines.list', {...sites('9'), organizationIds: [1]}, 'all ids of --organization and --site exist'],
])('an empty read of %s with %j leaves open whether %s', (id, filters, text) => {
  expect(describeUnproven(id, filters)).toEqual(text && expect.stringContaining(text))
})
