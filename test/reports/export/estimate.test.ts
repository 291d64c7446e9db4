import {join} from 'node:path'
import {expect} from 'vitest'
import {toAsk} from '../../../src/cli/reports/export-plan.js'
import {type ReportId, reportOperation} from '../../../src/contract/index.js'
import {estimateExport} from '../../../src/reports/export/estimate.js'
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
