import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {siteFile} from '../support/site-lines.js'

/** So many requests a day. */
const day = (requests: number) => ({VENDORCTL_DAILY_QUOTA: String(requests)})

const csv = ['-o', 'csv'] as const
const newSites = (count: number) => siteFile(...Array.from({length: count}, (_, number) => `New ${number}`))

describe('quota', () => {
  test('tells what every run of this machine used', async ({run, sandbox}) => {
    await run(['sites', 'list', '--json'])
    const list = await run(['machines', 'list', '--page-size', '5', '--json'])

    const told = await run(['quota'])
    const {data} = JSON.parse((await run(['quota', '--json'])).stdout)
    const records = await run(['quota', '-o', 'json'])
    const runs = await run(['quota', '-o', 'json', '--columns', 'command'])

    const used = Object.values(requestsOf(sandbox)).reduce((sum, count) => sum + count, 0)
    expect(used).toBeGreaterThan(5)
    expect(data).toMatchObject({perDay: 5_000, used, left: 5_000 - used, leftIs: 'counted'})
    expect(data).toMatchObject({reset: {is: 'assumed'}, refused: false, slow: false, forecast: {usedUpAt: null}})
    expect(data.runs).toMatchObject([{command: 'machines list', requests: 4}, {command: 'sites list'}])
    expect(JSON.parse(list.stdout).meta.requests).toEqual({used: 4, quotaLeft: 5_000 - used, quotaLeftIs: 'counted'})
    expect(JSON.parse(records.stdout)).toMatchObject([{used, left: 5_000 - used, runs: data.runs}])
    expect(JSON.parse(runs.stdout)).toEqual([{command: 'machines list'}, {command: 'sites list'}])
    expect(told.stdout).toContain(`${used} of 5,000`)
    expect(told.stdout).toMatch(/4 +machines list +process \d+ +\d\d-\d\d \d\d:\d\d\n/)
    expect(told.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

describe('work that does not fit within what is left', () => {
  test('is not begun by a read: exit 8 and three ways out', async ({run, sandbox}) => {
    const ran = await run(['machines', 'list', '--page-size', '1', ...csv], {environment: day(18)})

    expect(ran.exitCode).toBe(8)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(
      /^error: This read needs 17 requests, but only 16 may be used until .* UTC.*: 2 of 18 are used/m,
    )
    expect(ran.stderr.match(/^→ /gm)).toHaveLength(3)
    expect(ran.stderr).toContain('--until-quota')
    expect(requestsOf(sandbox)['machines.list']).toBeLessThan(7)
  })

  test('is done as far as it goes with --until-quota: exit 8, and what was read is there', async ({run}) => {
    const ran = await run(['machines', 'list', '--page-size', '2', '--json', '--until-quota'], {environment: day(8)})

    expect(ran.exitCode).toBe(8)
    const {ok, data, meta, errors} = JSON.parse(ran.stdout)
    expect(ok).toBe(false)
    expect(data.length).toBe(14)
    expect(meta).toMatchObject({truncated: true, requests: {used: 8, quotaLeft: 0, quotaLeftIs: 'counted'}})
    expect(errors).toMatchObject([{code: 'QUOTA_SPENT', exit: 8, changed: 'none', retry: 'safe'}])
    expect(ran.stderr).toMatch(/\n→ Resume .*\n→ If the service gives this key more: .*\n$/)
  })

  test('is not begun by a write: nothing is sent', async ({run, sandbox, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), newSites(8))

    const ran = await run(['sites', 'create', '-f', 'sites.csv', '--set-size', '1', '--yes'], {environment: day(15)})

    expect(ran.exitCode).toBe(8)
    expect(ran.stderr).toContain('sites.csv needs 13 requests, but only 11 may be used')
    expect(requestsOf(sandbox)['sites.create']).toBeUndefined()
  })

  test('is sent as far as it goes with --until-quota, and what is kept back stays', async ({run, sandbox, home}) => {
    writeFileSync(join(home.path, 'sites.csv'), newSites(8))
    const words = ['sites', 'create', '-f', 'sites.csv', '--set-size', '1', '--yes', '--until-quota', '--json']

    const ran = await run(words, {environment: day(10)})
    const resumed = await run(['runs', 'resume', '--yes'], {environment: day(12)})

    expect([ran.exitCode, resumed.exitCode]).toEqual([8, 8])
    expect(resumed.stderr.match(/^→ .*/gm)).toEqual(['→ Send what is left for: add --until-quota'])
    const {meta, errors} = JSON.parse(ran.stdout)
    expect(meta.rows).toEqual({applied: 4, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 4, unchanged: 0})
    expect(meta.requests).toEqual({used: 6, quotaLeft: 4, quotaLeftIs: 'counted'})
    expect(errors).toMatchObject([{code: 'QUOTA_SPENT', exit: 8}])
    expect(requestsOf(sandbox)['sites.create']).toBe(4)
  })
})

test('a refusal of the service is remembered by all runs: the next one asks nothing', async ({start}) => {
  const {run, sandbox} = await start({faults: ['quota@machines.list']})

  const first = await run(['machines', 'list'])
  const before = requestsOf(sandbox)
  const second = await run(['sites', 'list'])
  const {data} = JSON.parse((await run(['quota', '--json'])).stdout)

  expect([first.exitCode, second.exitCode]).toEqual([8, 8])
  const resetAt = data.reset.at.slice(0, 16).replace('T', ' ')
  expect(first.stderr).toContain('the requests of this key for today are used up')
  for (const {stderr} of [first, second]) {
    expect(stderr).toContain(`at ${resetAt} UTC`)
    expect(stderr).toContain('vendorctl quota forget')
  }
  expect(second.stderr).toMatch(/^→ Resume after the daily reset at \d{4}-\d\d-\d\d 00:00 UTC \(assumed\)/m)
  expect(requestsOf(sandbox)).toEqual(before)
  expect(data).toMatchObject({left: 0, refused: true})
})

test('a refusal that is forgotten keeps nothing back, and what was counted stays', async ({start}) => {
  const {run, sandbox} = await start({faults: ['quota@machines.list']})
  await run(['machines', 'list'])
  sandbox.faults.clear()
  const {data: before} = JSON.parse((await run(['quota', '--json'])).stdout)

  const forgotten = await run(['quota', 'forget', '--json'])
  const {data: after} = JSON.parse((await run(['quota', '--json'])).stdout)
  const again = await run(['quota', 'forget'])
  const listed = await run(['machines', 'list'])

  expect(JSON.parse(forgotten.stdout)).toMatchObject({ok: true, data: {forgotten: true}})
  expect(after).toMatchObject({refused: false, usedToday: before.usedToday})
  expect(again).toMatchObject({exitCode: 0, stderr: 'No refusal is remembered.\n'})
  expect(listed.exitCode).toBe(0)
})

describe('a ledger that cannot be used', () => {
  const warnings = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('warning:'))

  test('keeps nothing from working: this run counts for itself, with one warning', async ({run, home}) => {
    mkdirSync(home.state, {recursive: true})
    writeFileSync(join(home.state, 'ledgers'), 'a file where a folder must be')

    const ran = await run(['sites', 'list', '--json'])
    const doctor = await run(['doctor', '--json'])

    expect([ran.exitCode, doctor.exitCode]).toEqual([0, 12])
    expect(JSON.parse(doctor.stdout).data.filter(({ok}: {ok: boolean}) => !ok)).toMatchObject([{name: 'ledger'}])
    expect(warnings(ran.stderr)).toEqual([expect.stringContaining('Only the requests of this run are counted.')])
    const {meta} = JSON.parse(ran.stdout)
    expect(meta.requests).toEqual({
      used: meta.requests.used,
      quotaLeft: 5_000 - meta.requests.used,
      quotaLeftIs: 'estimated',
    })
  })
})
