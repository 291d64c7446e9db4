import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test} from '../support/binary.js'

const report = ['reports', 'transactions']
type Batch = {id: string; recordedAtUtc: string; lineItems: {id: number}[]}

const batchesOf = ({store}: Sandbox) => store.read('batch') as unknown as Batch[]

describe.concurrent('a range longer than the service allows', () => {
  test('--rows turns batches into lines in ndjson and lines into batches in csv', async ({start}) => {
    const {run, sandbox} = await start({batches: 40})
    const count = batchesOf(sandbox).length
    const items = batchesOf(sandbox).flatMap(({lineItems}) => lineItems).length

    const lines = await run([...report, '--start', '-125d', '--rows', 'lines'])
    const batches = await run([...report, '--start', '-125d', '--rows', 'batches', '-o', 'csv'])

    expect(lines.stdout.trimEnd().split('\n')).toHaveLength(items)
    expect(parse(batches.stdout)).toHaveLength(count + 1)
  })
})

describe.concurrent('a clamp', () => {
  test('of a report that may not be split is exit 10, and said', async ({start}) => {
    const {run, sandbox} = await start({batches: 60})

    const ran = await run([...report, '--start', '2024-01-01', '--end', '2024-12-31', '--no-split', '--json'])

    expect(ran.exitCode).toBe(10)
    expect(ran.stderr).toContain('(limit of this route: 31 days)')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      data: [],
      meta: {
        range: {
          asked: ['2024-01-01T00:00:00', '2024-12-31T23:59:59.999'],
          served: ['2024-01-01T00:00:00', '2024-02-01T00:00:00'],
        },
      },
      errors: [{code: 'RANGE_CLAMPED', exit: 10}],
    })
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, 'reports.transactions': 1})
  })

  test.for(['transactions', 'inventory'])('of one window of %s is exit 10, limited or not', async (name, {start}) => {
    const {run} = await start({batches: 60})

    const ran = await run(['reports', name, '--start', '-100d', '--no-split', '--limit', '1'])

    expect(ran.exitCode).toBe(10)
    expect(ran.stderr).toContain('(limit of this route: 31 days)')
  })
})
