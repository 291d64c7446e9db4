import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'

/** 200 machines have sessions of 75 days. */
const world = {machines: 200}
const sessions = ['sessions', 'list', '--start', '-80d']
const idsOf = (csv: string) => csv.trimEnd().split('\n').slice(1)

describe.concurrent('a list of more days than one request may ask for', () => {
  test('is read in windows up to now, each record once, the same in every output', async ({start}) => {
    const {run, sandbox} = await start(world)
    const all = sandbox.store.read('session').map(({id}) => String(id))

    const csv = await run([...sessions, '-o', 'csv', '--columns', 'id'])
    const json = await run([...sessions, '-o', 'json'])
    const sorted = await run([...sessions, '-o', 'csv', '--columns', 'id', '--sort', '-id'])
    const chosen = await run([...sessions, '-o', 'csv', '--columns', 'id', '--where', `id!=${all[0]}`])
    const envelope = await run([...sessions, '--json'])

    expect(csv.stderr).toMatch(/^Reading \S+ … \S+, UTC\.\n$/)
    expect([csv, sorted, chosen].map(({stdout}) => idsOf(stdout))).toEqual([all, all.toReversed(), all.slice(1)])
    expect(JSON.parse(json.stdout).map(({id}: {id: number}) => String(id))).toEqual(all)
    expect(JSON.parse(envelope.stdout).data.map(({id}: {id: number}) => String(id))).toEqual(all)
    for (const ran of [csv, json, sorted, chosen, envelope]) expect(ran.exitCode).toBe(0)
  })

  test('ends at the limit, without another request', async ({start}) => {
    const {run, sandbox} = await start(world)
    const ran = await run([...sessions, '-o', 'csv', '--columns', 'id', '--limit', '3'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran.stdout)).toHaveLength(3)
    expect(requestsOf(sandbox)['sessions.list']).toBe(1)
  })

  test('has a record at the edge of two windows once, also one that has no id', async ({run, sandbox}) => {
    const days = ['2024-12-30T23:59:59', '2024-12-31T00:00:00', '2024-12-31T00:00:01']
    for (const [place, recordedAtUtc] of days.entries())
      sandbox.add('metadata', {transactionId: `B${place}`, machineId: 5001, recordedAtUtc})
    const range = ['--start', '2024-01-01', '--end', '2025-06-30', '--columns', 'transactionId']

    const ran = await run(['reports', 'metadata', ...range, '-o', 'csv'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran.stdout)).toEqual(['B0', 'B1', 'B2'])
  })

  test('whose edge cannot be read stops before a record of it is shown', async ({start}) => {
    const {run} = await start({...world, faults: ['hdr(search-range-end-date,soon)@sessions.list']})

    const ran = await run([...sessions, '-o', 'csv'])

    expect(ran).toMatchObject({exitCode: 75, stdout: ''})
    expect(ran.stderr).toContain('"soon" is not a date of the served range')
  })
})

test('a page that repeats what the page before held shows that records moved', async ({start}) => {
  const {run} = await start({faults: ['mutate(1,0)@machines.list#2']})

  const ran = await run(['machines', 'list', '--page-size', '5', '-o', 'csv', '--columns', 'id'])

  expect(ran).toMatchObject({exitCode: 10, stderr: expect.stringContaining('incomplete: 1 record came twice')})
  expect(new Set(idsOf(ran.stdout)).size).toBe(idsOf(ran.stdout).length)
})
