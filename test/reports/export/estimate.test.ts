import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {toAsk} from '../../../src/cli/reports/export-plan.js'
import type {Page, ReadRequest} from '../../../src/client/types.js'
import {type ReportId, reportOperation, transactionReport} from '../../../src/contract/index.js'
import type {QuotaLeft} from '../../../src/quota/quota.js'
import {type Estimate, estimateExport, toCost} from '../../../src/reports/export/estimate.js'
import {findAsk} from '../../../src/reports/run/export-target.js'
import type {Sandbox} from '../../../src/sandbox/server.js'
import {setAdjustments} from '../../support/adjustments.js'
import {createSandboxClient} from '../../support/client.js'
import {exportHere} from '../../support/export.js'
import {test} from '../../support/export-folder.js'

const range = {start: '2024-04-03T00:00:00', end: '2024-07-28T00:00:00'}
const all = {from: Date.parse('2024-04-03T00:00:00Z'), to: Date.parse('2024-07-28T00:00:00Z')}

function countRequests(sandbox: Sandbox): number {
  const counts = Object.values(sandbox.requests()).flatMap((statuses) => Object.values(statuses))
  return counts.reduce((sum, count) => sum + count, 0)
}

test.for([
  ['reports.transactions', {'page-size': 50}],
  ['reports.transactions', {'page-size': 50, 'no-boundary-checks': true}],
  ['reports.inventory', {}],
] as const satisfies [ReportId, object][])(
  'an export sends as many requests as its estimate said, the login among them: %s %j',
  async ([report, flags], {folder, start}) => {
    const sandbox = await start({batches: 400})
    setAdjustments(sandbox, {count: 1_250, ...all})
    const estimate = await estimateExport({
      client: createSandboxClient(sandbox).client,
      ask: toAsk(report, flags, {}, range),
      maximumDays: 31,
      pageSize: 'page-size' in flags ? flags['page-size'] : reportOperation(report).maximumPageSize,
      probes: !('no-boundary-checks' in flags),
    })
    const before = countRequests(sandbox)

    await exportHere({report, sandbox, ...range, path: join(folder, 'a.ndjson'), flags})

    expect(countRequests(sandbox) - before).toBe(estimate.requests)
  },
)

/** Estimates an export of 24 windows, each with so many records, from a service that serves pages of 5 to 40. */
async function estimateFor(records: number) {
  let requests = 0
  async function* readPages(_: unknown, {pageSize = 0}: ReadRequest) {
    requests++
    const size = Math.min(Math.max(pageSize, 5), 40)
    yield {size, count: Math.min(size, records), totalPages: Math.ceil(records / size)} as Page
  }
  const estimate = await estimateExport({
    client: {readPages},
    ask: toAsk('reports.transactions', {}, {}, {start: '2022-01-01T00:00:00', end: '2023-12-26T00:00:00'}),
    ...{maximumDays: 31, pageSize: 1_000, probes: true},
  })
  return {estimate, requests}
}

describe('of a long range a few windows are counted, and the others are taken to be like them', () => {
  test('where a window has several pages', async () => {
    const {estimate, requests} = await estimateFor(100)

    expect(estimate).toEqual({windows: 24, counted: 12, records: 2_400, pages: 72, probes: 48, requests: 121})
    expect(requests).toBe(13)
  })

  test('where one answer holds the first window, which is not asked for again', async () => {
    const {estimate, requests} = await estimateFor(4)

    expect(estimate).toEqual({windows: 24, counted: 12, records: 96, pages: 24, probes: 0, requests: 25})
    expect(requests).toBe(12)
  })
})

test('what an export would take is told in seconds, in shares of a day, and in days', () => {
  const estimate = {requests: 250} as Estimate
  const quota = {perDay: 100, left: 40, available: 30} as QuotaLeft

  expect(toCost(estimate, quota, 4)).toMatchObject({seconds: 63, shareOfDay: 2.5, days: 4})
  expect(toCost({...estimate, requests: 30}, quota, 4)).toMatchObject({shareOfDay: 0.3, days: 1})
  expect(toCost({...estimate, requests: 31}, quota, 4).days).toBe(2)
})

test('an export without a name is estimated as it is asked', async () => {
  const ask = toAsk(transactionReport, {}, {}, range)
  const one = {request: {}, planned: {ask}} as unknown as Parameters<typeof findAsk>[0]

  expect(await findAsk(one, {baseUrl: '', stage: '', keyFingerprint: '', profile: ''})).toBe(ask)
})
