import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {patience, requestsOf, test} from '../support/binary.js'
import {recordsOf} from '../support/ndjson.js'

const transactions = ['reports', 'transactions', '--start', '-20d', '--output-file', 'tx.ndjson', '--page-size', '50']

test('what ran is one list, from which it is shown, resumed and removed', async ({start, home}) => {
  const {run, begin, sandbox} = await start({batches: 600, faults: ['stall-headers@reports.transactions#4-']})
  const jobs = join(home.path, 'jobs.yaml')
  writeFileSync(jobs, 'jobs: {codes: {command: alerts codes}, bad: {command: sites list, flags: {site: "@nowhere"}}}\n')
  const list = async (...flags: string[]) => {
    const {stdout} = await run(['runs', 'list', ...flags, '--columns', 'id,kind,state,command,next', '-o', 'ndjson'])
    return recordsOf<Record<string, string>>(stdout)
  }
  const running = begin(transactions)
  await expect.poll(() => requestsOf(sandbox)['reports.transactions'] ?? 0, patience).toBeGreaterThan(3)
  const [exporting] = await list('--kind', 'export')
  const busy = await run(['runs', 'remove', exporting?.['id'] ?? '', '--yes'])
  running.child.kill('SIGKILL')
  await running.ended
  sandbox.faults.clear()
  await run(['sync', '--db', 'mirror.db'])
  await run(['sites', 'update', '1001', '--set', 'name=Quay', '--yes'])
  const [good, bad] = [
    await run(['jobs', 'run', 'codes', '--jobs-file', jobs]),
    await run(['jobs', 'run', 'bad', '--jobs-file', jobs]),
  ]

  const all = await list()
  const byKind = await Promise.all(['write', 'export', 'sync', 'job'].map((kind) => list('--kind', kind)))
  const open = await list('--open')
  const id = open[0]?.['id'] ?? ''
  const shown = await run(['runs', 'show', id])
  const kept = await run(['runs', 'remove', id], {environment: {VENDORCTL_YES: undefined}})
  const planned = await run(['runs', 'resume', id, '--dry-run'])
  const resumed = await run(['runs', 'resume', id])
  const again = await run(['runs', 'resume', id])
  const removed = await run(['runs', 'remove', '--all', '--yes', '--json'])
  const left = await list()

  expect(exporting).toMatchObject({state: 'running', kind: 'export'})
  expect([busy.exitCode, good.exitCode, bad.exitCode]).toEqual([13, 0, 2])
  expect(all.map(({kind, state}) => [kind, state]).sort()).toEqual([
    ['export', 'unfinished'],
    ['job', 'done'],
    ['job', 'failed'],
    ['sync', 'done'],
    ['write', 'done'],
  ])
  expect(all.map(({id}) => id)).toEqual([...new Set(all.map(({id}) => id))].sort().reverse())
  expect(byKind.map((records) => records.length)).toEqual([1, 1, 1, 2])
  expect(open).toHaveLength(1)
  expect(shown.stdout).toContain(`Run ${id}: an export, unfinished.`)
  expect(kept.stderr).toContain('what it has read is dropped; nothing was removed')
  expect([kept.exitCode, planned.exitCode, resumed.exitCode, again.exitCode]).toEqual([2, 0, 0, 9])
  expect(planned.stdout).toContain('vendorctl reports transactions')
  expect(existsSync(join(home.path, 'tx.ndjson'))).toBe(true)
  expect(JSON.parse(removed.stdout).data).toHaveLength(5)
  expect(left).toEqual([])
})
