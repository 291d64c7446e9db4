import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test} from '../support/binary.js'

const report = ['reports', 'transactions']
type Batch = {id: string; recordedAtUtc: string; lineItems: {id: number}[]}

const batchesOf = ({store}: Sandbox) => store.read('batch') as unknown as Batch[]
const toRecords = (stdout: string): Batch[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const sorted = (texts: string[]) => [...texts].sort()

describe.concurrent('a range longer than the service allows', () => {
  test('that holds everything gives everything the store holds, digit for digit', async ({start}) => {
    const {run, sandbox} = await start({batches: 200})

    const {stdout, exitCode} = await run([...report, '--start', '-125d'])

    expect(exitCode).toBe(0)
    expect(sorted(toRecords(stdout).map(({id}) => id))).toEqual(sorted(batchesOf(sandbox).map(({id}) => id)))
    const texts = sandbox.store.database.all('SELECT json FROM batch').map(({json}) => String(json))
    expect(sorted(stdout.trimEnd().split('\n'))).toEqual(sorted(texts))
  })

  test('has one row for each line item in csv, with the columns of its batch', async ({start, home}) => {
    const {run, sandbox} = await start({batches: 60})
    const path = join(home.path, 'report.csv')

    const ran = await run([...report, '--start', '-125d', '--output-file', path, '--json'])

    const rows = parse(readFileSync(path), {columns: true}) as Record<string, string>[]
    const items = batchesOf(sandbox).flatMap(({id, lineItems}) => lineItems.map((item) => `${id} ${item.id}`))
    expect(ran.exitCode).toBe(0)
    expect(sorted(rows.map((row) => `${row['id']} ${row['lineItem.id']}`))).toEqual(sorted(items))
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: true, data: {file: path, rows: items.length}})
  })

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

  test('that is allowed is exit 0, and still said', async ({start}) => {
    const {run} = await start({batches: 60})

    const words = ['--start', '2024-01-01', '--end', '2024-12-31', '--no-split', '--allow-clamp', '--json']
    const ran = await run([...report, ...words])

    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toContain('The service returned 2024-01-01T00:00:00 to 2024-02-01T00:00:00 instead of')
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: true, errors: [], meta: {range: {}}})
    expect(JSON.parse(ran.stdout).warnings).toHaveLength(1)
  })

  test.for(['transactions', 'inventory'])(
    'of one window of %s is exit 10 with a limit as well',
    async (name, {start}) => {
      const {run} = await start({batches: 60})

      const ran = await run(['reports', name, '--start', '-100d', '--no-split', '--limit', '1'])

      expect(ran.exitCode).toBe(10)
      expect(ran.stderr).toContain('(limit of this route: 31 days)')
    },
  )
})
