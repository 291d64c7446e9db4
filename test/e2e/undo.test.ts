import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {siteHeader} from '../support/site-lines.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}

describe.concurrent('runs undo', () => {
  test('takes a run back, shows what, and both runs say so', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = [site(sandbox, 1001), site(sandbox, 1002)]
    const file = write(home, 'sites.csv', 'id,maxChargePrice,contact.firstName', '1001,777,Zoë', '1002,778,')
    const first = await run(['sites', 'update', '-f', file, '--json'])
    const {runId} = JSON.parse(first.stdout)

    const dry = await run(['runs', 'undo', runId, '--dry-run'])
    const ran = await run(['runs', 'undo', 'latest', '--json'])

    expect([dry.exitCode, ran.exitCode]).toEqual([0, 0])
    expect(dry.stdout).toContain(`maxChargePrice     777  ${before[0]?.['maxChargePrice']}`)
    expect(ran.stderr).toContain('~ 1001  Ferry Quay')
    expect([site(sandbox, 1001), site(sandbox, 1002)]).toEqual(before)
    const undoer = JSON.parse(ran.stdout).runId
    expect(JSON.parse(ran.stdout)).toMatchObject({command: 'runs undo', meta: {rows: {applied: 2}}})
    expect((await run(['runs', 'show', runId])).stdout).toContain(undoer)
    expect((await run(['runs', 'show', undoer])).stdout).toContain(`undoes ${runId}`)
    expect((await run(['runs', 'undo', 'latest', '--dry-run'])).stderr).toContain(
      `run ${undoer} undid run ${runId}: undoing it makes the changes of ${runId} again`,
    )
    expect(requestsOf(sandbox)).toMatchObject({'sites.update': 2, 'sites.list': 4})
  })

  test('shows no change of what is back already', async ({start, home}) => {
    const {run, sandbox} = await start()
    const before = site(sandbox, 1002)
    const file = write(home, 'sites.csv', 'name,id', 'One,1001', 'Two,1002')
    await run(['sites', 'update', '-f', file])
    sandbox.store.update('site', 1002, before, {})

    const {stdout, stderr} = await run(['runs', 'undo', 'latest', '--dry-run'])

    expect(stdout.trim().split('\n').slice(1)).toEqual([expect.stringMatching(/^1001 +One +name +One +\S/)])
    expect(stderr).toContain('1 change in 1 record; 1 already up to date.')
  })

  test('deletes created records once they were counted, and as many as were counted', async ({start, home}) => {
    const {run, sandbox} = await start()
    const file = write(home, 'new.csv', siteHeader, '201,101,One,true,5,6,Net10', '201,101,Two,true,5,6,Net10')
    const created = await run(['sites', 'create', '-f', file, '--yes', '--json'])
    const ids = JSON.parse(created.stdout).data.rows.map(({id}: {id: number}) => id)

    const dry = await run(['runs', 'undo', 'latest', '--dry-run'])
    const uncounted = await run(['runs', 'undo', 'latest', '--yes'])
    const ran = await run(['runs', 'undo', 'latest', '--confirm-count', '2'])

    expect([dry.exitCode, uncounted.exitCode, ran.exitCode]).toEqual([0, 2, 0])
    expect(dry.stderr).toContain('→ To confirm 2 deletions: --confirm-count 2')
    expect(uncounted.stderr).toContain('If you mean it, add: --confirm-count 2')
    expect(ids.map((id: number) => sandbox.store.find('site', id))).toEqual([undefined, undefined])
    expect(requestsOf(sandbox)['sites.delete']).toBe(1)
  })

  test('keeps to the ceiling, the protection and the target of every write', async ({start, home}) => {
    const {run, sandbox} = await start()
    await run(['sites', 'update', '-f', write(home, 'sites.csv', 'id,maxChargePrice', '1001,777', '1002,778')])

    const many = await run(['runs', 'undo', 'latest', '--max-records', '1'])
    const shielded = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_PROTECTED: 'true'}})
    const elsewhere = await run(['runs', 'undo', 'latest'], {environment: {VENDORCTL_STAGE: 'v2'}})

    expect([many, shielded, elsewhere].map(({exitCode}) => exitCode)).toEqual([8, 2, 2])
    expect(elsewhere.stderr).toContain('was sent to')
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })
})
